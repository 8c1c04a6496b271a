"""What a tool opens with its first call and keeps open, whichever event loop the calls come from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Final, Generic, TypeVar

import anyio

from memory.errors import UnavailableError
from orchestrator.running.branch import Attempt, attempt

__all__ = ["KeptOpen"]

T = TypeVar("T")

LONGEST: Final = 60.0
"""Seconds that opening may take, or closing: stores and models from a cold disk."""


class KeptOpen(Generic[T]):
    """Opens with the first `get` and keeps it until `close`; in another event loop it is opened anew, since ADK's
    synchronous runner starts one for every question. A loop that ends closes what was opened in it.
    """

    def __init__(self, open_one: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        self._open = open_one
        self._holder: _Holder[T] | None = None

    async def get(self) -> T:
        """What is open; raises what opening raises, and UnavailableError when it takes too long."""
        if self._holder is None or self._holder.loop is not asyncio.get_running_loop():
            self._holder = _Holder(self._open)
        holder = self._holder
        with anyio.move_on_after(LONGEST):
            await holder.settled.wait()
        if holder.failure is not None or not holder.held:
            if self._holder is holder:
                self._holder = None
            raise (holder.failure and holder.failure.error) or UnavailableError(
                "The index could not be opened in time.", "Run the doctor."
            )
        return holder.held[0]

    async def close(self) -> None:
        """Let go of it; the next `get` opens it again, and so sees what was indexed meanwhile."""
        holder, self._holder = self._holder, None
        if holder is not None and holder.loop is asyncio.get_running_loop():
            await holder.close()


class _Holder(Generic[T]):
    """A task that opens, waits and closes: who called first may be gone long before the last, and what was opened in one
    task is not to be closed in another.
    """

    def __init__(self, open_one: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        self.loop = asyncio.get_running_loop()
        self.settled = anyio.Event()
        self.held: list[T] = []
        self.failure: Attempt | None = None
        self._released = anyio.Event()
        # No task group: none of ours lives as long as the agent does. The loop's end cancels the task, which then closes.
        self._task = self.loop.create_task(self._hold(open_one))

    async def _hold(self, open_one: Callable[[], AbstractAsyncContextManager[T]]) -> None:
        done = await attempt(partial(self._opened, open_one))
        if done.status != "ok":
            self.failure = done
        self.settled.set()

    async def _opened(self, open_one: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        async with open_one() as one:
            self.held.append(one)
            self.settled.set()
            await self._released.wait()

    async def close(self) -> None:
        """Returns once it is closed."""
        self._released.set()
        with anyio.move_on_after(LONGEST):
            await asyncio.wait([self._task])
