"""`RequestRate`: no more requests a minute than the account may make, on a clock of the caller's."""

from __future__ import annotations

from collections import deque

import anyio

from memory.clock import Clock

__all__ = ["RequestRate"]

_MINUTE_S = 60.0


class RequestRate:
    """A sliding window: a request waits until fewer than `per_minute` were let through in the last 60 s. 0: no limit.

    They are let through in the order they came. One who stops waiting takes no place.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._turn = anyio.Lock()
        self._let_through: deque[float] = deque(maxlen=max(1, per_minute))

    async def wait(self) -> None:
        """Until the next request may be made; it counts as made."""
        if self._per_minute < 1:
            return
        async with self._turn:
            if len(self._let_through) == self._per_minute:
                left = self._let_through[0] + _MINUTE_S - self._clock.monotonic()
                if left > 0:
                    await self._clock.sleep(left)
            self._let_through.append(self._clock.monotonic())
