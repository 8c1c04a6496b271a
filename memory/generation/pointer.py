"""`CURRENT`: one line with the number of the published generation and the checksum of what lists its files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from memory.errors import DamagedIndexError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CURRENT", "GENERATIONS", "Pointer", "numbers_in"]

CURRENT: Final = "CURRENT"
GENERATIONS: Final = "generations"
_LINE: Final = re.compile(r"([1-9]\d*)(?: ([0-9a-f]{8}))?\n")


@dataclass(frozen=True, slots=True)
class Pointer:
    """What `CURRENT` says. inventory: the checksum of the generation's files.json, '' where it was made without one."""

    number: int
    inventory: str = ""

    @classmethod
    def read(cls, root: Path) -> Pointer | None:
        """That of a data folder; None before the first generation. Raises DamagedIndexError, OSError."""
        file = root / CURRENT
        try:
            line = _LINE.fullmatch(file.read_bytes().decode("latin-1"))
        except FileNotFoundError:
            if numbers_in(root):
                raise DamagedIndexError(file, "is missing") from None
            return None
        except IsADirectoryError:
            line = None
        if line is None:
            raise DamagedIndexError(file, "does not name a generation")
        return cls(int(line[1]), line[2] or "")

    def line(self) -> str:
        """As it is written."""
        return f"{self.number} {self.inventory}".strip() + "\n"


def numbers_in(root: Path) -> list[int]:
    """Of the generations that are there, published or about to be."""
    folder = root / GENERATIONS
    return sorted(int(entry.name) for entry in folder.iterdir() if entry.name.isdigit()) if folder.is_dir() else []
