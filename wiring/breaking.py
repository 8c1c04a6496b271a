"""A circuit breaker for a store on a server: who is known to be dead is not asked again by every question.

Closed, calls go through; after `FAILURES` in a row that failed it opens, and calls are refused at once for `PAUSE`
seconds; then one call is let through to see, and closes or opens it anew. After Nygard, Release It! (2007), ch. 5.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final, TypeVar, cast

import anyio

from configs.settings import GraphSettings, VectorSettings
from memory.clock import Clock, SystemClock
from memory.errors import StoreError
from memory.text.output import without_credentials

T = TypeVar("T")
FAILURES: Final = 3
PAUSE: Final = 10.0
LATE: Final = 1.0
"""Seconds: a call that its caller gave up after so long was not answered; one given up sooner says nothing of the
store.
"""


class Breaker:
    """The state of one store, shared by all who ask it in this process. name: as messages call it."""

    def __init__(self, name: str, clock: Clock | None = None) -> None:
        self._name = name
        self._clock = clock or SystemClock()
        self._failures = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def is_open(self) -> bool:
        """Whether calls are refused, but for the one that sees whether the store is back."""
        return self._opened_at is not None

    async def call(self, call: Callable[[], Any]) -> Any:
        """What the call returns. Raises what it raises, and StoreError at once while the store is left alone."""
        probe = self._admit()
        began = self._clock.monotonic()
        try:
            answer = await call()
        except StoreError:
            self._failed()
            raise
        except anyio.get_cancelled_exc_class():
            if self._clock.monotonic() - began >= LATE:
                self._failed()
            raise
        else:
            self._failures, self._opened_at = 0, None
            return answer
        finally:
            if probe:
                self._probing = False

    def _admit(self) -> bool:
        """Whether the call is the one that sees; raises StoreError where it may not be made."""
        if self._opened_at is None:
            return False
        if self._probing or self._clock.monotonic() - self._opened_at < PAUSE:
            raise StoreError(
                f"{self._name} failed {FAILURES} calls in a row and is left alone for a while.",
                "See that it runs; it is asked again by itself.",
            )
        self._probing = True
        return True

    def _failed(self) -> None:
        self._failures += 1
        if self._failures >= FAILURES:
            self._opened_at = self._clock.monotonic()


_of_this_process = cache(Breaker)
"""One breaker for each store, by its name."""


def breaker_of(settings: GraphSettings | VectorSettings) -> Breaker | None:
    """That of the server which holds the store, in this process; None for a store in the data folder."""
    if isinstance(settings, GraphSettings):
        name = f"Neo4j at {without_credentials(settings.neo4j.uri)}" if settings.store == "neo4j" else ""
    else:
        name = f"Qdrant at {settings.qdrant.url}" if settings.store == "qdrant" else ""
    return _of_this_process(name) if name else None


def behind(breaker: Breaker | None, store: T) -> T:
    """An open store behind its breaker, if it has one."""
    if breaker is None:
        return store

    async def opening() -> T:
        return store

    return cast("T", Guarded(breaker, opening, store))


async def opened_behind(breaker: Breaker | None, opening: Callable[[], Awaitable[T]]) -> T:
    """The store, behind its breaker if it has one; then a server that cannot be reached now is opened with the first
    call that reaches it: the others answer meanwhile. Raises what opening raises beside StoreError.
    """
    if breaker is None:
        return await opening()
    store = Guarded(breaker, opening)
    with suppress(StoreError):
        await store.open()
    return cast("T", store)


class Guarded:
    """A store that is opened with the first call of its port. Opening it, and every call, goes through its breaker, if
    it has one.
    """

    def __init__(self, breaker: Breaker | None, opening: Callable[[], Awaitable[Any]], store: Any = None) -> None:
        self._call = breaker.call if breaker else _at_once
        self._opening = opening
        self._store = store
        self._lock = anyio.Lock()

    async def open(self) -> Any:
        if self._store is None:
            async with self._lock:
                if self._store is None:
                    self._store = await self._call(self._opening)
        return self._store

    async def close(self) -> None:
        """Let go of it, if it was ever reached."""
        if self._store is not None:
            await self._store.close()

    def __getattr__(self, name: str) -> Any:
        if self._store is None and not name.startswith("_"):
            return partial(self._through, name)
        found = getattr(self._store, name)
        return partial(self._through, name) if inspect.iscoroutinefunction(found) else found

    async def _through(self, name: str, *arguments: Any, **named: Any) -> Any:
        store = await self.open()
        return await self._call(partial(getattr(store, name), *arguments, **named))


async def _at_once(call: Callable[[], Any]) -> Any:
    return await call()
