"""`EventStream`: a question's events while it is answered, by `async for`, inside `async with` or without."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import anyio

from memory.attempt import attempt

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from orchestrator.events import Emit, Event


class EventStream:
    """Runs `work(emit)` in `group` from the first event asked for; what it raises is raised after the last event.

    Leaving the `async with` ends the work. Without one, work whose events no one reads runs until its own deadline.
    """

    def __init__(self, group: TaskGroup, work: Callable[[Emit], Awaitable[Any]]) -> None:
        self._group = group
        self._work = work
        self._cut = anyio.CancelScope()
        self._failure: BaseException | None = None
        self._started = False
        self._send, self._receive = anyio.create_memory_object_stream["Event"](math.inf)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._cut.cancel()
        self._send.close()
        self._receive.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        if not self._started:
            self._started = True
            self._group.start_soon(self._run)
        try:
            return await self._receive.receive()
        except anyio.EndOfStream:
            self._receive.close()
            if self._failure is not None:
                raise self._failure from None
            raise StopAsyncIteration from None

    async def _run(self) -> None:
        with self._cut, self._send:
            done = await attempt(partial(self._work, self._send.send_nowait))
            self._failure = done.error
