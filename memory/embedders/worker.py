"""What a bulk-embedding worker runs: an encoder source on standard input, then lists of texts; vectors on standard output.

A frame is four bytes of length and the data: pickles from the parent; back a message, empty when the model could be
loaded, then float32. End of input ends the worker.
"""

from __future__ import annotations

import contextlib
import pickle
import struct
import sys
from typing import Any, BinaryIO

from memory.embedders.local import encode_each
from memory.errors import ModelError

__all__ = ["main", "serve"]

_LENGTH = struct.Struct(">I")


def main() -> None:
    """Serve the parent on the standard streams."""
    with contextlib.suppress(BrokenPipeError):  # the parent is gone
        serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Load the source that comes first, then answer each list of texts with their vectors."""
    source = _receive(requests)
    if source is None:
        return
    try:
        encode = source.load()
    except ModelError as error:
        _send(answers, str(error).encode())
        return
    _send(answers, b"")
    while (texts := _receive(requests)) is not None:
        _send(answers, encode_each(encode, texts, source.dimension).tobytes())


def _send(answers: BinaryIO, data: bytes) -> None:
    answers.write(_LENGTH.pack(len(data)) + data)
    answers.flush()


def _receive(requests: BinaryIO) -> Any:
    header = requests.read(_LENGTH.size)
    if len(header) < _LENGTH.size:
        return None
    (size,) = _LENGTH.unpack(header)
    data = requests.read(size)
    return pickle.loads(data) if len(data) == size else None  # noqa: S301 - our own parent wrote it
