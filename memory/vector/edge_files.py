"""Room on the disk. An engine that maps its files must have it beforehand: where a page that is written finds none, the
system ends the process (SIGBUS, mmap(2)). In a file system that lies in memory a page that is only read takes room as
well.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memory.errors import StorageFullError

_MOUNTS: Final = Path("/proc/self/mountinfo")
_MAPPED_WHOLE: Final = 8 * 2**20
_A_SEGMENT: Final = 72 * 2**20  # what a new one maps; 66 MB (run on Edge 0.9)

_ONLY_READ: Final = ("/matrix.dat", "/inverted_index.dat", "/point_to_values.bin", "/values_to_points.bin")
_REWRITTEN: Final = ("edge_config.json", "segment.json")
_MATRIX: Final = "vector_storage-*/matrix.dat"
_FIXED: Final = (
    _MATRIX,
    "vector_storage-*/store/page_*.dat",
    "vector_index-*/inverted_index.dat",
    "payload_storage/page_*.dat",
    "payload_index/*/point_to_values.bin",
    "payload_index/*/values_to_points.bin",
)


def free_bytes(path: Path) -> int:
    """On the disk that a path is on, or will be."""
    return shutil.disk_usage(_there(path)).free


def is_in_memory(path: Path) -> bool:
    """Whether it is on a file system in memory, on Linux alone; proc_pid_mountinfo(5)."""
    if sys.platform != "linux" or not _MOUNTS.is_file():
        return False
    device = _there(path).stat().st_dev
    name = f"{os.major(device)}:{os.minor(device)}"
    for line in _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
        fields = line.split()
        if fields[2] == name:
            return fields[fields.index("-") + 1] == "tmpfs"
    return False


def bytes_on_disk(folder: Path) -> int:
    """What the files of a folder take."""
    return sum(state.st_blocks * 512 for state in _states(folder))


def bytes_to_map(shard: Path) -> int:
    """What loading a shard takes of a file system in memory: its small files are mapped whole, and are mostly holes."""
    small = (state for state in _states(shard) if state.st_size <= _MAPPED_WHOLE)
    return sum(max(0, state.st_size - state.st_blocks * 512) for state in small)


@dataclass(frozen=True, slots=True)
class Room:
    """How much there is, asked each time. free: bytes on a path's disk; in_memory: whether that is one in memory."""

    free: Callable[[Path], int] = free_bytes
    in_memory: Callable[[Path], bool] = is_in_memory

    def check(self, shard: Path, wanted: int, *, segments: int = 0) -> None:
        """Raises StorageFullError where there may be no room for so many bytes and new segments, mapped as they are."""
        if self.in_memory(shard):
            wanted += bytes_to_map(shard) + segments * _A_SEGMENT
        if (free := self.free(shard)) < wanted:
            raise StorageFullError(str(shard), wanted=wanted, free=free)


def _states(folder: Path) -> Iterator[os.stat_result]:
    return (file.stat() for file in folder.rglob("*") if file.is_file())


def _there(path: Path) -> Path:
    """The path, or the nearest folder above it that exists."""
    return next(one for one in (path, *path.absolute().parents) if one.exists())


def fixed_files(shard: Path) -> frozenset[Path]:
    """Those of a shard's folder; of segments that are still appended to none, and none of another folder."""
    sealed = (segment for segment in shard.glob("segments/*") if next(segment.glob(_MATRIX), None))
    return frozenset(file for segment in sealed for pattern in _FIXED for file in segment.glob(pattern))


def is_only_read(path: str) -> bool:
    """Whether the engine opens this file, which may be large, for nothing but reading."""
    return path.endswith(_ONLY_READ)


def is_rewritten(path: str) -> bool:
    """Whether a load or a close writes this file anew: the same document, its keys in any order."""
    return path.endswith(_REWRITTEN)
