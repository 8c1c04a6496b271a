"""An event loop whose time jumps to the next timer: deadlines can be replayed and tested without waiting for them."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any

__all__ = ["VirtualTimeLoop"]


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Time passes only when nothing is left to do, and then at once. Not for work in threads or on the network.

    `anyio.run(main, backend_options={"loop_factory": VirtualTimeLoop})`; anyio's deadlines and sleeps follow it.
    """

    def __init__(self) -> None:
        self._passed = 0.0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self._passed

    def jump(self, seconds: float) -> None:
        """Let that much time pass."""
        self._passed += seconds


class _JumpingSelector(selectors.DefaultSelector):
    """Instead of waiting for a timer, it makes the time of the timer come; it waits only when there is none."""

    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, Any]]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout:
            self._loop.jump(timeout)
        return ready
