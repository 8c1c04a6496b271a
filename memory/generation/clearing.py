"""Removing what no reader can open any more and none still reads: killed runs' stages, older generations."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from memory.generation.current import GENERATIONS, FileLock
from memory.generation.inventory import LOCK

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ANNOUNCED", "STAGE", "clear"]

ANNOUNCED: Final = "announced.json"
"""In a data folder: the generations that servers without it may read, oldest first, with the time of each."""
STAGE: Final = ".stage-"
_GONE: Final = ".gone-"


def clear(root: Path, current: int) -> None:
    """Of a data folder whose published generation is `current`. What servers elsewhere may read stays."""
    with suppress(FileNotFoundError):
        for entry in (root / GENERATIONS).iterdir():
            if entry.name.startswith((STAGE, _GONE)):
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name.isdigit() and not _oldest(root, current) <= int(entry.name) <= current:
                _remove(entry)


def _oldest(root: Path, current: int) -> int:
    """The first generation that stays."""
    try:
        return int(json.loads((root / ANNOUNCED).read_bytes())[0][0])
    except FileNotFoundError:
        return current


def _remove(generation: Path) -> None:
    lock = FileLock.exclusive(generation / LOCK)
    if lock is None:
        return  # somebody reads it; a later run will remove it
    gone = generation.with_name(f"{_GONE}{generation.name}")
    generation.rename(gone)  # from here on no reader finds it
    shutil.rmtree(gone, ignore_errors=True)
    lock.close()
