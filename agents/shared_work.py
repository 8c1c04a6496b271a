"""`SharedWork`: what several ask for at the same moment is done once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio

__all__ = ["SharedWork"]

_Key = TypeVar("_Key", bound=Hashable)
_Result = TypeVar("_Result")


@dataclass(eq=False)
class _Running(Generic[_Result]):
    ended: anyio.Event = field(default_factory=anyio.Event)
    results: list[_Result] = field(default_factory=list)


class SharedWork(Generic[_Key, _Result]):
    """Whoever asks first works, whoever asks meanwhile waits for that; nothing is kept once it is done.

    Where the first fails or is cancelled, the next of those who waited works: a deadline of one costs the others nothing.
    """

    def __init__(self) -> None:
        self._running: dict[_Key, _Running[_Result]] = {}

    async def do(self, key: _Key, work: Callable[[], Awaitable[_Result]]) -> _Result:
        """The work's result. Raises what one's own work raises."""
        while (running := self._running.get(key)) is not None:
            await running.ended.wait()
            if running.results:
                return running.results[0]
        own: _Running[_Result] = _Running()
        self._running[key] = own
        try:
            result = await work()
            own.results.append(result)
            return result
        finally:
            del self._running[key]
            own.ended.set()
