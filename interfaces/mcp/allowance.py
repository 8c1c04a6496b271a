"""How many requests a minute somebody may send: an allowance that refills as time passes."""

from __future__ import annotations

__all__ = ["Allowance"]


class Allowance:
    """A token bucket that is full at first.

    Args:
        per_minute: how many requests it holds, and how many come back in a minute.
        now: seconds on a clock that never runs backwards, here and in `take`.
    """

    def __init__(self, per_minute: int, now: float) -> None:
        self._per_minute = per_minute
        self._left = float(per_minute)
        self._at = now

    def take(self, now: float) -> float:
        """Take one request. Returns 0, or without taking one the seconds until there is one again."""
        self._left = min(self._left + (now - self._at) * self._per_minute / 60, float(self._per_minute))
        self._at = now
        if self._left < 1:
            return (1 - self._left) * 60 / self._per_minute
        self._left -= 1
        return 0.0
