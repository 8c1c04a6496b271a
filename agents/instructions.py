"""A project's instruction files as they are on disk now: sections, and what they include with `@path` (001 §4.1).

CLAUDE.md and AGENTS.md, in the project's root and in its sub-folders. An include is `@` and a path relative to the file
that says it, outside code; includes may include.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from posixpath import basename, dirname, join, normpath

from memory.files import WholeFiles, is_instruction_file
from memory.project_folder import ProjectFolder
from memory.text.lines import read_outline, split_lines

_INCLUDE = re.compile(r"(?:^|(?<=[\s(]))@(?P<path>[\w./-]*[\w-](?:\.\w+)?)")
_CODE_SPAN = re.compile(r"`[^`]*`")
_DEEPEST = 5


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
        """What a file includes, at most five levels deep;
        a cycle, a missing file and one outside the project are named.
        """
        folder = self._folders.get(project)
        if folder is None:
            return Included((path,))
        paths: list[str] = []
        notes: list[str] = []

        async def visit(at: str, above: tuple[str, ...]) -> None:
            text = await self._text(project, folder, at)
            if wrong := _wrong(at, above, there=text is not None, indexed=at in folder.paths):
                notes.append(wrong)
                return
            if at not in paths:
                paths.append(at)
            for target in _includes(at, text or ""):
                if "." not in basename(target) and target not in folder.paths:
                    continue  # `@README` includes that file, `@alice` is no file that is missing
                if target.startswith(("../", "/")):
                    notes.append(f"{at} includes {target}, which is outside the project")
                elif target in (*above, at):
                    notes.append(f"{at} includes {target}, which includes it")
                elif len(above) < _DEEPEST:
                    await visit(target, (*above, at))

        await visit(path, ())
        return Included(tuple(paths), tuple(dict.fromkeys(notes)))

    async def _text(self, project: str, folder: ProjectFolder, path: str) -> str | None:
        if folder.is_here or self._stored is None:
            return folder.read(path)
        lines = await self._stored(frozenset({project})).file(project, path)
        return None if lines is None else "\n".join(lines)


def _wrong(path: str, above: tuple[str, ...], *, there: bool, indexed: bool) -> str:
    if not there:
        return f"{above[-1]} includes {path}, which is not there" if above else f"{path} can't be read"
    return f"{above[-1]} includes {path}, which is not indexed" if above and not indexed else ""


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
