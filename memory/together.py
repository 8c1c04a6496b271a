"""Several pieces of work at the same time, whose errors come out as they are and not in a group."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import anyio

from memory.errors import HybridRetrievalError

__all__ = ["together"]


async def together(works: Iterable[Callable[[], Coroutine[Any, Any, object]]]) -> None:
    """Run all; the first that fails ends the others. Raises its error, where it is one of ours (`memory.errors`)."""
    try:
        async with anyio.create_task_group() as group:
            for work in works:
                group.start_soon(work)
    except BaseExceptionGroup as failed:
        ours = failed.subgroup(HybridRetrievalError)
        if ours is None:
            raise
        raise _first(ours) from failed


def _first(group: BaseExceptionGroup[HybridRetrievalError]) -> HybridRetrievalError:
    one = group.exceptions[0]
    return _first(one) if isinstance(one, BaseExceptionGroup) else one
