from __future__ import annotations

from memory.vector import Hit
from memory.vector.ties import MARGIN, WIDEST, Rounds, cut, ranked, rounded, settled, wider
from tests.contracts.vector_store import make_chunk


def hits(*scores):
    return ranked([Hit(make_chunk(start=number), score) for number, score in enumerate(scores)])


def scores(found):
    return [hit.score for hit in found]


def test_rounding_makes_last_bits_equal_and_zero_positive():
    assert rounded(0.30000001) == rounded(0.29999999) == 0.3
    assert str(rounded(-0.0000001)) == "0.0"


def test_equal_scores_stand_by_id():
    tied = hits(0.5, 0.5, 0.5, 0.9)
    assert scores(tied) == [0.9, 0.5, 0.5, 0.5]
    assert [hit.chunk.id for hit in tied[1:]] == sorted(hit.chunk.id for hit in tied[1:])


def test_a_list_that_is_not_full_is_settled_even_in_one_great_tie():
    tied = hits(0.5, 0.5, 0.5)
    assert settled(tied, 2, 4)
    assert cut(tied, 2, 4) == tied[:2]


def test_a_full_list_is_settled_when_its_end_is_below_the_limit_s_score():
    full = hits(0.9, 0.5, 0.5, 0.4)  # asked for 4: what is unseen scores at most 0.4
    assert settled(full, 2, 4)
    assert settled(full, 3, 4)
    assert not settled(full, 4, 4)
    assert scores(cut(full, 2, 4)) == [0.9, 0.5]


def test_a_tie_that_may_go_on_is_dropped_as_long_as_something_stands_above_it():
    full = hits(0.9, 0.5, 0.5, 0.5)
    assert not settled(full, 2, 4)
    assert scores(cut(full, 2, 4)) == [0.9]


def test_where_everything_ties_something_is_left():
    full = hits(0.5, 0.5, 0.5, 0.5)
    assert scores(cut(full, 2, 4)) == [0.5, 0.5]


def test_a_limit_of_nothing_needs_no_second_look():
    assert settled(hits(0.5), 0, 1)
    assert cut(hits(0.5), 0, 1) == []


def test_asking_wider_ends():
    assert wider(1, 9) == 72
    assert wider(10, WIDEST) is None
    assert wider(WIDEST * 2, WIDEST * 2 + MARGIN) == 8 * (WIDEST * 2 + MARGIN)
    assert wider(WIDEST * 2, 8 * (WIDEST * 2 + MARGIN)) is None


def test_rounds_ask_again_and_wider_for_what_is_not_settled():
    rounds = Rounds({0: 2, 1: 2})
    assert rounds.asked == {0: 2 + MARGIN, 1: 2 + MARGIN}
    tied = hits(*[0.5] * (2 + MARGIN))
    rounds.take([hits(0.9, 0.5), tied])
    assert rounds.asked == {1: 8 * (2 + MARGIN)}
    assert scores(rounds.results[0]) == [0.9, 0.5]
    rounds.take([[*hits(0.9), *tied]])
    assert rounds.asked == {}
    assert scores(rounds.results[1]) == [0.9, 0.5]
