"""Who may read what is stored: its owner alone, whatever the system's default, since a project may be private too."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

__all__ = ["FILE_MODE", "FOLDER_MODE", "is_private", "make_folder", "make_private", "private_opener"]

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_folder(path: Path) -> None:
    """The folder is there and its owner's alone; the folders above it are made as the system makes them."""
    path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    _tighten(path)


def make_private(folder: Path) -> None:
    """A folder with everything in it, but for links and what belongs to somebody else."""
    for place, _, names in os.walk(folder):
        _tighten(Path(place))
        for name in names:
            _tighten(Path(place, name))


def is_private(path: Path) -> bool:
    """Whether nobody but the owner has a right to it."""
    return not path.stat().st_mode & _OTHERS


def private_opener(path: str, flags: int) -> int:
    """For `open`: a new file is its owner's alone, and a link in its place is not followed."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)


def _tighten(path: Path) -> None:
    """Take away the others' rights, if we may: it may be somebody else's, gone since, or on a disk that is read only."""
    with suppress(OSError):
        state = path.lstat()
        if state.st_mode & _OTHERS and not stat.S_ISLNK(state.st_mode):
            path.chmod(FOLDER_MODE if stat.S_ISDIR(state.st_mode) else FILE_MODE)
