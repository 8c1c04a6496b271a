"""Foreign calls that cannot hold up a run: each in a task of its own, which is given up when it does not stop in time.

A task group waits for its children, whatever they do with their cancellation. So a call that may shield itself from it,
or swallow it, is none of a group's children (docs/decisions/0043-agents-that-do-not-stop.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import anyio

from memory.attempt import LATE, Attempt, attempt
from orchestrator.logbook import log_warning

NEVER_STOPPED: Final = f"{LATE}, nor stop when it was cancelled"

STOPS_WITHIN: Final = 0.05
"""Seconds a call gets to clean up after its cancellation."""

ENDS_WITHIN: Final = 1.0
"""Seconds that closing waits for what had not stopped."""


class Strays:
    """The calls that were given up and still run, of any number of runs; `close` ends them."""

    def __init__(self) -> None:
        self._tasks: dict[asyncio.Task[Attempt], str] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, task: asyncio.Task[Attempt], name: str) -> None:
        """Keep track of a task that was cancelled and runs on; the event loop's own end does not wait for it."""
        self._tasks[task] = name
        task.add_done_callback(lambda ended: self._tasks.pop(ended, None))
        asyncio._unregister_task(task)  # noqa: SLF001 - documented for who schedules tasks: asyncio.run waits for the others
        log_warning("a call did not stop when its time was over", call=name)

    async def close(self) -> None:
        """Cancel once more what runs on, and wait for it a second; what even then does not end is logged and left."""
        loop = asyncio.get_running_loop()
        tasks = [task for task in self._tasks if task.get_loop() is loop]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=ENDS_WITHIN)
        for task in tasks:
            if not task.done():
                log_warning("a call still runs at the end", call=self._tasks[task])


class Leash:
    """Makes the calls into one agent of one run. `slipped`: one of them did not stop, and was given up to `strays`."""

    def __init__(self, name: str, strays: Strays) -> None:
        self._name = name
        self._strays = strays
        self.slipped = False

    async def attempt(self, call: Callable[[], Any], deadline: float = math.inf) -> Attempt:
        """`attempt` that ends `STOPS_WITHIN` seconds after the deadline, or after its caller was cancelled, at
        the latest. The call is cancelled by its task and once, which a shield of anyio's does not keep off.
        """
        task = asyncio.create_task(attempt(call), name=self._name)
        try:
            await _ended(task, deadline)
        finally:
            late = not task.done()
            if late:
                await self._stop(task)
        if not task.done():
            return Attempt("timeout", reason=NEVER_STOPPED)
        if task.cancelled():
            return Attempt("timeout", reason=LATE)
        done = task.result()
        return replace(done, status="timeout") if late and done.status == "error" else done

    async def _stop(self, task: asyncio.Task[Attempt]) -> None:
        task.cancel()
        try:
            with anyio.CancelScope(shield=True):
                await _ended(task, anyio.current_time() + STOPS_WITHIN)
        finally:
            if not task.done():
                self.slipped = True
                self._strays.add(task, self._name)


async def _ended(task: asyncio.Task[Attempt], until: float) -> None:
    """Wait for the task until then, on the event loop's clock."""
    timeout = None if until == math.inf else max(0.0, until - anyio.current_time())
    await asyncio.wait([task], timeout=timeout)
