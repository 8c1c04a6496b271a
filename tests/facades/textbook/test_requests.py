from __future__ import annotations

import pytest

from facades.textbook.requests import is_count, wrong_query, wrong_request
from facades.textbook.responses import EMPTY_QUERY, INVALID_K, TOO_LONG


@pytest.mark.parametrize("query", ["", "  \n\t", "\x00\x07", None, 42, ["q"]])
def test_what_says_nothing_is_empty(query):
    assert wrong_query(query, 10) is EMPTY_QUERY


@pytest.mark.parametrize(("query", "wrong"), [("x" * 10, None), ("x" * 11, TOO_LONG), (" " * 11, TOO_LONG)])
def test_the_limit_is_taken_as_it_stands(query, wrong):
    assert wrong_query(query, 10) is wrong


@pytest.mark.parametrize(
    ("k", "wrong"),
    [
        *((k, None) for k in (1, 5, 100)),
        *((k, INVALID_K) for k in (0, -1, 101, 2.0, "5", None, True)),
    ],
)
def test_k_is_a_whole_number_from_1_to_100(k, wrong):
    assert wrong_request("q", k, 10) is wrong


def test_the_question_is_looked_at_first():
    assert wrong_request("", 0, 10) is EMPTY_QUERY


def test_a_search_alone_has_no_largest_k():
    assert [is_count(k) for k in (1, 1000, 0, False)] == [True, True, False, False]
