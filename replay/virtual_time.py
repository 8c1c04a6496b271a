"""An event loop whose time jumps to the next timer: deadlines can be replayed and tested without waiting for them."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread

if TYPE_CHECKING:
    from anyio import CapacityLimiter

__all__ = ["VirtualTimeLoop"]

_PATIENCE: Final = 5.0
"""Real seconds that a worker thread is waited for before time passes all the same."""


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Time passes only when nothing is left to do, and then at once. Work in anyio's worker threads takes none of it; work
    on the network is not for this loop.

    `anyio.run(main, backend_options={"loop_factory": VirtualTimeLoop})`; anyio's deadlines and sleeps follow it.
    """

    def __init__(self) -> None:
        self._passed = 0.0
        self._threads: CapacityLimiter | None = None
        self._started = False
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self._passed

    def jump(self, seconds: float) -> None:
        """Let that much time pass."""
        self._passed += seconds

    @property
    def awaits_thread(self) -> bool:
        """Whether a worker thread is at work for somebody who waits for it."""
        return self._threads is not None and self._threads.borrowed_tokens > 0

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        if not self._started:  # anyio tells its threads only to a task
            self._started = True
            coro = self._knowing_threads(coro)
        return super().create_task(coro, **options)

    async def _knowing_threads(self, coro: Coroutine[Any, Any, Any]) -> Any:
        self._threads = anyio.to_thread.current_default_thread_limiter()
        return await coro


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting for a timer, it makes the time of the timer come; it waits only when there is none."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, Any]]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout and self._loop.awaits_thread:
            ready = super().select(_PATIENCE)
        if not ready and timeout:
            self._loop.jump(timeout)
        return ready
