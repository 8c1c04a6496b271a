"""Of which pieces a generation's files consist, for whoever reads them elsewhere (decision record 0084).

pieces.json in the generation's folder lists them. It is cut into pieces itself, which the pointer names.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory.disk import Disk
from memory.generation.inventory import FACTS, LOCK, PIECES, is_same

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
