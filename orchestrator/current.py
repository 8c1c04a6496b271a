"""`Current`: what is open on the current generation, anew when another is published (docs/design.md#generations)."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import anyio

from memory.attempt import attempt
from memory.errors import UnavailableError
from orchestrator.logbook import log_warning

if TYPE_CHECKING:
    from anyio.abc import TaskGroup, TaskStatus

    from memory.generation import DataFolder, Pointer

T = TypeVar("T")
LONGEST: Final = 60.0
"""Seconds that opening may take, or closing: stores and models from a cold disk."""


@dataclass(slots=True)
class _Held(Generic[T]):
    """One generation that is open. Retired: no new request gets it, and it is closed once the last user is done."""

    version: object
    one: T
    users: int = 0
    retired: bool = False
    stirred: anyio.Event = field(default_factory=anyio.Event)
    closed: anyio.Event = field(default_factory=anyio.Event)

    def change(self, users: int = 0, *, retire: bool = False) -> None:
        self.users += users
        self.retired = self.retired or retire
        self.stirred.set()

    async def until_let_go(self, keep_open: float) -> None:
        """Returns when it is retired and unused; it retires itself when it was not used for `keep_open` seconds."""
        while self.users or not self.retired:
            self.stirred = anyio.Event()
            with anyio.move_on_after(math.inf if self.users else keep_open) as waiting:
                await self.stirred.wait()
            self.retired = self.retired or waiting.cancelled_caught


class Lease(Generic[T]):
    """The right to use `one` until `end`, which may be called from any task, and again."""

    def __init__(self, held: _Held[T]) -> None:
        self.one = held.one
        self._held: _Held[T] | None = held
        held.change(+1)

    def end(self) -> None:
        if self._held is not None:
            self._held.change(-1)
            self._held = None


@asynccontextmanager
async def leased(take: Callable[[], Awaitable[Lease[T]]]) -> AsyncIterator[T]:
    lease = await take()
    try:
        yield lease.one
    finally:
        lease.end()


class Current(Generic[T]):
    """Opens with the first `use`, and again between two uses when `version` says that another generation is current.

    Each is opened and closed in a task of `group`, so that whoever asked first may be cancelled. A use that is under
    way keeps its own generation. keep_open: seconds after which an unused one is let go of.
    """

    def __init__(
        self,
        version: Callable[[], object],
        open_one: Callable[[], AbstractAsyncContextManager[T]],
        group: TaskGroup,
        *,
        keep_open: float,
    ) -> None:
        self._version = version
        self._open = open_one
        self._group = group
        self._keep_open = keep_open
        self._held: _Held[T] | None = None
        self._opening = anyio.Lock()

    async def lease(self) -> Lease[T]:
        """What is open, until the lease ends. Raises what `version` and opening raise, UnavailableError when late."""
        async with self._opening:
            return Lease(await self._newest())

    def use(self) -> AbstractAsyncContextManager[T]:
        """What is open, for the time of the block. Raises as `lease` does."""
        return leased(self.lease)

    def let_go(self) -> None:
        """Close it once it is unused; the next use opens it again."""
        if self._held is not None:
            self._held.change(retire=True)
            self._held = None

    async def close(self) -> None:
        """As `let_go`, and wait until it is closed, unless somebody uses it."""
        held = self._held
        self.let_go()
        if held is not None and not held.users:
            with anyio.move_on_after(LONGEST):
                await held.closed.wait()

    async def _newest(self) -> _Held[T]:
        version = self._version()
        if self._held is None or self._held.retired or self._held.version != version:
            self.let_go()
            with anyio.move_on_after(LONGEST) as waiting:
                self._held = await self._group.start(self._hold, version)
            if waiting.cancelled_caught or self._held is None:
                raise UnavailableError("The index could not be opened in time.", "Run the doctor.")
        return self._held

    async def _hold(self, version: object, *, task_status: TaskStatus[_Held[T]]) -> None:
        opened: list[_Held[T]] = []

        async def keep() -> None:
            async with self._open() as one:
                held = _Held(version, one)
                opened.append(held)
                task_status.started(held)
                await held.until_let_go(self._keep_open)

        done = await attempt(keep)
        for held in opened:
            held.retired = True
            held.closed.set()
        if done.error is None:
            return
        if not opened:
            raise done.error
        log_warning("an index could not be closed", error=type(done.error).__name__)


class Newer(Current[T]):
    """What is open on a later generation than `own`, the one that its holder was opened on and keeps."""

    def __init__(
        self, own: Pointer, folder: DataFolder, open_one: Callable[[], AbstractAsyncContextManager[T]], group: TaskGroup
    ) -> None:
        super().__init__(lambda: folder.pointer, open_one, group, keep_open=math.inf)
        self._own = own
        self._folder = folder

    @property
    def is_there(self) -> bool:
        """Whether there is a later one. Raises DataFolderError."""
        return self._folder.pointer != self._own

    @property
    def projects(self) -> frozenset[str]:
        """What is indexed now. Raises DataFolderError."""
        with self._folder.reading() as generation:
            return generation.manifest.names
