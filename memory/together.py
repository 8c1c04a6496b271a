"""Several pieces of work at the same time: errors come out as they are, what several ask for is done once, and beyond
so many at once there is a queue, and a clear refusal for the rest. What belongs to an event loop is kept by loop.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import anyio

from memory.errors import BusyError, HybridRetrievalError

_Key = TypeVar("_Key", bound=Hashable)
_Result = TypeVar("_Result")
_Thing = TypeVar("_Thing")


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


@asynccontextmanager
async def ahead(
    works: Sequence[Callable[[], Coroutine[Any, Any, _Result]]], at_once: int
) -> AsyncIterator[AsyncIterator[_Result]]:
    """The results in the order of the works, of which so many run at once: the one that is asked for and those after
    it.

    Where one fails, or whoever asks for them, the others are ended. Raises that error, whatever it is.
    """
    results: dict[int, _Result] = {}
    ended = [anyio.Event() for _ in works]

    async def run(number: int) -> None:
        results[number] = await works[number]()
        ended[number].set()

    async def in_order() -> AsyncIterator[_Result]:
        started = 0
        for number in range(len(works)):
            while started < min(number + at_once, len(works)):
                group.start_soon(run, started)
                started += 1
            await ended[number].wait()
            yield results.pop(number)

    try:
        async with anyio.create_task_group() as group:
            yield in_order()
    except BaseExceptionGroup as failed:
        raise _first(failed.subgroup(HybridRetrievalError) or failed) from failed


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    one = group.exceptions[0]
    return _first(one) if isinstance(one, BaseExceptionGroup) else one


@dataclass(eq=False)
class _Running(Generic[_Result]):
    ended: anyio.Event = field(default_factory=anyio.Event)
    results: list[_Result] = field(default_factory=list)


class SharedWork(Generic[_Key, _Result]):
    """Whoever asks first works, whoever asks meanwhile waits for that; nothing is kept once it is done.

    Where the first fails or is cancelled, the next of those who waited works: a deadline of one costs the others
    nothing.
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


class PerLoop(Generic[_Result]):
    """One for each event loop, made with its first use there: connections and tasks belong to the loop they were made
    in. That of a loop that is closed is forgotten.
    """

    def __init__(self, make: Callable[[], _Result]) -> None:
        self._make = make
        self._by_loop: dict[asyncio.AbstractEventLoop, _Result] = {}

    def get(self) -> _Result:
        """That of the running loop."""
        self._forget_closed()
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            self._by_loop[loop] = self._make()
        return self._by_loop[loop]

    def take(self) -> _Result | None:
        """That of the running loop, if there is one, which is forgotten: the next use makes another."""
        self._forget_closed()
        return self._by_loop.pop(asyncio.get_running_loop(), None)

    def all(self) -> list[tuple[asyncio.AbstractEventLoop, _Result]]:
        """Each with its loop."""
        return list(self._by_loop.items())

    def _forget_closed(self) -> None:
        for loop in [loop for loop in list(self._by_loop) if loop.is_closed()]:
            self._by_loop.pop(loop, None)


class AsyncLRUCache(Generic[_Result]):
    """A bounded memory. `hits` and `misses` count since it was made; with `largest` 0 nothing is kept."""

    def __init__(self, largest: int) -> None:
        self.hits = 0
        self.misses = 0
        self._largest = largest
        self._kept: OrderedDict[Hashable, _Result] = OrderedDict()
        self._under_way: SharedWork[Hashable, _Result] = SharedWork()

    @property
    def kept(self) -> int:
        """How many results are remembered now."""
        return len(self._kept)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a result is remembered now."""
        return key in self._kept

    async def get(
        self, key: Hashable, make: Callable[[], Awaitable[_Result]], *, keep: Callable[[_Result], bool] = lambda _: True
    ) -> _Result:
        """What is remembered under `key`, else what `make` gives, remembered if `keep` says so; whoever asks meanwhile
        gets it too.

        Raises what `make` raises; then whoever waited tries again.
        """
        if key in self._kept:
            self.hits += 1
            self._kept.move_to_end(key)
            return self._kept[key]
        own = list[_Result]()

        async def work() -> _Result:
            self.misses += 1
            own.append(value := await make())
            if keep(value):
                self._kept[key] = value
                while len(self._kept) > self._largest:
                    self._kept.popitem(last=False)
            return value

        value = await self._under_way.do(key, work)
        self.hits += not own
        return value


class Places:
    """Bounds how many are answered at once, and how many wait for that, in the order they came.

    Beyond its capacity a process that takes everything answers nothing in time.

    Args:
        running: how many at once; math.inf for any number.
        waiting: how many more may wait; 0: none.
    """

    def __init__(self, running: float, waiting: int) -> None:
        self._running = anyio.CapacityLimiter(running)
        self._waiting = waiting

    @property
    def is_shared(self) -> bool:
        """Whether more than one has a place, where their number is bounded: what they wait for is each other."""
        return self._running.borrowed_tokens > 1 and math.isfinite(self._running.total_tokens)

    @asynccontextmanager
    async def place(self, within: float = math.inf) -> AsyncIterator[None]:
        """A place for the time of the block.

        Args:
            within: seconds that it may be waited for.

        Raises:
            BusyError: as many wait as may, or none became free in that time.
        """
        if self._running.available_tokens < 1 and self._running.statistics().tasks_waiting >= self._waiting:
            raise BusyError(f"{self._waiting} wait already.")
        holder = object()
        with anyio.move_on_after(within) as limit:
            await self._running.acquire_on_behalf_of(holder)
        if limit.cancelled_caught:
            raise BusyError(f"no place became free within {within:.3g} s.")
        try:
            yield
        finally:
            self._running.release_on_behalf_of(holder)


def batches(things: Sequence[_Thing], size: int) -> Iterator[Sequence[_Thing]]:
    """In their order, so many at once; fewer in the last batch."""
    return (things[start : start + size] for start in range(0, len(things), size))


def lots(things: Iterable[_Thing], size: Callable[[_Thing], int], enough: int) -> Iterator[list[_Thing]]:
    """In their order, as many at once as come to `enough`; fewer in the last lot."""
    lot: list[_Thing] = []
    held = 0
    for thing in things:
        lot.append(thing)
        held += size(thing)
        if held >= enough:
            yield lot
            lot, held = [], 0
    if lot:
        yield lot
