"""Whether the files of a model are what they were: SHA-256 (FIPS 180-4) of all that is read of its folder.

A folder that has a file SHA256SUMS, as sha256sum(1) writes it, is held against that whenever the model is loaded; the
one that comes with this package has one. What an index was made with is in its manifest, as the
folder's fingerprint. A hash is taken once a process and state of a file: 14 ms for the 23 MB of all-MiniLM-L6-v2 where
the processor helps, 50 where it does not.
"""

from __future__ import annotations

import hashlib
import os
import threading
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SUMS", "check_files", "fingerprint", "onnx_size", "readable", "sums"]

SUMS: Final = "SHA256SUMS"
_READ: Final = (".onnx", ".onnx_data", ".onnx.data", ".json", ".txt")
_hashing: Final = threading.Lock()  # who comes second finds it done


def check_files(folder: Path | str) -> None:
    """Raises ModelError that names the file when one is not what SHA256SUMS says;
    without that there is nothing to go by.
    """
    folder = Path(folder)
    with readable(folder):
        if not (folder / SUMS).is_file():
            return
        for line in (folder / SUMS).read_text("utf-8", errors="replace").splitlines():
            digest, _, name = line.partition("  ")
            if not (folder / name).is_file() or _hash_of(folder / name) != digest:
                raise ModelError(
                    f"The model in {folder} is damaged: {name!r} is not what {SUMS} says.",
                    "Remove that folder and run it again, or put the file back where the folder is your own.",
                )


def sums(folder: Path) -> str:
    """The text of a SHA256SUMS for a folder. Raises OSError."""
    return "".join(f"{_hash_of(file)}  {file.relative_to(folder).as_posix()}\n" for file in _files(folder))


def fingerprint(folder: Path | str) -> str:
    """One hash of all that a model's folder holds, whatever else lies there.
    Raises ModelError when it can't be read.
    """
    with readable(Path(folder)):
        return hashlib.sha256(sums(Path(folder)).encode()).hexdigest()


def onnx_size(folder: Path | str) -> int:
    """The size of its model.onnx, which tells the weights of one name apart;
    0 where there is none. Raises ModelError.
    """
    file = Path(folder) / "model.onnx"
    with readable(Path(folder)):
        return file.stat().st_size if file.is_file() else 0


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Raise what the system refuses of a model's folder as ModelError."""
    try:
        yield
    except OSError as error:
        raise ModelError(
            f"The model folder {folder} can't be read: {error.strerror}.",
            "Check its permissions, or name another folder.",
        ) from error


def _files(folder: Path) -> list[Path]:
    def refuse(error: OSError) -> None:
        raise error  # else a folder that may not be read is an empty one

    inside = os.walk(folder, onerror=refuse)
    return sorted(Path(where, name) for where, _, names in inside for name in names if name.endswith(_READ))


def _hash_of(file: Path) -> str:
    state = file.stat()
    with _hashing:
        return _hash(file, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=256)
def _hash(file: Path, *_state: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
