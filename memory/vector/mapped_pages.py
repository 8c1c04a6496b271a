"""Pages of a shard's payload index that the engine maps in whole at every load, whatever `memory` says: 4 MB a key, of
which a segment that is still empty uses nothing.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

__all__ = ["let_index_pages_go"]

_MAPS: Final = Path("/proc/self/maps")
_MADV_DONTNEED: Final = 4


def let_index_pages_go(shard: Path) -> None:
    """Count them out of this process's memory, on Linux alone: those that are read or written come again from the file.

    That is what madvise(2) says of shared mappings; private ones would lose what was written to them.
    """
    if sys.platform != "linux" or not _MAPS.is_file():
        return
    libc = ctypes.CDLL(None)
    for start, end in list(_index_pages(f"{shard.resolve()}/segments/")):
        libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _MADV_DONTNEED)


def _index_pages(segments: str) -> Iterator[tuple[int, int]]:
    """Where they are mapped; proc_pid_maps(5)."""
    for line in _MAPS.read_text(encoding="utf-8", errors="replace").splitlines():
        place, _, file = line.partition(segments)
        if "/payload_index/" in file and file.endswith("/page_0.dat"):
            addresses, permissions = place.split(maxsplit=2)[:2]
            if permissions.endswith("s"):
                start, _, end = addresses.partition("-")
                yield int(start, 16), int(end, 16)
