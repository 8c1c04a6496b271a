"""The lines of a project's file inside the permission: of the generation, or as they are on disk now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

import anyio

from memory.errors import StoreError
from memory.text.lines import split_lines
from memory.together import together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from memory.observations import Location
    from memory.project_folder import ProjectFolder
    from memory.vector.port import Chunk, VectorStore

INSTRUCTION_FILES = ("CLAUDE.md", "AGENTS.md")
PATIENCE = 2.0
"""Seconds that the text of files may take before it is read from the disk."""
_MOST_FILES = 500

T = TypeVar("T")


class FileText(Protocol):
    """Where citations read the lines they are held against."""

    async def lines(self, location: Location) -> list[str] | None:
        """The location's lines, both ends included; None when they are not there or not permitted."""
        ...


@runtime_checkable
class WholeFiles(FileText, Protocol):
    """One that knows files from their first line to their last."""

    async def file(self, project: str, path: str) -> list[str] | None:
        """All lines of a file; None when it is not there or not permitted."""
        ...

    async def read_ahead(self, files: Iterable[tuple[str, str]]) -> None:
        """Have these files, project and path each, at hand with fewer requests than `file` would take one by one."""
        ...

    async def lines(self, location: Location) -> list[str] | None:
        """Those of the whole file; raises what `file` raises."""
        text = await self.file(location.project, location.path)
        if text is None or not 1 <= location.start_line <= location.end_line <= len(text):
            return None
        return text[location.start_line - 1 : location.end_line]


class ChunkedFiles(WholeFiles):
    """The generation's own text: a file's lines put together again from its chunks.

    Chunks cover every line that is not blank, so a gap between two of them is blank lines. `permission` names the
    projects that may be read. read: files that were read already; questions on one generation may share it.
    """

    def __init__(
        self,
        store: VectorStore,
        permission: frozenset[str],
        read: dict[tuple[str, str], list[str] | None] | None = None,
    ) -> None:
        self._store = store
        self._permission = permission
        self._read = {} if read is None else read

    async def file(self, project: str, path: str) -> list[str] | None:
        """As the port says; raises StoreError when the store is out of reach."""
        if project not in self._permission:
            return None
        if (project, path) in self._read:
            return self._read[project, path]
        return (await self._fetch(project, [path]))[project, path]

    async def read_ahead(self, files: Iterable[tuple[str, str]]) -> None:
        """As the port says, one request a project; raises StoreError when the store is out of reach."""
        lacking: dict[str, list[str]] = {}
        for project, path in files:
            if project in self._permission and (project, path) not in self._read:
                lacking.setdefault(project, []).append(path)
        await together(partial(self._fetch, project, paths) for project, paths in lacking.items())

    async def _fetch(self, project: str, paths: Sequence[str]) -> dict[tuple[str, str], list[str] | None]:
        chunks: dict[str, list[Chunk]] = {path: [] for path in paths}
        for chunk in await self._store.file_chunks(project, paths, permission=self._permission):
            chunks[chunk.path].append(chunk)
        if len(self._read) + len(chunks) > _MOST_FILES:
            self._read.clear()
        read = {(project, path): _rebuilt(own) if own else None for path, own in chunks.items()}
        self._read |= read
        return read


def _rebuilt(chunks: list[Chunk]) -> list[str]:
    text = [""] * max(chunk.end_line for chunk in chunks)
    for chunk in chunks:
        own = split_lines(chunk.text)[: chunk.end_line - chunk.start_line + 1]
        text[chunk.start_line - 1 : chunk.start_line - 1 + len(own)] = own
    return text


class FakeFiles(WholeFiles):
    """Files from a mapping `{"PROJECT/PATH": text}`; `permission` None permits all. For tests."""

    def __init__(self, files: Mapping[str, str], permission: frozenset[str] | None = None) -> None:
        self._files = dict(files)
        self._permission = permission

    async def file(self, project: str, path: str) -> list[str] | None:
        """As the port says."""
        text = self._files.get(f"{project}/{path}")
        if text is None or (self._permission is not None and project not in self._permission):
            return None
        return split_lines(text)

    async def read_ahead(self, files: Iterable[tuple[str, str]]) -> None:
        """Nothing: all are at hand."""


class CurrentFiles(WholeFiles):
    """Another source's text, but for instruction files that have changed on disk since: those are read as they are.

    Where the other source is out of reach, or takes longer than `PATIENCE`, files that have not changed are read from
    the disk, which holds the same: else a store that is down cost the answers that others found, for want of their
    proof.
    """

    def __init__(self, inner: WholeFiles, folders: Mapping[str, ProjectFolder], permission: frozenset[str]) -> None:
        self._inner = inner
        self._folders = folders
        self._permission = permission
        self._lost: StoreError | None = None
        self._held: dict[tuple[str, str], list[str] | None] = {}  # an answer asks for each of its files many times

    async def file(self, project: str, path: str) -> list[str] | None:
        """As the port says; a file is read once, so that all of an answer sees it in one state."""
        if (project, path) not in self._held:
            self._held[project, path] = await self._read(project, path)
        return self._held[project, path]

    async def _read(self, project: str, path: str) -> list[str] | None:
        folder = self._folders.get(project) if project in self._permission else None
        if folder is None or not folder.is_here:
            return await self._inner.file(project, path)
        changed = is_instruction_file(path) and folder.has_changed(path)
        if not changed:
            found = await self._asked(partial(self._inner.file, project, path))
            if self._lost is None:
                return found
            if folder.has_changed(path):
                raise self._lost
        text = folder.read(path)
        return None if text is None else split_lines(text)

    async def read_ahead(self, files: Iterable[tuple[str, str]]) -> None:
        """As the port says; what the other source cannot give is left to `file`."""
        await self._asked(partial(self._hold, list(files)))

    async def _hold(self, files: Sequence[tuple[str, str]]) -> None:
        await self._inner.read_ahead(files)
        for project, path in files:
            if (project, path) not in self._held and project in self._permission and not is_instruction_file(path):
                self._held[project, path] = await self._inner.file(project, path)

    async def _asked(self, call: Callable[[], Awaitable[T]]) -> T | None:
        """What the other source says; None once it was lost."""
        if self._lost is None:
            try:
                with anyio.fail_after(PATIENCE):
                    return await call()
            except StoreError as error:
                self._lost = error
            except TimeoutError:
                self._lost = StoreError(f"The text of files did not come within {PATIENCE:g} s.", "Try again.")
        return None


def is_instruction_file(path: str) -> bool:
    """Whether it tells agents how to work in a project: CLAUDE.md, AGENTS.md, in any folder."""
    return path.rsplit("/", 1)[-1] in INSTRUCTION_FILES
