"""The write side of a data folder: stage, publish by one rename of `CURRENT`, and clear away what no one reads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from memory.disk import FILE_MODE, Disk, explained, is_full, make_folder
from memory.errors import StorageFullError
from memory.generation.current import CURRENT, GENERATIONS, STAGE, Pointer, clear
from memory.generation.facts import ProjectFacts
from memory.generation.inventory import (
    FACTS,
    FILES,
    GRAPH,
    LOCK,
    MANIFEST,
    PIECES,
    STATEMENTS,
    VECTORS,
    VOCABULARY,
    Inventory,
    checksum_of,
)
from memory.generation.reading import Generation, GenerationFolder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from memory.entities import Relationship
    from memory.generation.current import FileLock
    from memory.generation.manifest import Manifest
    from memory.vocabulary import FileTerms

_BY_PROJECT: Final = frozenset({FACTS, STATEMENTS, VOCABULARY})
"""A file a project, which publishing links where nothing changed."""


@dataclass(frozen=True, slots=True)
class Stage(GenerationFolder):
    """A generation in the making, seen by no one. `copied`: it began as a copy of the current one; otherwise neither
    store is there yet.

    Of facts, statements and vocabulary it has those of the projects that changed; the others' come with publishing.
    """

    path: Path
    copied: bool


class IndexingSession(GenerationFolder):
    """The one indexer of a data folder; made by `DataFolder.indexing`, ends with its `with` block.

    number and current: the published generation, whose parts it has, and its manifest (0 and None when there is none
    yet). A full disk in the block becomes StorageFullError; whatever ends it, an unpublished stage is removed and
    `CURRENT` is untouched.
    """

    def __init__(self, root: Path, lock: FileLock, disk: Disk, published: Generation | None) -> None:
        self.number = published.number if published else 0
        self.current = published.manifest if published else None
        self._inventory = published.inventory if published else None
        self._root = root
        self._generations = root / GENERATIONS
        self.path = self._generations / str(self.number)
        self._lock = lock
        self._disk = disk

    def __enter__(self) -> Self:
        self._clear()
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        self._clear()
        self._lock.write("")  # the command may name a project that is gone now
        self._lock.close()
        if error is not None and is_full(error):
            raise StorageFullError(str(self._root)) from error

    def stage(self, *, copy: bool = True, whole: bool = False) -> Stage:
        """A copy of the current generation's stores, or an empty one. Files that no one writes to again, all of the
        graph's and those of sealed segments, are the same under a second name. Raises StorageFullError.

        whole: with all else that lies beside them and is no project's.
        """
        from memory.vector.edge_files import fixed_files  # noqa: PLC0415 - who reads a generation does without it

        stage = Stage(self._generations / f"{STAGE}{os.getpid()}", copied=copy and self.number > 0)
        with explained(stage.path):
            self._clear()
            make_folder(self._generations)
            make_folder(stage.path)
            if stage.copied:
                for source in self.path.iterdir():
                    if source.name == GRAPH:
                        self._disk.link(source, stage.path / source.name)
                    elif source.name == VECTORS or (whole and source.name not in {LOCK, *_BY_PROJECT, FILES, PIECES}):
                        self._disk.copy(source, stage.path / source.name, fixed_files(source))
        return stage

    def remember(self, stage: Stage, project: str, facts: ProjectFacts) -> None:
        """What a project's files say now. Raises StorageFullError."""
        with explained(stage.path):
            stage.facts.write(self._disk, project, facts)

    def state(
        self, stage: Stage, project: str, edges: Iterable[Relationship], terms: Callable[[str], Sequence[int]]
    ) -> None:
        """What a project's files prove now, in words. Raises StorageFullError."""
        with explained(stage.path):
            stage.statements.write(self._disk, project, edges, terms)

    def count(self, stage: Stage, project: str, files: Mapping[str, FileTerms]) -> None:
        """The terms of a project's files. Raises StorageFullError."""
        with explained(stage.path):
            stage.vocabulary.write(self._disk, project, files)

    def publish(self, stage: Stage, manifest: Manifest) -> int:
        """Make the stage the current generation, for every reader that opens from now on; returns its number.

        What is known of projects that the stage does not remember anew stays as it was. Raises StorageFullError; then
        the old generation is still current.
        """
        number = self.number + 1
        with explained(stage.path):
            (stage.path / LOCK).touch(FILE_MODE)
            self._disk.write(stage.path / MANIFEST, [manifest.to_json()])
            stage.facts.keep(self._disk, sorted(manifest.names), self.facts)
            stage.statements.keep(self._disk, sorted(manifest.names), self.statements)
            stage.vocabulary.keep(self._disk, sorted(manifest.names), self.vocabulary)
            inventory = Inventory.of(stage.path, self.path, self._inventory)
            listed = inventory.to_json()
            self._disk.write(stage.path / FILES, [listed])
            self._disk.publish(stage.path, self._generations / str(number))
            self._disk.write(self._root / CURRENT, [Pointer(number, checksum_of(listed.encode())).line()])
        self.number, self.current, self._inventory = number, manifest, inventory
        self.path = self._generations / str(number)
        self._clear()
        return number

    def _clear(self) -> None:
        clear(self._root, self.number)
