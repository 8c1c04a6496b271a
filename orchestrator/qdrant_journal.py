"""What a run is about to do on a Qdrant server, written down before it does (decision record 0024)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from memory.generation import Disk
from memory.generation.pointer import Pointer, numbers_in

__all__ = ["Begun", "QdrantJournal"]

_NAME: Final = "qdrant.journal"


@dataclass(frozen=True, slots=True)
class Begun:
    """The generation that a run began to write, of which index, and in which collection."""

    collection: str
    namespace: str
    generation: int


@dataclass(frozen=True, slots=True)
class QdrantJournal:
    """The journal of one data folder, and what that says beside it: the generations that are there."""

    root: Path

    @classmethod
    def beside(cls, part: Path) -> QdrantJournal:
        """The journal of the data folder in which this is a part of a generation."""
        return cls(part.parent.parent.parent)

    @property
    def current(self) -> int:
        """The published generation; 0 before the first."""
        pointer = Pointer.read(self.root)
        return pointer.number if pointer else 0

    @property
    def oldest(self) -> int:
        """The first generation that is still kept for a reader; 0 before the first."""
        return min(numbers_in(self.root), default=0)

    def read(self) -> Begun | None:
        """What was begun and is not settled."""
        try:
            return Begun(**json.loads((self.root / _NAME).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def write(self, begun: Begun) -> None:
        """Lasts before anything is done."""
        Disk().write(self.root / _NAME, [json.dumps(asdict(begun))])

    def clear(self) -> None:
        """Nothing is left to do."""
        (self.root / _NAME).unlink(missing_ok=True)
