"""One event loop beside the program, for faces that are synchronous (docs/design.md#facades).

All calls of a process run on it, so that a client's connections live on. It starts with the first call and ends with
the process, whose end it does not hold up.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from typing import Generic, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from memory.attempt import Attempt, attempt
from memory.errors import InvalidInputError
from memory.together import PerLoop

T = TypeVar("T")
_starting = threading.Lock()
_portals: dict[int, BlockingPortal] = {}
"""By process: a forked one has no thread to run the loop of its parent."""


def wait_for(call: Callable[[], Awaitable[T]], *, twin: str) -> T:
    """What the call returns or raises, run on the one loop; an interrupted wait cancels it.

    Raises InvalidInputError inside a running event loop, which it would block: `twin` is what to await there.
    """
    if _inside_a_loop():
        raise InvalidInputError("This call would block the running event loop.", f"Await {twin} instead.")
    portal, work = _portal(), _Work(call)
    try:
        done = portal.start_task_soon(work.run).result()
    except BaseException:
        if not work.ended:  # a signal may come before there is a future to cancel
            portal.start_task_soon(work.give_up)
        raise
    if done.error is not None:  # raised here alone: `sys.exit()` in a call would end the loop of all
        raise done.error
    value: T = done.value
    return value


class _Work(Generic[T]):
    """A call on the loop that the waiting thread may give up at any moment; both methods run on the loop."""

    def __init__(self, call: Callable[[], Awaitable[T]]) -> None:
        self._call = call
        self._scope: anyio.CancelScope | None = None
        self._unwanted = False
        self.ended = False

    async def run(self) -> Attempt:
        """How the call went; CancelledError when it was given up, which no one waits for."""
        with anyio.CancelScope() as self._scope:
            if self._unwanted:
                self._scope.cancel()
            try:
                return await attempt(self._call)
            finally:
                self.ended = True
        raise CancelledError

    def give_up(self) -> None:
        self._unwanted = True
        if self._scope is not None:
            self._scope.cancel()


def _inside_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _portal() -> BlockingPortal:
    with _starting:
        if os.getpid() not in _portals:
            ready: Future[BlockingPortal] = Future()
            threading.Thread(target=anyio.run, args=(_serve, ready), name="contracts portal", daemon=True).start()
            _portals[os.getpid()] = ready.result()
        return _portals[os.getpid()]


async def _serve(ready: Future[BlockingPortal]) -> None:
    async with BlockingPortal() as portal:
        ready.set_result(portal)
        await portal.sleep_until_stopped()


class OncePerLoop(Generic[T]):
    """What is opened at its first use, once in each event loop.

    Calls that come together wait for one opening; one that failed is tried again by the next call.
    """

    def __init__(self, open_: Callable[[], Awaitable[T]]) -> None:
        self._open = open_
        self._openings: PerLoop[_Opening[T]] = PerLoop(_Opening)

    async def __call__(self) -> T:
        """What was opened. Raises what opening raises."""
        opening = self._openings.get()
        async with opening.lock:
            if opening.opened is None:
                opening.opened = await self._open()
            return opening.opened

    def forget(self) -> T | None:
        """What was opened in this loop; the next call opens it anew."""
        opening = self._openings.take()
        return opening.opened if opening is not None else None


class _Opening(Generic[T]):
    def __init__(self) -> None:
        self.lock = anyio.Lock()
        self.opened: T | None = None
