"""A data folder's current generation for servers that do not have the folder: announced by who indexes, followed in a
folder of their own, which is read as the data folder is (decision record 0084).

Its pieces are sent first, then one write has the pointer name it. A generation that the pointer named is kept, here and
so in the stores, until `KEPT` seconds after the pointer named another: that long a server may answer from it.
announced.json in the data folder holds when that was. pieces.json in a generation's folder lists the pieces of its
files. It is cut into pieces itself, which the pointer names.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread

from memory.disk import Disk, explained, make_folder
from memory.errors import DataFolderError, StoreError
from memory.generation.current import ANNOUNCED, CURRENT, GENERATIONS, STAGE, FileLock, Pointer, clear, numbers_in
from memory.generation.folder import LOCK_FILE, DataFolder
from memory.generation.inventory import FACTS, FILES, LOCK, PIECES, Inventory, checksum_of, is_same
from memory.generation.manifest import SCHEMA_VERSION, refuse_newer

if TYPE_CHECKING:
    from memory.vector.qdrant_depot import QdrantDepot

KEPT: Final = 300.0
"""Seconds: to see the pointer and fetch what it names, to open it, and for the last question that was asked before."""
_MOST: Final = 2**19
"""Bytes of a piece."""
_AT_ONCE: Final = 2**21
"""Bytes that go over the wire together, of so many pieces at most."""
_MANY: Final = 500


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a file. name: the SHA-256 of its content, in hex; path: of the file."""

    name: str
    size: int
    path: Path
    start: int

    def content(self) -> bytes:
        """What the file has there. Raises OSError."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            return file.read(self.size)


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a generation that questions read, by path in it: the name and size of each piece, in order."""

    files: Mapping[str, tuple[tuple[str, int], ...]]

    @classmethod
    def of(cls, folder: Path, disk: Disk, before: Path | None = None) -> Listing:
        """Of a generation that is published; made when it is asked for first. Raises OSError.

        before: an earlier one's folder. A file that is one of its under a second name is not read again.
        """
        if not (folder / PIECES).exists():
            known = cls.read(before).files if before else {}
            files = {
                name: known[name] if before and name in known and is_same(path, before / name) else _named(path)
                for path in sorted(folder.rglob("*"))
                if path.is_file()
                and (name := path.relative_to(folder).as_posix()) != LOCK
                and not name.startswith(f"{FACTS}/")
            }
            disk.write(folder / PIECES, [json.dumps(files, separators=(",", ":"))])
        return cls.read(folder)

    @classmethod
    def read(cls, folder: Path) -> Listing:
        """The list in a folder; an empty one where there is none. Raises ValueError."""
        try:
            files = json.loads((folder / PIECES).read_bytes())
        except FileNotFoundError:
            files = {}
        return cls({path: tuple((name, size) for name, size in pieces) for path, pieces in files.items()})

    def pieces(self, folder: Path) -> Iterator[Piece]:
        """All of them, those of the list itself last."""
        for path, pieces in self.files.items():
            yield from pieces_of(folder / path, pieces)
        yield from cut(folder / PIECES)


def _named(file: Path) -> tuple[tuple[str, int], ...]:
    return tuple((piece.name, piece.size) for piece in cut(file))


def pieces_of(file: Path, pieces: Iterable[tuple[str, int]]) -> Iterator[Piece]:
    """A file's, which are given by name and size."""
    start = 0
    for name, size in pieces:
        yield Piece(name, size, file, start)
        start += size


def cut(file: Path) -> Iterator[Piece]:
    """The pieces of a file. Raises OSError."""
    start = 0
    with file.open("rb") as stream:
        while content := stream.read(_MOST):
            yield Piece(hashlib.sha256(content).hexdigest(), len(content), file, start)
            start += len(content)


def in_batches(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """So many together as go over the wire at once."""
    batch: list[Piece] = []
    size = 0
    for piece in pieces:
        if batch and (size + piece.size > _AT_ONCE or len(batch) == _MANY):
            yield batch
            batch, size = [], 0
        batch.append(piece)
        size += piece.size
    if batch:
        yield batch


async def check_place(namespace: str, depot: QdrantDepot) -> Mapping[str, Any] | None:
    """What is announced there now. Raises DataFolderError where that is another index, and StoreError."""
    pointer = await depot.pointer()
    if pointer is not None and pointer["namespace"] != namespace:
        raise DataFolderError(
            f"In {depot.place} another index is announced.",
            "Give each index a vector.qdrant.collection of its own. If the other one's data folder is lost, remove that collection.",  # noqa: E501 - text that is read whole
        )
    return pointer


async def announce(root: Path, namespace: str, depot: QdrantDepot, now: float) -> None:
    """Have servers read the current generation of the data folder, and remove what no server reads any more.

    Args:
        root: the data folder, which only the caller writes now.
        namespace: its index's own id.
        depot: where the pieces are.
        now: seconds of a clock that goes on when this machine is started anew.

    Raises:
        DataFolderError: another index is announced there.
        StoreError: the depot is out of reach.
        StorageFullError: the disk is full.
    """
    disk, current = Disk(), Pointer.read(root)
    assert current is not None
    before = await check_place(namespace, depot)
    await depot.make()
    folder = root / GENERATIONS / str(current.number)
    earlier = [root / GENERATIONS / str(number) for number in numbers_in(root) if number < current.number]
    with explained(root):
        pieces = {piece.name: piece for piece in Listing.of(folder, disk, *earlier[-1:]).pieces(folder)}
        lacking = await depot.lacks(pieces.keys())
        for batch in in_batches(pieces[name] for name in sorted(lacking)):
            await depot.put({piece.name: piece.content() for piece in batch})
        listed = [[piece.name, piece.size] for piece in cut(folder / PIECES)]
        pointer = {"schema_version": SCHEMA_VERSION, "namespace": namespace, "number": current.number, "pieces": listed}
        if not (root / ANNOUNCED).exists():
            _note(root, disk, current.number, now)  # or nobody knew of it where this run ends with the next line
        if pointer != before:
            await depot.point(pointer)
        _note(root, disk, current.number, now)
        clear(root, current.number)
        beside = (root / GENERATIONS / str(number) for number in numbers_in(root))
        await depot.keep(
            {piece.name for one in beside if (one / PIECES).exists() for piece in Listing.of(one, disk).pieces(one)}
        )


def _note(root: Path, disk: Disk, number: int, now: float) -> None:
    """Which generations were announced and when, from the one that was named `KEPT` seconds ago on."""
    file = root / ANNOUNCED
    rows = json.loads(file.read_bytes()) if file.exists() else []
    if not rows or rows[-1][0] != number:
        rows.append([number, now])
    while len(rows) > 1 and rows[1][1] <= now - KEPT:
        rows.pop(0)
    disk.write(file, [json.dumps(rows)])


async def follow(path: Path, depot: QdrantDepot) -> bool:
    """Have the announced generation in the folder; returns whether it is another than before. What is read meanwhile
    stays.

    Raises:
        DataFolderError: nothing is announced, or the folder is another index's, or not ours.
        StoreError: the depot is out of reach, or damaged; the generation before stays the current one.
        StorageFullError: the disk is full.
    """
    pointer = await depot.pointer()
    if pointer is None:
        raise DataFolderError(
            f"No index is announced in {depot.place}.",
            "Set vector.qdrant.followers_s where you index, and run `hybrid-retrieval index` there.",
        )
    refuse_newer(pointer["schema_version"], depot.place)
    folder = DataFolder.open_or_create(path, copy_of=pointer["namespace"])
    with explained(folder.root):
        lock = FileLock.exclusive(folder.root / LOCK_FILE)
        if lock is None:
            return False  # another process of this machine is at it
        try:
            return await _brought_up(folder.root, pointer, depot)
        finally:
            lock.close()


async def _brought_up(root: Path, pointer: Mapping[str, Any], depot: QdrantDepot) -> bool:
    generations, here = root / GENERATIONS, Pointer.read(root)
    current = generations / str(here.number if here else 0)
    stage, target = generations / f"{STAGE}{os.getpid()}", generations / str(pointer["number"])
    if current == target:
        return False
    clear(root, here.number if here else 0)
    make_folder(stage)
    await _fetch(pieces_of(stage / PIECES, pointer["pieces"]), depot)
    known, listing = Listing.read(current).files, Listing.read(stage)
    lacking: list[Piece] = []
    for name, pieces in listing.files.items():
        file = stage / name
        if not file.resolve().is_relative_to(stage.resolve()):
            raise StoreError(f"The list of files in {depot.place} names {name!r}.", "Who may write there?")
        file.parent.mkdir(exist_ok=True, parents=True)
        if known.get(name) == pieces and name != FILES:
            Disk().link(current / name, file)
        else:
            file.touch()
            lacking += pieces_of(file, pieces)
    await _fetch(lacking, depot)
    await anyio.to_thread.run_sync(partial(_publish, root, stage, target))
    return True


async def _fetch(pieces: Iterable[Piece], depot: QdrantDepot) -> None:
    for batch in in_batches(pieces):
        found = await depot.fetch({piece.name for piece in batch})
        for piece in batch:
            with piece.path.open("ab") as file:
                file.write(found[piece.name])


def _publish(root: Path, stage: Path, target: Path) -> None:
    """As the indexer does, without what it alone reads."""
    disk = Disk()
    inventory = Inventory.from_json((stage / FILES).read_bytes())
    files = {name: state for name, state in inventory.files.items() if not name.startswith(f"{FACTS}/")}
    listed = Inventory(files).to_json()
    disk.write(stage / FILES, [listed])
    (stage / LOCK).touch()
    disk.publish(stage, target)
    number = int(target.name)
    disk.write(root / CURRENT, [Pointer(number, checksum_of(listed.encode())).line()])
    clear(root, number)
