"""Cosine, Jaccard over five words, and lines, with the arithmetic in the open."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.observations import Location
from merging.similarity import _products, likeness, line_overlap, overlaps
from tests.merging.making import text

WORDS = [f"w{number}" for number in range(40)]


def shingles(content: str) -> frozenset[tuple[str, ...]]:
    words = content.casefold().split()
    return frozenset(tuple(words[i : i + 5]) for i in range(max(1, len(words) - 4)))


def jaccard(one: str, other: str) -> float:
    first, second = shingles(one), shingles(other)
    return len(first & second) / len(first | second)


class TestCosine:
    def test_is_the_angle_not_the_length(self):
        # (3, 4)·(4, 3) / (5·5) = 24 / 25
        found = likeness([text("a", vector=[3.0, 4.0]), text("b", vector=[8.0, 6.0])], 0.96)
        assert found.value[0, 1] == pytest.approx(0.96)
        assert found.near.tolist() == [[False, True], [True, False]]

    def test_the_threshold_is_inclusive(self):
        pair = [text("a", vector=[3.0, 4.0]), text("b", vector=[4.0, 3.0])]
        assert likeness(pair, 0.96).near[0, 1]
        assert not likeness(pair, 0.9601).near[0, 1]

    def test_six_places_are_compared(self):
        # cos = 0.849996 and 0.8499998: the second is .85 to six places
        less, even = text("b", vector=[0.849996, (1 - 0.849996**2) ** 0.5]), text("c", vector=[0.8499998, 0.526783])
        first = text("a", vector=[1.0, 0.0])
        assert not likeness([first, less], 0.85).near[0, 1]
        assert likeness([first, even], 0.85).near[0, 1]

    def test_a_zero_vector_is_like_nothing(self):
        found = likeness([text("a", vector=[0.0, 0.0]), text("b", vector=[1.0, 0.0])], 0.5)
        assert found.value[0, 1] == 0.0
        assert not found.near.any()

    def test_only_vectors_of_one_model_are_compared(self):
        found = likeness(
            [text("a b", vector=[1.0, 0.0], model="docs"), text("c d", vector=[1.0, 0.0], model="code")], 0.5
        )
        assert found.value[0, 1] == 0.0
        assert not found.near.any()

    def test_only_vectors_of_one_length_are_compared(self):
        found = likeness([text("a b", vector=[1.0, 0.0]), text("c d", vector=[1.0, 0.0, 0.0])], 0.5)
        assert not found.near.any()

    def test_an_empty_vector_is_none(self):
        pair = [text("one two three four five", vector=[]), text("one two three four five six", vector=[1.0])]
        assert likeness(pair, 0.85).value[0, 1] == pytest.approx(0.5)

    def test_vectors_say_more_than_words(self):
        found = likeness([text("same words here", vector=[1.0, 0.0]), text("same words here", vector=[0.0, 1.0])], 0.85)
        assert found.value[0, 1] == 0.0


class TestJaccard:
    def test_four_fifths_are_near(self):
        # 9 words are 5 sequences, their first 8 words 4 of them: 4 / 5
        found = likeness([text(" ".join(WORDS[:9])), text(" ".join(WORDS[:8]))], 1.0)
        assert found.value[0, 1] == pytest.approx(0.8)
        assert found.near[0, 1]

    def test_less_is_not(self):
        # 4 words less at the end: 4 sequences of 8 words, 3 of 7: 3 / 4
        found = likeness([text(" ".join(WORDS[:8])), text(" ".join(WORDS[:7]))], 0.1)
        assert found.value[0, 1] == pytest.approx(0.75)
        assert not found.near[0, 1]

    def test_short_texts_are_one_sequence_in_any_case_and_spacing(self):
        found = likeness([text("Retry  three\ntimes"), text("retry three times"), text("retry four times")], 0.85)
        assert found.value[0, 1] == 1.0
        assert found.value[0, 2] == 0.0
        assert found.near.tolist() == [[False, True, False], [True, False, False], [False, False, False]]

    def test_the_same_text_is_wholly_like_where_no_sequence_is_in_two_texts(self):
        same = "one two three four five six"
        found = likeness([text(same, "a.md:1-2"), text("six five four three two one"), text(same, "b.md:1-2")], 0.85)
        assert found.value[~np.eye(3, dtype=bool)].tolist() == [0.0, 1.0, 0.0, 0.0, 1.0, 0.0]
        assert found.near.tolist() == [[False, False, True], [False, False, False], [True, False, False]]

    def test_sequences_do_not_run_from_one_text_into_the_next(self):
        # were they joined, "e f g h i" would be in both
        found = likeness([text("a b c d e"), text("f g h i j"), text("e f g h i")], 0.85)
        assert found.value[~np.eye(3, dtype=bool)].tolist() == [0.0] * 6

    def test_much_longer_texts_are_not_compared(self):
        repeated = "a b c d e a b c d e a b c d e"  # 29 characters; five distinct sequences however often they come
        assert likeness([text(repeated), text(f"{repeated} a b c d")], 0.85).near[0, 1]  # 29 : 37
        assert not likeness([text(repeated), text(f"{repeated} a b c d e")], 0.85).near[0, 1]  # 29 : 39

    def test_three_to_four_is_the_border(self):
        words = "a b c d e a b c"  # 15 characters, 4 sequences
        assert likeness([text(words), text(f"{words} xyzv")], 0.85).value[0, 1] == pytest.approx(0.8)  # 15 : 20
        assert likeness([text(words), text(f"{words} xyzvw")], 0.85).value[0, 1] == 0.0  # 15 : 21

    @given(st.lists(st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=14), min_size=1, max_size=6))
    def test_is_the_share_of_common_sequences(self, texts):
        observations = [text(" ".join(words)) for words in texts]
        found = likeness(observations, 0.85)
        for i, one in enumerate(observations):
            assert not found.near[i, i]
            for j, other in enumerate(observations):
                if i != j and min(len(one.content), len(other.content)) >= 0.75 * max(
                    len(one.content), len(other.content)
                ):
                    expected = jaccard(one.content, other.content)
                    assert found.value[i, j] == pytest.approx(expected, abs=1e-6)
                    assert found.near[i, j] == (expected >= 0.8)


class TestLines:
    @pytest.mark.parametrize(
        ("one", "other", "share"),
        [
            ((1, 10), (1, 10), 1.0),
            ((1, 10), (5, 14), 0.6),  # 5..10 are six of ten
            ((1, 10), (6, 15), 0.5),
            ((1, 100), (40, 44), 1.0),  # of the shorter
            ((1, 10), (10, 10), 1.0),
            ((1, 10), (11, 20), 0.0),
            ((1, 10), (50, 60), 0.0),
        ],
    )
    def test_shared_over_shorter(self, one, other, share):
        first, second = Location("p", "a.md", *one), Location("p", "a.md", *other)
        assert line_overlap(first, second) == line_overlap(second, first) == pytest.approx(share)
        assert overlaps(first, second) is (share >= 0.6)

    def test_other_files_and_projects_share_nothing(self):
        here = Location("p", "a.md", 1, 9)
        assert line_overlap(here, Location("q", "a.md", 1, 9)) == 0.0
        assert line_overlap(here, Location("p", "b.md", 1, 9)) == 0.0


class TestProducts:
    # 75 rows of 384 numbers are 8 blocks of 9 rows and one of 3; of 700 rows every one is a block of its own
    @pytest.mark.parametrize("rows", [1, 2, 75, 200, 700])
    def test_in_blocks_are_those_of_the_whole(self, rows: int):
        vectors = np.random.default_rng(rows).normal(size=(rows, 384)).astype(np.float32)
        product = _products(vectors)
        assert np.allclose(product, vectors @ vectors.T, atol=1e-3)
        assert (product == product.T).all()

    def test_of_nothing(self):
        assert _products(np.zeros((2, 0), dtype=np.float32)).tolist() == [[0.0, 0.0], [0.0, 0.0]]
