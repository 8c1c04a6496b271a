"""What a tool opens with its first call and keeps open, whichever event loop the calls come from."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

import anyio

from interfaces.current import Current, Lease, leased

__all__ = ["KeptOpen"]

T = TypeVar("T")


class KeptOpen(Generic[T]):
    """`Current` without a task group of the caller's: it opens with the first use, anew when `number` says that another
    generation is current, and is let go of with `close`. In another event loop it is opened anew, since ADK's synchronous
    runner starts one for every question; a loop that ends closes what was opened in it.
    """

    def __init__(
        self, open_one: Callable[[], AbstractAsyncContextManager[T]], number: Callable[[], int] = lambda: 0
    ) -> None:
        self._open = open_one
        self._number = number
        self._home: _Home[T] | None = None

    async def lease(self) -> Lease[T]:
        """What is open, until the lease ends; raises what opening raises, and UnavailableError when it takes too long."""
        if self._home is None or self._home.loop is not asyncio.get_running_loop():
            self._home = _Home(self._open, self._number)
        home = self._home
        await home.settled.wait()
        return await home.current.lease()

    def use(self) -> AbstractAsyncContextManager[T]:
        """What is open, for the time of the block; raises as `lease` does."""
        return leased(self.lease)

    async def close(self) -> None:
        """Let go of it: it is closed, or will be by its last user. The next use opens it again."""
        home = self._home
        if home is not None and home.loop is asyncio.get_running_loop():
            await home.settled.wait()
            await home.current.close()


class _Home(Generic[T]):
    """A task of one loop, in which what is opened is also closed: who called first may be gone long before the last."""

    current: Current[T]

    def __init__(self, open_one: Callable[[], AbstractAsyncContextManager[T]], number: Callable[[], int]) -> None:
        self.loop = asyncio.get_running_loop()
        self.settled = anyio.Event()
        # No task group: none of ours lives as long as the agent does. The loop's end cancels the task, which then closes.
        self._task = self.loop.create_task(self._live(open_one, number))

    async def _live(self, open_one: Callable[[], AbstractAsyncContextManager[T]], number: Callable[[], int]) -> None:
        async with anyio.create_task_group() as group:
            self.current = Current(number, open_one, group, keep_open=math.inf)
            self.settled.set()
            await anyio.sleep_forever()
