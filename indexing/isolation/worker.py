"""What a reading process runs: the settings on standard input, then looks; answers on standard output, all of them
JSON.

The system itself ends it where a file takes too long or too much memory, be it in the midst of a native library: the
signals are left to their default. What a rule of the user's own prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from contextlib import suppress
from typing import BinaryIO

from configs.settings import IndexingSettings
from indexing.isolation.looking import Looking, mistake
from memory.errors import ConfigError
from memory.processes import read_frame, write_frame

__all__ = ["main", "serve"]

WAITING = 6
"""A file may wait for so many times the processor's time that it may take: for a disk, or for others at the
processor.
"""


def main() -> None:
    """Serve the parent on the standard streams."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a descriptor is asked for
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    with suppress(BrokenPipeError):  # the parent is gone
        serve(requests, answers)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Take the settings, which come first, then answer each look."""
    frame = read_frame(requests)
    if frame is None:
        return
    settings = IndexingSettings(**json.loads(frame))
    try:
        looking = Looking(settings)
    except ConfigError as error:
        write_frame(answers, mistake(error))
        return
    write_frame(answers, b"{}")
    _limit_memory(settings.file_memory_mb << 20)
    while (frame := read_frame(requests)) is not None:
        _limit_time(settings.file_timeout_ms / 1000)
        answer = looking.answer(json.loads(frame))
        _limit_time(0)
        write_frame(answers, answer)


def _limit_time(seconds: float) -> None:
    """From now on; 0: none."""
    signal.setitimer(signal.ITIMER_PROF, seconds)  # of the processor, so that a busy machine changes nothing
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITING)


def _limit_memory(size: int) -> None:
    with suppress(ValueError, OSError):  # a system that knows no such limit, or a lower one that holds already
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
