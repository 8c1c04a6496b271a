"""Numbers of a generation, kept as numpy arrays: one file a project, never pickled."""

from __future__ import annotations

import hashlib
import io
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from memory.errors import DamagedIndexError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memory.disk import Disk

__all__ = ["array_file", "keep_files", "read_arrays"]


def array_file(folder: Path, project: str) -> Path:
    """A project's file, called by a hash, since a project's name need be no file's."""
    return folder / f"{hashlib.sha256(project.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}.npz"


def keep_files(disk: Disk, folder: Path, projects: Iterable[str], before: Path) -> None:
    """Link to another folder's files of these projects, but for those that are here. Raises OSError."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for project in projects:
        here, there = array_file(folder, project), array_file(before, project)
        if not here.exists() and there.exists():
            disk.link(there, here)


def read_arrays(folder: Path, project: str, names: Sequence[str]) -> Mapping[str, NDArray[Any]] | None:
    """These arrays of a project's file; None where there is no file. Raises DamagedIndexError where it is damaged."""
    file = array_file(folder, project)
    try:
        with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
            return {name: arrays[name] for name in names}
    except FileNotFoundError:
        return None
    except (BadZipFile, zlib.error, KeyError, ValueError, OSError, EOFError, RuntimeError, MemoryError) as error:
        raise DamagedIndexError(file, f"can't be read: {error}") from error
