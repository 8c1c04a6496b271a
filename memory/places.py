"""`Places`: so many at once, so many more in a queue, and a clear refusal for the rest."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from memory.errors import BusyError

__all__ = ["Places"]


class Places:
    """Bounds how many are answered at once, and how many wait for that, in the order they came.

    Beyond its capacity a process that takes everything answers nothing in time.

    Args:
        running: how many at once; math.inf for any number.
        waiting: how many more may wait; 0: none.
    """

    def __init__(self, running: float, waiting: int) -> None:
        self._running = anyio.CapacityLimiter(running)
        self._waiting = waiting

    @property
    def is_shared(self) -> bool:
        """Whether more than one has a place, where their number is bounded: what they wait for is each other."""
        return self._running.borrowed_tokens > 1 and math.isfinite(self._running.total_tokens)

    @asynccontextmanager
    async def place(self, within: float = math.inf) -> AsyncIterator[None]:
        """A place for the time of the block.

        Args:
            within: seconds that it may be waited for.

        Raises:
            BusyError: as many wait as may, or none became free in that time.
        """
        if self._running.available_tokens < 1 and self._running.statistics().tasks_waiting >= self._waiting:
            raise BusyError(f"{self._waiting} wait already.")
        holder = object()
        with anyio.move_on_after(within) as limit:
            await self._running.acquire_on_behalf_of(holder)
        if limit.cancelled_caught:
            raise BusyError(f"no place became free within {within:.3g} s.")
        try:
            yield
        finally:
            self._running.release_on_behalf_of(holder)
