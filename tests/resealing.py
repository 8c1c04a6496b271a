"""An index whose files a test has changed, as if they had been published so."""

from __future__ import annotations

from pathlib import Path

from memory.generation.current import CURRENT, GENERATIONS, Pointer
from memory.generation.inventory import FILES, Inventory, checksum_of


def reseal(data: Path) -> None:
    """Give the current generation of a data folder the inventory of what it holds now."""
    pointer = Pointer.read(data)
    assert pointer is not None
    folder = data / GENERATIONS / str(pointer.number)
    listed = Inventory.of(folder).to_json()
    (folder / FILES).write_text(listed, encoding="utf-8")
    (data / CURRENT).write_text(Pointer(pointer.number, checksum_of(listed.encode())).line(), encoding="utf-8")
