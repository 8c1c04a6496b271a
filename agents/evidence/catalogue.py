"""What one generation holds, read once and not in the call: repositories, and which files a path names (000 §6.4)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from memory.errors import InvalidInputError
from memory.files import WholeFiles
from memory.project_folder import ProjectFolder
from memory.text.lines import split_lines
from memory.vector.port import Corpus

BOTH: frozenset[Corpus] = frozenset({"code", "docs"})
IndexedFile: TypeAlias = tuple[str, str]
"""A file by project and path."""
_NEAREST = 5
_LINES = re.compile(r":\d+(?:-\d+)?$")


_MOST_FILES = 500


@dataclass(frozen=True, slots=True)
class CataloguedProject:
    """A project's repository (000 §6.3) and the corpus of each of its files; empty or no files: they are not known, as
    in a collection that others filled.
    """

    repo: str
    files: Mapping[str, Corpus] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EvidenceCatalogue:
    """The projects of a generation by name. Every method keeps to the permission, its errors too.

    has_symbols: whether points say what they define; a collection that others filled may not.
    """

    generation: str
    projects: Mapping[str, CataloguedProject]
    has_symbols: bool = True

    def check_repos(self, repos: Sequence[str], permission: frozenset[str]) -> None:
        """Raises InvalidInputError for a repository that is not indexed, and lists those that are."""
        known = sorted({self.projects[name].repo for name in self.of_repos((), permission)})
        for repo in repos:
            if repo not in known and "" not in known:
                raise InvalidInputError(f"No repository {repo!r} here.", f"Known: {', '.join(known) or 'none'}.")

    def of_repos(self, repos: Collection[str], permission: frozenset[str]) -> frozenset[str]:
        """The projects of these repositories, all that are permitted where none is named."""
        known = permission & self.projects.keys()
        return frozenset(name for name in known if not repos or self.projects[name].repo in ("", *repos))

    def find(self, given: str, projects: frozenset[str]) -> tuple[IndexedFile, ...]:
        """The files of these projects that a path names: by itself, as the end of just one, or as PROJECT/path.

        Lines behind it, as citations have them, are passed over. Several projects may have a file of the same path.
        """
        path = _LINES.sub("", given.strip()).removeprefix("./").strip("/")
        named = sorted((name, path) for name in projects if path in self.projects[name].files)
        if named or not path:
            return tuple(named)
        for name in sorted(projects):
            inside = path.removeprefix(f"{name}/")
            if inside != path and inside in self.projects[name].files:
                return ((name, inside),)
        ending = self._ending(path, projects)
        return tuple(ending) if len({own for _, own in ending}) == 1 else ()

    def resolve(self, given: Sequence[str], projects: frozenset[str]) -> dict[str, tuple[IndexedFile, ...]]:
        """The files of each path. Raises InvalidInputError that lists the nearest where a path names none."""
        found = {path: self.find(path, projects) for path in given}
        for path, files in found.items():
            if not files:
                why = self.why_not(path, projects)
                raise InvalidInputError(f"{path!r} {why}.", f"Nearest: {self.nearest(path, projects)}.")
        return found

    def why_not(self, given: str, projects: frozenset[str]) -> str:
        """Why a path names no file, as it is said behind it."""
        ends = len({own for _, own in self._ending(given.strip("/"), projects)})
        return f"ends {ends} indexed paths" if ends > 1 else "is no indexed path"

    def nearest(self, given: str, projects: frozenset[str]) -> str:
        """The paths that are most like one, as a list to print."""
        paths = sorted({path for name in projects for path in self.projects[name].files})
        ending = [path for path in paths if path.endswith(f"/{given.strip('/')}")]
        name = given.rstrip("/").rpartition("/")[2]
        named = [path for path in paths if path.rpartition("/")[2] == name]
        alike = difflib.get_close_matches(given, paths, n=_NEAREST, cutoff=0.3)
        return ", ".join(list(dict.fromkeys([*ending, *named, *alike]))[:_NEAREST]) or "none"

    def has_files(self, projects: frozenset[str]) -> bool:
        """Whether it is known which files these projects have."""
        return any(self.projects[name].files for name in projects)

    def corpora(self, projects: frozenset[str], files: Collection[IndexedFile]) -> frozenset[Corpus]:
        """Which corpora a scope can yield at all; both where the files are not known."""
        if files:
            return frozenset(self.projects[name].files[path] for name, path in files)
        return frozenset(corpus for name in projects for corpus in self.projects[name].files.values()) or BOTH

    def _ending(self, path: str, projects: frozenset[str]) -> list[IndexedFile]:
        if not path:
            return []
        return sorted((name, own) for name in projects for own in self.projects[name].files if own.endswith(f"/{path}"))


class UnchangedFiles(WholeFiles):
    """Files of the projects' folders inside the permission; None for a file that is not what was indexed.

    read: files that were read already and matched their recorded hash; packs of one generation may share it.
    """

    def __init__(
        self,
        folders: Mapping[str, ProjectFolder],
        permission: frozenset[str],
        read: dict[tuple[str, str], list[str]] | None = None,
    ) -> None:
        self._folders = folders
        self._permission = permission
        self._read = {} if read is None else read

    async def file(self, project: str, path: str) -> list[str] | None:
        """As the port says."""
        folder = self._folders.get(project) if project in self._permission else None
        if folder is None or folder.has_changed(path):
            return None
        if (project, path) not in self._read:
            text = folder.read(path)
            if text is None:
                return None
            if len(self._read) >= _MOST_FILES:
                self._read.clear()
            self._read[project, path] = split_lines(text)
        return self._read[project, path]

    async def read_ahead(self, files: Iterable[tuple[str, str]]) -> None:
        """Nothing: no store is asked."""
