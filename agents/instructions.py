"""A project's instruction files as they are on disk now: sections, and what they include with `@path` (001 §4.1).

CLAUDE.md and AGENTS.md, in the project's root and in its sub-folders. An include is `@` and a path relative to the file
that says it, outside code; includes may include.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import basename, dirname, join, normpath

import anyio.lowlevel

from memory.files import WholeFiles, is_instruction_file
from memory.project_folder import ProjectFolder
from memory.text.lines import read_outline, split_lines

_INCLUDE = re.compile(r"(?:^|(?<=[\s(]))@(?P<path>[\w./-]*[\w-](?:\.\w+)?)")
_CODE_SPAN = re.compile(r"`[^`]*`")
_DEEPEST = 5
_MOST = 100


@dataclass(frozen=True, slots=True)
class Section:
    """Lines of an instruction file under one heading; both ends included."""

    path: str
    title: str
    start_line: int
    end_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Included:
    """The files an instruction file includes, itself first, and what about its includes is wrong."""

    paths: tuple[str, ...]
    notes: tuple[str, ...] = ()


class Instructions:
    """Reads instruction files inside the projects' folders alone. stored: what was indexed, inside a permission; it is
    read where a folder is not on this machine.
    """

    def __init__(
        self, folders: Mapping[str, ProjectFolder], stored: Callable[[frozenset[str]], WholeFiles] | None = None
    ) -> None:
        self._folders = folders
        self._stored = stored

    def files(self, project: str) -> tuple[str, ...]:
        """The project's indexed instruction files."""
        folder = self._folders.get(project)
        return tuple(path for path in folder.paths if is_instruction_file(path)) if folder else ()

    def changed(self, project: str) -> dict[str, list[Section]]:
        """The sections of those that have changed since they were indexed, by path; one that is gone has none."""
        folder, found = self._folders.get(project), dict[str, list[Section]]()
        if folder is None:
            return found
        for path in self.files(project):
            if folder.has_changed(path):
                text = folder.read(path)
                if text is not None or folder.has_lost(path):
                    found[path] = list(_sections(path, text or ""))
        return found

    async def included(self, project: str, path: str) -> Included:
        """What a file includes, at most five levels deep and a hundred files; each is read once, the nearest first.
        A cycle, a missing file and one outside the project are named.
        """
        folder = self._folders.get(project)
        if folder is None:
            return Included((path,))
        includes: dict[str, list[str]] = {}
        notes: list[str] = []
        level = {path: ""}  # each with the file that includes it
        for _ in range(_DEEPEST + 1):
            deeper: dict[str, str] = {}
            for at, by in level.items():
                await anyio.lowlevel.checkpoint()  # reading waits for nothing, and a deadline has to end it
                text = await self._text(project, folder, at)
                if wrong := _wrong(at, by, there=text is not None, indexed=at in folder.paths):
                    notes.append(wrong)
                    continue
                if len(includes) == _MOST:
                    notes.append(f"{path} includes more than {_MOST} files: {at} and others are left out")
                    return Included(tuple(includes), tuple(notes))
                targets, outside = _targets(at, text or "", folder)
                includes[at] = targets
                notes += [f"{at} includes {target}, which is outside the project" for target in outside]
                deeper |= {target: at for target in targets if target not in deeper}
            level = {target: by for target, by in deeper.items() if target not in includes}
        cycles = (f"{at} includes {target}, which includes it" for at, target in _cycles(includes, path))
        return Included(tuple(includes), tuple(dict.fromkeys([*notes, *cycles])))

    async def _text(self, project: str, folder: ProjectFolder, path: str) -> str | None:
        if folder.is_here or self._stored is None:
            return folder.read(path)
        lines = await self._stored(frozenset({project})).file(project, path)
        return None if lines is None else "\n".join(lines)


def _wrong(path: str, by: str, *, there: bool, indexed: bool) -> str:
    if not there:
        return f"{by} includes {path}, which is not there" if by else f"{path} can't be read"
    return f"{by} includes {path}, which is not indexed" if by and not indexed else ""


def _targets(path: str, text: str, folder: ProjectFolder) -> tuple[list[str], list[str]]:
    """What a file includes inside the project, and what outside of it; `@README` is that file, `@alice` none that is
    missing.
    """
    found = dict.fromkeys(one for one in _includes(path, text) if "." in basename(one) or one in folder.paths)
    outside = [target for target in found if target.startswith(("../", "/"))]
    return [target for target in found if target not in outside], outside


def _cycles(includes: Mapping[str, Sequence[str]], first: str) -> list[tuple[str, str]]:
    """Each inclusion that leads back to a file above it, found on one walk that enters every file once."""
    found, entered = list[tuple[str, str]](), set[str]()

    def walk(at: str, above: tuple[str, ...]) -> None:
        entered.add(at)
        for target in includes[at]:
            if target in (*above, at):
                found.append((at, target))
            elif target in includes and target not in entered:
                walk(target, (*above, at))

    if first in includes:
        walk(first, ())
    return found


def _includes(path: str, text: str) -> Iterator[str]:
    """The included paths, relative to the project; one that leads out of it keeps its `../`."""
    lines = split_lines(text)
    fenced = read_outline(lines, "markdown").fenced
    for number, line in enumerate(lines, start=1):
        if number not in fenced and not line.lstrip().startswith("```"):
            for found in _INCLUDE.finditer(_CODE_SPAN.sub("", line)):
                yield normpath(join(dirname(path), found["path"]))


def _sections(path: str, text: str) -> Iterator[Section]:
    """One section a heading; the heading alone is none."""
    lines = split_lines(text)
    headings = read_outline(lines, "markdown").headings
    starts = [1, *(heading.line for heading in headings)]
    ends = [*(heading.line - 1 for heading in headings), len(lines)]
    for heading, start, end in zip([None, *headings], starts, ends, strict=True):
        body = lines[start - 1 if heading is None else heading.last : end]
        if any(line.strip() for line in body):
            last = max(number for number in range(start, end + 1) if lines[number - 1].strip())
            yield Section(path, heading.title if heading else "", start, last, "\n".join(lines[start - 1 : last]))
