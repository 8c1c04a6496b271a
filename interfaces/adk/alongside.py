"""Work that hands on what it has to say while it goes on, to an async generator's caller."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectSendStream

__all__ = ["alongside"]

T = TypeVar("T")
Work = Callable[[Callable[[T], None]], Coroutine[Any, Any, None]]


async def alongside(*works: Work[T]) -> AsyncGenerator[T, None]:
    """What these works, which raise nothing, hand on while they run at the same time, as it comes.

    Closing the generator ends the works.
    """
    send, receive = anyio.create_memory_object_stream[T](math.inf)
    # A task of its own: a task group must not stay open over a `yield`, since whoever stops reading may leave the
    # generator to be closed by another task.
    task = asyncio.get_running_loop().create_task(_run(works, send))
    try:
        with receive:
            async for one in receive:
                yield one
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _run(works: Sequence[Work[T]], send: MemoryObjectSendStream[T]) -> None:
    with send:
        async with anyio.create_task_group() as group:
            for work in works:
                group.start_soon(work, send.send_nowait)
