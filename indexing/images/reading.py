"""Which files are pictures, and whether one can be read."""

from __future__ import annotations

from pathlib import Path

from indexing.reading import FileState, Skipped, read_bytes
from memory.embedders.images import decoded
from memory.errors import InvalidInputError

__all__ = ["is_picture", "read_picture"]

_ENDS = (".png", ".jpg", ".jpeg", ".webp")
_NO_LIMIT = 1 << 31


def is_picture(path: str) -> bool:
    """PNG, JPEG or WebP, by its name."""
    return path.lower().endswith(_ENDS)


def read_picture(path: Path, *, max_file_bytes: int = _NO_LIMIT) -> FileState | Skipped:
    """The state of a file that holds a whole picture; `undecodable` where it holds none."""
    read = read_bytes(path, max_file_bytes)
    if isinstance(read, Skipped):
        return read
    data, state = read
    try:
        decoded(data)
    except InvalidInputError:
        return Skipped("undecodable")
    return state
