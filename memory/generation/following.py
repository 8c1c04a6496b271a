"""What `announce` announced, in a folder of this machine's own, which is read as the data folder is (decision record
0084).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from memory.disk import Disk, explained, make_folder
from memory.errors import DataFolderError, StoreError
from memory.generation.clearing import STAGE, clear
from memory.generation.current import CURRENT, GENERATIONS, FileLock, Pointer
from memory.generation.folder import LOCK_FILE, DataFolder
from memory.generation.inventory import FACTS, FILES, LOCK, PIECES, Inventory, checksum_of
from memory.generation.manifest import refuse_newer
from memory.generation.pieces import Listing, Piece, in_batches, pieces_of

if TYPE_CHECKING:
    from memory.vector.qdrant_depot import QdrantDepot

__all__ = ["follow"]


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
