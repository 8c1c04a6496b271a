"""A published generation as its readers hold it: locked against removal, and held against what was written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

from memory.errors import DamagedIndexError
from memory.generation.current import GENERATIONS, FileLock
from memory.generation.facts import FactsFolder
from memory.generation.inventory import (
    FACTS,
    FILES,
    GRAPH,
    LOCK,
    MANIFEST,
    STATEMENTS,
    VECTORS,
    VOCABULARY,
    Damage,
    Inventory,
    checksum_of,
    unreadable,
)
from memory.generation.manifest import Manifest

if TYPE_CHECKING:
    from memory.generation.arrays import StatementsFolder, VocabularyFolder
    from memory.generation.current import Pointer


class GenerationFolder:
    """Where the parts of a generation lie, published or in the making."""

    path: Path

    @property
    def vectors_path(self) -> Path:
        """The vector store's folder."""
        return self.path / VECTORS

    @property
    def graph_path(self) -> Path:
        """The graph's folder."""
        return self.path / GRAPH

    @property
    def facts(self) -> FactsFolder:
        """What every file says on its own, by project."""
        return FactsFolder(self.path / FACTS)

    @property
    def statements(self) -> StatementsFolder:
        """The relations in words, by project."""
        from memory.generation.arrays import StatementsFolder  # noqa: PLC0415 - numpy, which the manifest needs not

        return StatementsFolder(self.path / STATEMENTS)

    @property
    def vocabulary(self) -> VocabularyFolder:
        """The terms, by project."""
        from memory.generation.arrays import VocabularyFolder  # noqa: PLC0415 - as above

        return VocabularyFolder(self.path / VOCABULARY)


class Generation(GenerationFolder):
    """One published generation, kept from being removed until `close` or the end of a `with` block.

    inventory: what its files are held against. is_copy: the index is made on another machine, where the projects'
    folders are.
    """

    def __init__(self, path: Path, manifest: Manifest, lock: FileLock, inventory: Inventory) -> None:
        self.path = path
        self.number = int(path.name)
        self.manifest = manifest
        self.inventory = inventory
        self.is_copy = False
        self._lock = lock

    def close(self) -> None:
        """Let it be removed; a second time does nothing."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def held(root: Path, pointer: Pointer, *, most: int, without: Collection[str] = ()) -> Generation | None:
    """The generation that `pointer` names in a data folder; None when it was removed after that was read.

    most, without: how much of it is held against its checksums, as `Inventory.damages` has it. Raises DamagedIndexError
    for the first damage, DataFolderError when a newer version made it.
    """
    path = root / GENERATIONS / str(pointer.number)
    try:
        lock = FileLock.shared(path / LOCK)
    except (FileNotFoundError, NotADirectoryError):
        return None
    if lock is None:
        return None
    try:
        inventory = _inventory(path, pointer.inventory)
        _check(inventory.damages(path, most=most, without=without), path)
        manifest = Manifest.from_json(_content(path / MANIFEST), path / MANIFEST)
        return Generation(path, manifest, lock, inventory)
    except BaseException:
        lock.close()
        raise


def examined(root: Path, pointer: Pointer) -> tuple[int, list[Damage]]:
    """How many files the generation has that `pointer` names, every byte of which is read, and what is wrong with them.

    Raises DamagedIndexError when there is no telling.
    """
    path = root / GENERATIONS / str(pointer.number)
    inventory = _inventory(path, pointer.inventory)
    return len(inventory.files), list(inventory.damages(path))


def _check(damages: Iterator[Damage], path: Path) -> None:
    for damage in damages:
        raise DamagedIndexError(path / damage.path, damage.problem)


def _inventory(path: Path, checksum: str) -> Inventory:
    text = _content(path / FILES)
    if checksum_of(text) != checksum:
        raise DamagedIndexError(path / FILES, "does not hold what was written to it")
    return Inventory.from_json(text)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise DamagedIndexError(file, unreadable(error)) from error
