from __future__ import annotations

from dataclasses import replace

import pytest

from agents.evidence.budget import tokens, within_budget
from tests.agents.evidence.making import item


def of(rank, length, path="src/a.py"):
    return item(path, start=rank * 10, end=rank * 10 + 1, rank=rank, text="x" * length)


def test_a_token_is_three_bytes_begun():
    assert [tokens(text) for text in ("", "abc", "abcd", "日本", "\ud800")] == [0, 1, 2, 2, 1]


@pytest.mark.specification("000 §12 budget")
def test_what_does_not_fit_is_left_out_and_what_follows_may_fit():
    pieces = [of(1, 30), of(2, 60), of(3, 15)]  # 10, 20 and 5 tokens
    assert [one.rank for one in within_budget(pieces, 15)] == [1, 3]
    assert [one.rank for one in within_budget(pieces, 35)] == [1, 2, 3]
    assert [one.rank for one in within_budget(pieces, 34)] == [1, 2]
    assert within_budget(pieces, 4) == []
    assert within_budget(pieces, 0) == pieces


def wide(rank, length, window):
    plain = of(rank, length)
    return replace(plain, start_line=1, end_line=90, text="x" * window)


def test_a_window_goes_before_a_piece_does():
    first, second = wide(1, 30, 90), wide(2, 30, 60)  # 10 tokens each, 20 and 10 more with their windows
    assert within_budget([first, second], 50) == [first, second]
    assert within_budget([first, second], 49) == [first, of(2, 30)]
    assert within_budget([first, second], 39) == [of(1, 30), second]
    assert within_budget([first, second], 29) == [of(1, 30), of(2, 30)]
    assert within_budget([first, second], 19) == [of(1, 30)]
