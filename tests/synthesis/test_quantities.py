from __future__ import annotations

import pytest

from synthesis.quantities import misnumbered


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("waits 1.5 seconds", "LOCK_TIMEOUT_MS = 1500"),  # 1.5 * 1 s = 1500 * 0.001 s
        ("waits 20 minutes", "LOCKOUT = timedelta(minutes=20)"),
        ("waits 12 seconds", "RELAY_TIMEOUT = 12.0"),  # a bare number is in the base unit
        ("two weeks", "after 14 days"),  # 2 * 604,800 s = 14 * 86,400 s
        ("three attempts", "ATTEMPTS = 3"),
        ("10,000 writes", "SEALED = 10_000"),
        ("one of them", "none at all"),
        ("it is [0ma word", ""),
    ],
)
def test_the_same_amount(claim, lines):
    assert misnumbered(claim, lines) is None


@pytest.mark.parametrize(
    ("claim", "lines", "said"),
    [
        ("waits 12 minutes", "RELAY_TIMEOUT = 12.0", "12 minutes"),
        ("waits 20 hours", "timedelta(minutes=20)", "20 hours"),
        ("waits 3 MB", "after 3 seconds", "3 mb"),
        ("six attempts", "ATTEMPTS = 3", "six"),
        ("it is number 7", "number 17", "7"),
    ],
)
def test_another_amount(claim, lines, said):
    assert misnumbered(claim, lines) == f"the cited lines do not say {said}"


def test_how_many_sources_there_are_is_said_by_none_of_them():
    assert misnumbered("The two keys differ", "", sources=2) is None
    assert misnumbered("The two keys differ", "", sources=1) == "the cited lines do not say two"
