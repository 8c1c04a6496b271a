"""Files as they were indexed, read from their folders: no request to the store for a window (000 §8.2, rule 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memory.files import ProjectFolder
from memory.observations import Location
from memory.text.lines import split_lines

__all__ = ["UnchangedFiles"]

_MOST_FILES = 500


class UnchangedFiles:
    """`WholeFiles` of the projects' folders inside the permission; None for a file that is not what was indexed.

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
        if folder is None:
            return None
        if (project, path) not in self._read:
            text = None if folder.has_changed(path) else folder.read(path)
            if text is None:
                return None
            if len(self._read) >= _MOST_FILES:
                self._read.clear()
            self._read[project, path] = split_lines(text)
        return self._read[project, path]

    async def read_ahead(self, files: Iterable[tuple[str, str]]) -> None:
        """Nothing: no store is asked."""

    async def lines(self, location: Location) -> list[str] | None:
        """As the port says."""
        text = await self.file(location.project, location.path)
        if text is None or not 1 <= location.start_line <= location.end_line <= len(text):
            return None
        return text[location.start_line - 1 : location.end_line]
