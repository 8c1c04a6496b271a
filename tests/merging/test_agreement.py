from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.entities import Entity, Relationship
from memory.observations import Location
from merging.agreement import (
    Heard,
    _products,
    alike_pairs,
    corroborated_by_relations,
    independent_sources,
    line_overlap,
    overlaps,
    similarity,
)
from tests.merging.making import graph, text

WORDS = [f"w{number}" for number in range(40)]


def shingles(content: str) -> frozenset[tuple[str, ...]]:
    words = content.casefold().split()
    return frozenset(tuple(words[i : i + 5]) for i in range(max(1, len(words) - 4)))


def jaccard(one: str, other: str) -> float:
    first, second = shingles(one), shingles(other)
    return len(first & second) / len(first | second)


def alike(*observations, threshold=0.85):
    """The pairs, where every observation is another source's."""
    return alike_pairs(observations, range(len(observations)), threshold)


class TestCosine:
    def test_is_the_angle_not_the_length(self):
        # (3, 4)·(4, 3) / (5·5) = 24 / 25
        pair = [text("a", vector=[3.0, 4.0]), text("b", vector=[8.0, 6.0])]
        assert similarity(*pair) == pytest.approx(0.96)
        assert alike(*pair, threshold=0.96) == [(0, 1)]

    def test_the_threshold_is_inclusive(self):
        pair = [text("a", vector=[3.0, 4.0]), text("b", vector=[4.0, 3.0])]
        assert alike(*pair, threshold=0.96)
        assert not alike(*pair, threshold=0.9601)

    def test_six_places_are_compared(self):
        # cos = 0.849996 and 0.8499998: the second is .85 to six places
        less, even = text("b", vector=[0.849996, (1 - 0.849996**2) ** 0.5]), text("c", vector=[0.8499998, 0.526783])
        first = text("a", vector=[1.0, 0.0])
        assert not alike(first, less)
        assert alike(first, even)

    def test_a_zero_vector_is_like_nothing(self):
        pair = [text("a", vector=[0.0, 0.0]), text("b", vector=[1.0, 0.0])]
        assert similarity(*pair) == 0.0
        assert not alike(*pair, threshold=0.5)

    def test_only_vectors_of_one_model_are_compared(self):
        pair = [text("a b", vector=[1.0, 0.0], model="docs"), text("c d", vector=[1.0, 0.0], model="code")]
        assert similarity(*pair) == 0.0
        assert not alike(*pair, threshold=0.5)

    def test_only_vectors_of_one_length_are_compared(self):
        assert not alike(text("a b", vector=[1.0, 0.0]), text("c d", vector=[1.0, 0.0, 0.0]), threshold=0.5)

    def test_an_empty_vector_is_none(self):
        pair = [text("one two three four five", vector=[]), text("one two three four five six", vector=[1.0])]
        assert similarity(*pair) == pytest.approx(0.5)

    def test_vectors_say_more_than_words(self):
        pair = [text("same words here", vector=[1.0, 0.0]), text("same words here", vector=[0.0, 1.0])]
        assert similarity(*pair) == 0.0
        assert not alike(*pair)

    def test_a_source_is_not_compared_with_itself(self):
        same = [text("a b", vector=[1.0, 0.0]), text("c d", vector=[1.0, 0.0]), text("e f", vector=[1.0, 0.0])]
        assert alike_pairs(same, ["local", "vector", "local"], 0.85) == [(0, 1), (1, 2)]
        assert alike_pairs(same, ["local", "local", "local"], 0.85) == []


class TestJaccard:
    def test_four_fifths_are_near(self):
        # four of five sequences are shared
        pair = [text("a b c d e f g h"), text("a b c d e f g h i")]
        assert similarity(*pair) == pytest.approx(0.8)
        assert alike(*pair) == [(0, 1)]

    def test_less_is_not(self):
        pair = [text("a b c d e f g"), text("a b c d e f g h")]
        assert similarity(*pair) == pytest.approx(0.75)
        assert not alike(*pair)

    def test_short_texts_are_one_sequence_in_any_case_and_spacing(self):
        given = [text("Retry  three\ntimes"), text("retry three times"), text("retry four times")]
        assert alike(*given) == [(0, 1)]
        assert (similarity(*given[:2]), similarity(*given[1:])) == (1.0, 0.0)

    def test_sequences_do_not_run_from_one_text_into_the_next(self):
        # were they joined, "e f g h i" would be in both
        assert alike(text("a b c d e"), text("f g h i j"), text("e f g h i")) == []

    def test_much_longer_texts_are_not_compared(self):
        repeated = "a b c d e a b c d e a b c d e"  # 29 characters; five distinct sequences however often they come
        assert alike(text(repeated), text(f"{repeated} a b c d"))  # 29 : 37
        assert not alike(text(repeated), text(f"{repeated} a b c d e"))  # 29 : 39

    def test_three_to_four_is_the_border(self):
        words = "a b c d e a b c"  # 15 characters, 4 sequences
        assert similarity(text(words), text(f"{words} xyzv")) == pytest.approx(0.8)  # 15 : 20
        assert similarity(text(words), text(f"{words} xyzvw")) == 0.0  # 15 : 21

    @given(st.lists(st.lists(st.sampled_from(WORDS[:6]), min_size=1, max_size=14), min_size=1, max_size=6))
    def test_is_the_share_of_common_sequences(self, texts):
        observations = [text(" ".join(words)) for words in texts]
        expected = []
        for i, one in enumerate(observations):
            for j, other in enumerate(observations[i + 1 :], start=i + 1):
                lengths = sorted((len(one.content), len(other.content)))
                share = jaccard(one.content, other.content) if lengths[0] >= 0.75 * lengths[1] else 0.0
                assert similarity(one, other) == pytest.approx(share, abs=1e-6)
                begins, ends = (one.content.split()[:5], one.content.split()[-5:])
                meet = begins == other.content.split()[:5] or ends == other.content.split()[-5:]
                expected += [(i, j)] if share >= 0.8 and meet else []
        assert alike(*observations) == expected

    @pytest.mark.specification("001 §5.2 threshold")
    @pytest.mark.parametrize(("last", "pairs"), [("y" * 20, [(0, 1)]), ("y" * 200, [])])
    def test_lengths_are_compared_in_characters(self, last, pairs):
        assert alike(text(" ".join([*WORDS, "x"])), text(" ".join([*WORDS, last]))) == pairs

    def test_long_texts_that_begin_or_end_alike_are_compared(self):
        words = [f"w{number}" for number in range(300)]
        begun, ended = [*words[:-1], "other"], ["other", *words[1:]]
        assert alike(text(" ".join(words)), text(" ".join(begun))) == [(0, 1)]
        assert alike(text(" ".join(words)), text(" ".join(ended))) == [(0, 1)]

    @pytest.mark.specification("001 §5.2 threshold")
    def test_of_one_bucket_the_best_are_compared_with(self):
        same = " ".join(f"w{number}" for number in range(300))
        pairs = alike(*(text(f"{same} {number} {number} x y z") for number in range(40)))
        assert len(pairs) == 16 * 15 / 2 + 24 * 16  # not 40 · 39 / 2


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


KEPT = text("retry three times", "a.md:1-10")


class TestIndependence:
    @pytest.mark.specification("001 §1 confidence", "001 §5.2 corroboration")
    def test_another_kind_of_source(self):
        assert independent_sources(KEPT, [text("retry 3 times", "b.md:1-9", kind="local")]) == ("local:billing",)

    def test_another_project(self):
        assert independent_sources(KEPT, [text("retry 3 times", "b.md:1-9", project="auth")]) == ("vector:auth",)

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_the_same_kind_in_the_same_project_is_not(self):
        assert independent_sources(KEPT, [text("retry 3 times", "b.md:1-9")]) == ()

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_a_copy_is_not(self):
        assert independent_sources(KEPT, [text("retry  three times", "b.md:1-9", project="auth")]) == ()

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_the_same_lines_are_one_source_whoever_found_them(self):
        assert independent_sources(KEPT, [text("three times", "a.md:5-14", kind="local")]) == ()  # 6 of 10 lines
        assert independent_sources(KEPT, [text("three times", "a.md:6-15", kind="local")]) == ("local:billing",)

    def test_what_the_graph_read_there_is_the_same_source(self):
        read = graph(
            "billing retries", locations=(Location("billing", "b.py", 1, 1), Location("billing", "a.md", 4, 4))
        )
        assert independent_sources(KEPT, [read]) == ()
        assert independent_sources(read, [KEPT]) == ()

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_each_kind_and_project_once(self):
        others = [text(f"retry {n} times", f"{n}.md:1-9", project="auth") for n in range(3)]
        assert independent_sources(KEPT, others) == ("vector:auth",)

    def test_two_that_are_one_source_speak_once_and_the_first_for_both(self):
        first = text("auth retries", "r.md:1-9", kind="vector", project="auth")
        again = text("auth retries", "r.md:1-9", kind="local", project="auth")
        assert independent_sources(KEPT, [first, again]) == ("vector:auth",)
        assert independent_sources(KEPT, [again, first]) == ("local:auth",)

    def test_what_was_heard_before_stays_and_the_list_is_sorted(self):
        heard = text("x", "a.md:1-10", corroborated_by=("vector:zoo",))
        others = [text("y", "b.md:1-2", project="crm"), text("z", "c.md:1-2", project="auth")]
        assert independent_sources(heard, others) == ("vector:auth", "vector:crm", "vector:zoo")

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_without_a_project_the_kind_speaks(self):
        assert independent_sources(KEPT, [text("y", "b.md", kind="local", project=None)]) == ("local",)
        kept = text("x", "a.md", kind="local", project=None)
        assert independent_sources(kept, [text("y", "b.md", kind="local", project=None)]) == ()


def test_same_source_needs_text_or_lines():
    assert KEPT in Heard(KEPT)
    assert text("b") not in Heard(text("a"))
    assert text("other", "b.md:1-10") not in Heard(KEPT)


class TestRelations:
    CALLS = Relationship(Entity("A", project="billing"), "CALLS", Entity("B", project="auth"), "billing", "a.md", (4,))

    def read_at(self, line, **fields):
        at = (Location("billing", "a.md", line, line),)
        return graph("A calls B", relationships=(self.CALLS,), **{"locations": at, **fields})

    @pytest.mark.specification("001 §5.2 corroboration", "001 §2.3 full parallel")
    @pytest.mark.specification("001 §1 confidence", "001 §9 quality")
    def test_a_relation_proven_inside_the_lines_corroborates_them(self):
        relation = self.read_at(4)
        found = corroborated_by_relations([KEPT, text("of ours", "a.md:3-5", kind="local"), relation])
        assert [one.corroborated_by for one in found] == [("graph:billing",), ("graph:billing",), ()]

    def test_one_in_other_lines_or_another_file_does_not(self):
        elsewhere = self.read_at(4, locations=(Location("auth", "a.md", 4, 4), Location("billing", "b.md", 4, 4)))
        assert corroborated_by_relations([KEPT, self.read_at(11), elsewhere])[0] == KEPT

    def test_an_entity_is_no_relation(self):
        assert corroborated_by_relations([KEPT, graph("A", locations=(Location("billing", "a.md", 4, 4),))])[0] == KEPT

    def test_several_count_once_beside_who_was_heard(self):
        heard = text("x", "a.md:1-10", corroborated_by=("vector:zoo",))
        assert corroborated_by_relations([heard, self.read_at(4), self.read_at(5)])[0].corroborated_by == (
            "graph:billing",
            "vector:zoo",
        )
