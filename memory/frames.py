"""What two processes say to each other over a pipe: four bytes of length, then the data."""

from __future__ import annotations

import struct
from typing import BinaryIO, Final

__all__ = ["LENGTH", "read_frame", "write_frame"]

LENGTH: Final = struct.Struct(">I")


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; None where they end."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(header)
    data = stream.read(size)
    return data if len(data) == size else None


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """One frame, at once."""
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()
