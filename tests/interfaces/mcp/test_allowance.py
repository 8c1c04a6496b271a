"""An allowance is used up, and comes back with time."""

from __future__ import annotations

import pytest

from interfaces.mcp.allowance import Allowance


def test_it_is_used_up_and_comes_back():
    allowance = Allowance(3, now=100.0)
    assert [allowance.take(100.0) for _ in range(3)] == [0.0] * 3
    assert allowance.take(100.0) == pytest.approx(20.0)
    assert allowance.take(115.0) == pytest.approx(5.0)
    assert allowance.take(121.0) == 0.0
    assert allowance.take(121.0) == pytest.approx(19.0)


def test_it_never_holds_more_than_a_minute_of_it():
    allowance = Allowance(2, now=0.0)
    assert [allowance.take(3_600.0) for _ in range(3)] == [0.0, 0.0, pytest.approx(30.0)]
