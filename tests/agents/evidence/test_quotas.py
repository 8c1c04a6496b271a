from __future__ import annotations

import pytest

from agents.evidence.quotas import needed, with_quotas
from tests.agents.evidence.making import items


def pool(pattern):
    """Candidates in rank order: c a piece of code, d of a document."""
    return items(*(f"{n}.{'py' if letter == 'c' else 'md'}" for n, letter in enumerate(pattern)))


def chosen(pattern, top_k, share=0.3):
    mix = with_quotas(pool(pattern), top_k, share)
    return [one.rank for one in mix.items], mix.missing


@pytest.mark.specification("000 §8.2 quota")
def test_thirty_percent_rounded_up():
    assert [needed(top_k, 0.3) for top_k in (5, 10, 12, 20, 30)] == [2, 3, 4, 6, 9]  # 1.5 3 3.6 6 9
    assert needed(12, 0.0) == 0


@pytest.mark.specification("000 §8.2 quota", "000 §2 complementarity")
def test_the_best_of_each_corpus_then_whichever_ranks_higher():
    #                    1234567890
    assert chosen("ddddddddcc", 5) == ([1, 2, 3, 9, 10], {})
    assert chosen("ccccccccdd", 5) == ([1, 2, 3, 9, 10], {})
    assert chosen("dcdcdcdcdc", 5) == ([1, 2, 3, 4, 5], {})
    assert chosen("ddddddcddc", 10) == (list(range(1, 11)), {"code": 1})


@pytest.mark.specification("000 §8.2 quota")
def test_where_the_pool_runs_short_it_is_filled_up_and_said():
    assert chosen("dddddddd", 5) == ([1, 2, 3, 4, 5], {"code": 2})
    assert chosen("ddddc", 10) == ([1, 2, 3, 4, 5], {"code": 2})
    assert chosen("", 5) == ([], {"code": 2, "docs": 2})


def test_without_shares_the_ranks_alone():
    assert chosen("ddddddddcc", 5, 0.0) == ([1, 2, 3, 4, 5], {})


def test_half_each_leaves_nothing_free():
    assert chosen("dddddddccccc", 6, 0.5) == ([1, 2, 3, 8, 9, 10], {})
    assert chosen("dddddddccccc", 5, 0.5) == ([1, 2, 3, 8, 9], {})
