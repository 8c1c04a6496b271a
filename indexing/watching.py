"""Indexed folders as they change on the disk, as the system reports (watchfiles.helpmanual.io/api/watch)."""

from __future__ import annotations

import math
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
from anyio import WouldBlock
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from indexing.discovery import readable_folder
from indexing.sources import IndexRequest
from memory.clock import Clock, SystemClock
from memory.errors import IndexLockedError, NoFolderError, UnavailableError, UnknownProjectError
from memory.generation import ProjectRecord
from memory.imports import brought_by
from memory.together import together

if TYPE_CHECKING:
    from watchfiles import Change

_LOOK_MS: Final = 500
"""How often it is looked whether the folders are those that are watched, and whether the watcher is cancelled."""
_LOCKED_S: Final = 1.0
"""How long to wait for another run on the same data folder before the next look."""

_COMMITS: Final = (".git", "logs", "HEAD")
"""Git writes there what HEAD is from now on (git-reflog)."""


async def changed_paths(folders: Sequence[Path], *, but: Path) -> AsyncIterator[frozenset[Path]]:
    """The files below some folders that were added, changed or removed, many at a time.

    They come when no further one has changed for 50 ms, after 1.6 s at the latest; not those in `but`, nor what
    editors, Git and package managers keep there, but for a commit. A folder in whose place another one was put, and one
    that is there again, changed itself and is watched anew; those that are there are watched meanwhile.

    Raises NotInstalledError where the watcher's package is lacking, InvalidInputError for what is no readable folder,
    and UnavailableError where the system watches no more of them.
    """
    with brought_by("watch", "Watching for changes"):
        from watchfiles import awatch  # noqa: PLC0415 - only for who watches
    watched = [readable_folder(folder) for folder in folders]
    counts = folder_filter(watched, but)
    seen = _identities(watched)
    try:
        while True:
            there = [folder for folder, which in zip(watched, seen, strict=True) if which]
            async with aclosing(
                awatch(*there, watch_filter=counts, rust_timeout=_LOOK_MS, yield_on_timeout=True)
            ) as batches:
                async for changes in batches:
                    if changes:
                        yield frozenset(Path(path) for _, path in changes)
                    now = _identities(watched)
                    if now != seen:
                        break
                else:
                    return
            others = {folder for folder, old, new in zip(watched, seen, now, strict=True) if new and new != old}
            seen = now
            if others:
                yield frozenset(others)
    except OSError as error:
        raise UnavailableError(f"The folders can't be watched: {error}.", "Index without --watch.") from error


def folder_filter(watched: Sequence[Path], but: Path) -> Callable[[Change, str], bool]:
    """Tells what counts by its name below the folder that is watched: what is above that may be called as it likes."""
    from watchfiles import DefaultFilter  # noqa: PLC0415 - as above

    by_name, but = DefaultFilter(), Path(os.path.abspath(but))  # noqa: PTH100 - as the folders are

    def counts(change: Change, path: str) -> bool:
        file = Path(path)
        below = file.relative_to(next((one for one in watched if file.is_relative_to(one)), Path("/")))
        return not file.is_relative_to(but) and (below.parts[-3:] == _COMMITS or by_name(change, str(below)))

    return counts


def _identities(folders: Sequence[Path]) -> list[int]:
    """By what a folder differs from another one in its place; 0 where there is none."""
    return [folder.stat().st_ino if folder.is_dir() else 0 for folder in folders]


async def follow(
    changes: AsyncIterator[frozenset[Path]],
    index: Callable[[IndexRequest], Awaitable[Sequence[ProjectRecord]]],
    first: IndexRequest,
    *,
    waits: Callable[[IndexLockedError], None],
    clock: Clock | None = None,
) -> None:
    """Index as asked first, then whatever changes. What changes during a run is indexed by the next one.

    Args:
        changes: listened to before the first run.
        index: makes one run, and returns the projects that are indexed then.
        first: what is asked for.
        waits: told once of each run that waits for another one on the same data folder.
        clock: that of the system where none is given.

    Raises what `changes` and `index` raise, but for the lock.
    """
    clock = clock or SystemClock()
    send, receive = anyio.create_memory_object_stream[frozenset[Path]](math.inf)

    async def run(request: IndexRequest) -> Sequence[ProjectRecord]:
        told = False
        while True:
            try:
                return await index(request)
            except IndexLockedError as locked:
                if not told:
                    waits(locked)
                told = True
                await clock.sleep(_LOCKED_S)

    async def runs() -> None:
        async with receive:
            projects = await run(first)
            async for paths in receive:
                request = request_for({*paths, *_waiting(receive)}, projects)
                try:
                    projects = await run(request)
                except UnknownProjectError:  # another run has removed it
                    projects = await run(IndexRequest())
                except NoFolderError:  # it comes when it is there again
                    continue

    await together([partial(_listen, changes, send), runs])


def request_for(paths: Iterable[Path], projects: Sequence[ProjectRecord]) -> IndexRequest:
    """The projects that these paths are of; all that is indexed where one is of none, as it may be a new project's."""
    owners = set()
    for path in paths:
        found = [one.name for one in projects if path.is_relative_to(one.root)]
        if not found:
            return IndexRequest()
        owners.update(found)
    return IndexRequest(known=sorted(owners))


def watched_folders(projects: Iterable[ProjectRecord]) -> list[Path]:
    """The folders to watch for what is indexed, under `--each` their parent; no installed distributions."""
    places = sorted({one.group or one.root for one in projects if not one.distribution})
    return [Path(place) for place in places if Path(place).is_dir()]


async def _listen(changes: AsyncIterator[frozenset[Path]], send: MemoryObjectSendStream[frozenset[Path]]) -> None:
    async with send:
        async for paths in changes:
            await send.send(paths)


def _waiting(receive: MemoryObjectReceiveStream[frozenset[Path]]) -> set[Path]:
    """What changed while a run was under way."""
    found: set[Path] = set()
    while True:
        try:
            found |= receive.receive_nowait()
        except (WouldBlock, anyio.EndOfStream):
            return found
