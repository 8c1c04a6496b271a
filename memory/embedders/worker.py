"""What a bulk-embedding worker runs: an encoder source on standard input, then lists of texts; vectors on standard
output.

The parent's frames are pickles; back comes a message, empty when the model could be loaded, then float32. End of input
ends the worker.
"""

from __future__ import annotations

import contextlib
import pickle
import sys
from typing import Any, BinaryIO

from memory.embedders.local import encode_each
from memory.errors import ModelError
from memory.processes import read_frame, write_frame

__all__ = ["main", "serve"]


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
        write_frame(answers, str(error).encode())
        return
    write_frame(answers, b"")
    while (texts := _receive(requests)) is not None:
        write_frame(answers, encode_each(encode, texts, source.dimension).tobytes())


def _receive(requests: BinaryIO) -> Any:
    data = read_frame(requests)
    return None if data is None else pickle.loads(data)  # noqa: S301 - our own parent wrote it
