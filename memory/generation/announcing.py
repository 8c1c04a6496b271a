"""A data folder's current generation for servers that do not have the folder: announced by who indexes, followed in a
folder of their own, which is read as the data folder is (decision record 0084).

Its pieces are sent first, then one write has the pointer name it. A generation that the pointer named is kept, here and
so in the stores, until `KEPT` seconds after the pointer named another: that long a server may answer from it.
announced.json in the data folder holds when that was.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread

from memory.disk import Disk, explained, make_folder
from memory.errors import DataFolderError, StoreError
from memory.generation.current import ANNOUNCED, CURRENT, GENERATIONS, STAGE, FileLock, Pointer, clear, numbers_in
from memory.generation.folder import LOCK_FILE, DataFolder
from memory.generation.inventory import FACTS, FILES, LOCK, PIECES, Inventory, checksum_of
from memory.generation.manifest import SCHEMA_VERSION, refuse_newer
from memory.generation.pieces import Listing, Piece, cut, in_batches, pieces_of

if TYPE_CHECKING:
    from memory.vector.qdrant_depot import QdrantDepot

KEPT: Final = 300.0
"""Seconds: to see the pointer and fetch what it names, to open it, and for the last question that was asked before."""


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
