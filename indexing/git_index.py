"""Which folders git's index has files of (gitformat-index(5)).

Versions 2 to 4, and the shared index that a split one leads to; what is none of these has no folders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_HEADER: Final = 12
_SIGNATURE: Final = b"DIRC"
_STATE: Final = 40
"""The bytes of an entry before its object's id: times, device, inode, mode, owner and size."""
_EXTENDED: Final = 0x4000
_ALIGNED: Final = 8
_NO_OBJECT: Final = re.compile(r"0+")


def tracked_folders(data: bytes, id_bytes: int) -> frozenset[str]:
    """The folders that have files in an index, each with those around it, relative to the repository's top.

    Args:
        data: the file.
        id_bytes: how long an object's id is: 20 for SHA-1, 32 for SHA-256.
    """
    found: set[str] = set()
    for name in _names(data, id_bytes):
        folder = name.decode("utf-8", "replace").rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)


def shared_index(data: bytes, id_bytes: int) -> str:
    """The name of the file beside a split index that has the other entries; '' where it is whole."""
    at = data.rfind(b"link")
    object_id = data[at + 8 : at + 8 + id_bytes].hex() if at > 0 else ""
    known = len(object_id) == 2 * id_bytes and not _NO_OBJECT.fullmatch(object_id)
    return f"sharedindex.{object_id}" if known else ""


def _names(data: bytes, id_bytes: int) -> Iterator[bytes]:
    version, count = int.from_bytes(data[4:8]), int.from_bytes(data[8:_HEADER])
    if data[:4] != _SIGNATURE or not 2 <= version <= 4:
        return
    at, before = _HEADER, b""
    for _ in range(count):
        flags_at = at + _STATE + id_bytes
        flags = int.from_bytes(data[flags_at : flags_at + 2])
        start = flags_at + (4 if flags & _EXTENDED else 2)
        kept = b""
        if version == 4:
            removed, start = _number(data, start)
            kept = before[: len(before) - removed] if removed <= len(before) else b""
        end = data.find(b"\0", start)
        if end < 0:
            return
        before = kept + data[start:end]
        yield before
        length = end - at
        at = end + 1 if version == 4 else at + (length + _ALIGNED) // _ALIGNED * _ALIGNED


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable width, as git writes an offset, and where it ends."""
    value = -1
    while at < len(data):
        byte = data[at]
        value = (value + 1 << 7) | (byte & 0x7F)
        at += 1
        if byte < 0x80:
            break
    return max(value, 0), at
