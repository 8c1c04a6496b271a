"""Which projects are indexed, and where their files are: the catalogue of one generation."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from memory.errors import UnknownProjectError
from memory.generation import Manifest, ProjectRecord
from memory.project_folder import COUNTED_FOR, ProjectFolder


class Catalogue(Protocol):
    """Which projects are indexed, at which commit, and where their files are."""

    @property
    def folders(self) -> Mapping[str, ProjectFolder]: ...

    def projects(self) -> frozenset[str]: ...

    def in_hand(self, visible: frozenset[str]) -> str | None:
        """The project in hand where the caller names none: one of those that may be seen."""
        ...

    def has_changed(self, project: str, path: str) -> bool:
        """Whether the file on disk differs from what was indexed."""
        ...

    def embedded_share(self, projects: Collection[str]) -> float:
        """The share (0..1) of these projects' chunks that have their dense vector."""
        ...

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """For each of these the commits `indexed` and `head`, and how many of its files have `changed` since."""
        ...


class ManifestCatalogue:
    """The indexed projects of one generation, as the door asks for them.

    folder: the caller's working folder. words_only: no dense model is at hand, so that no vector is looked for. stored:
    the projects are on another machine. seconds: a clock that never runs backwards.
    """

    def __init__(
        self,
        manifest: Manifest,
        folder: Path | None = None,
        *,
        words_only: bool = False,
        stored: bool = False,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.manifest = manifest
        self.folder = folder
        self._awaiting = manifest.awaiting
        self._words_only = words_only
        self._stored = stored
        self._seconds = seconds
        self._heads: dict[str, tuple[float, str]] = {}

    @cached_property
    def folders(self) -> dict[str, ProjectFolder]:
        """Each project's files on disk, with what was indexed of them; who asks for names alone does without."""
        stored = self._stored
        return {record.name: ProjectFolder.of(record, stored=stored) for record in self.manifest.projects}

    def projects(self) -> frozenset[str]:
        return self.manifest.names

    def has_changed(self, project: str, path: str) -> bool:
        """Whether the file on disk differs from what was indexed; one that is not indexed has."""
        folder = self.folders.get(project)
        return folder is None or folder.has_changed(path)

    def embedded_share(self, projects: Collection[str]) -> float:
        """The share (0..1) of these projects' chunks that are found by a dense vector."""
        if self._words_only:
            return 0.0
        return self.manifest.embedded_share(projects) if self._awaiting else 1.0

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """For each of these the commit that was indexed and the one that is checked out now, and how many of the
        indexed files are others on the disk now, or gone; None where its folder is not there, as is `head` where it is
        on another machine.
        """
        records = [record for name in projects if (record := self.manifest.project(name)) is not None]
        return {
            record.name: {
                "indexed": record.commit,
                "head": None if self._stored else self._head(record),
                "changed": self.folders[record.name].count_changed(),
            }
            for record in records
        }

    def _head(self, record: ProjectRecord) -> str:
        """The commit that is checked out there, looked up once a second at most: git's files are many."""
        from indexing import read_commit  # noqa: PLC0415 - a look at the disk that only metrics need

        if not record.commit or record.distribution:
            return record.commit
        now, known = self._seconds(), self._heads.get(record.root)
        if known is None or now - known[0] >= COUNTED_FOR:
            known = self._heads[record.root] = now, read_commit(Path(record.root))
        return known[1]

    def in_hand(self, visible: frozenset[str]) -> str | None:
        """The project of these that the caller's folder is or lies in; the innermost."""
        records = [one for one in self.manifest.projects if one.name in visible and not one.distribution]
        inside = [record for record in records if self.folder is not None and self.folder.is_relative_to(record.root)]
        return max(inside, key=lambda record: len(record.root)).name if inside else None


def files_called(
    folders: Mapping[str, ProjectFolder], name: str, projects: frozenset[str]
) -> tuple[tuple[str, str], ...]:
    """The files of these projects, by project and path, that are called so, or end so with their folders."""
    sought = name.casefold()
    return tuple(
        (project, path)
        for project in sorted(projects)
        if project in folders
        for path in folders[project].paths
        if (folded := path.casefold()).endswith(sought) and (folded == sought or folded[-len(sought) - 1] == "/")
    )


def permitted(names: Collection[str] | None, indexed: frozenset[str]) -> frozenset[str]:
    """The projects of a permission, all for None. Raises UnknownProjectError for one not indexed, which names only the
    others.
    """
    if names is None:
        return indexed
    visible = indexed.intersection(names)
    for name in sorted(set(names) - visible):
        raise UnknownProjectError(name, visible)
    return visible
