"""What each project's files say on their own, which only the indexer reads: a file a project.

See docs/design.md#generations.

facts/HASH.jsonl holds first what the project offers to others and asks of them, and the digests of what relations say
of its files, then a row for each of them. The next generation links to the files of what did not change.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from memory.errors import DamagedIndexError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from memory.disk import Disk


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """One project's, as JSON can hold them. files: path → what that file says; reach: what all of them offer and ask;
    digests: path → a digest of what the relations say that its lines prove.
    """

    files: Mapping[str, Mapping[str, Any]]
    reach: Mapping[str, Any]
    digests: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RawFacts:
    """What a generation remembers of a project, as its file has it; another process can be sent it."""

    project: str
    file: str
    data: bytes

    def files(self) -> dict[str, dict[str, Any]]:
        """What each of the project's files says. Raises DamagedIndexError."""
        try:
            rows = map(json.loads, self.data.splitlines())
            return {path: facts for row in rows if isinstance(row, list) for path, facts in [row]}
        except ValueError as error:
            raise _damaged(self.file, self.project, error) from error


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """A folder of a generation with a file a project, called by a hash, since a project's name need be no file's."""

    path: Path
    ending: ClassVar[str]

    def keep(self, disk: Disk, projects: Iterable[str], before: Self) -> None:
        """Link to another generation's files of these projects, but for those written here. Raises OSError."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        for project in projects:
            if not self._file(project).exists() and (there := before._file(project)).exists():
                disk.link(there, self._file(project))

    def _file(self, project: str) -> Path:
        digest = hashlib.sha256(project.encode("utf-8", "surrogateescape")).hexdigest()
        return self.path / f"{digest[:32]}{self.ending}"


@dataclass(frozen=True, slots=True)
class FactsFolder(ProjectFiles):
    """The facts of one generation. Reading raises DamagedIndexError where a project's are missing or damaged."""

    ending = ".jsonl"

    def files(self, project: str) -> dict[str, dict[str, Any]]:
        """What each of a project's files says."""
        return self.raw(project).files()

    def raw(self, project: str) -> RawFacts:
        """A project's file as it is."""
        file = self._file(project)
        try:
            return RawFacts(project, str(file), file.read_bytes())
        except (FileNotFoundError, IsADirectoryError) as error:
            raise _damaged(file, project, error) from error

    def reach(self, project: str) -> dict[str, Any]:
        """What a project offers and asks: its file's first line alone."""
        return self._first(project, "reach")

    def digests(self, project: str) -> dict[str, str]:
        """The digest of what is said of each of a project's files."""
        return self._first(project, "digests")

    def write(self, disk: Disk, project: str, facts: ProjectFacts) -> None:
        """In place of what there was. Raises OSError."""
        self.path.mkdir(mode=0o700, exist_ok=True)
        disk.write(self._file(project), _lines(facts))

    def size(self, project: str) -> int:
        """How many bytes are known of a project; 0 where nothing is."""
        file = self._file(project)
        return file.stat().st_size if file.exists() else 0

    def _first(self, project: str, name: str) -> dict[str, Any]:
        file = self._file(project)
        try:
            with file.open(encoding="utf-8") as lines:
                first: dict[str, dict[str, Any]] = json.loads(next(lines, "{}"))
        except (FileNotFoundError, IsADirectoryError, ValueError) as error:
            raise _damaged(file, project, error) from error
        return first.get(name, {})


def _damaged(file: Path | str, project: str, error: Exception) -> DamagedIndexError:
    return DamagedIndexError(file, f"does not say what is known of {project!r}: {error}")


def _lines(facts: ProjectFacts) -> Iterator[str]:
    for row in ({"reach": facts.reach, "digests": facts.digests}, *([path, one] for path, one in facts.files.items())):
        yield json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
