"""A data folder's current generation for servers that do not have the folder (decision record 0084).

Its pieces are sent first, then one write has the pointer name it. A generation that the pointer named is kept, here and
so in the stores, until `KEPT` seconds after the pointer named another: that long a server may answer from it.
announced.json in the data folder holds when that was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memory.disk import Disk, explained
from memory.errors import DataFolderError
from memory.generation.clearing import ANNOUNCED, clear
from memory.generation.current import GENERATIONS, Pointer, numbers_in
from memory.generation.inventory import PIECES
from memory.generation.manifest import SCHEMA_VERSION
from memory.generation.pieces import Listing, cut, in_batches

if TYPE_CHECKING:
    from memory.vector.qdrant_depot import QdrantDepot

__all__ = ["KEPT", "announce", "check_place"]

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
