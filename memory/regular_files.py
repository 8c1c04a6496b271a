"""The one way to open a file of a repository: what somebody put in its place may be a link, a pipe or a device.

A pipe without a writer would never open and a device never end, so a file is opened without waiting and asked what it
is before a byte is read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class NotARegularFileError(OSError):
    """A folder, a pipe, a socket or a device."""


class FileTooLargeError(OSError):
    """More bytes than asked for."""


@contextmanager
def open_regular(
    file: Path, limit: int, *, within: Path | None = None
) -> Iterator[tuple[BufferedReader, os.stat_result]]:
    """A regular file of at most `limit` bytes, open for reading, and its state from before the first byte.

    Args:
        within: a folder that links may lead through and not out of; without it the file itself may be no link.

    Raises:
        NotARegularFileError, FileTooLargeError, or another OSError: not there, not permitted, a link (`ELOOP`).
    """
    descriptor = os.open(file if within is None else _resolved(file, within), _FLAGS)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise NotARegularFileError(errno.EINVAL, "no regular file", str(file))
        if state.st_size > limit:
            raise FileTooLargeError(errno.EFBIG, "too large", str(file))
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            yield stream, state
    finally:
        os.close(descriptor)


def read_regular(file: Path, limit: int, *, within: Path | None = None) -> tuple[bytes, os.stat_result]:
    """The bytes of a regular file of at most `limit`, and its state from before they were read.

    Args and Raises: those of `open_regular`; FileTooLargeError also for a file that holds more than it says.
    """
    with open_regular(file, limit, within=within) as (stream, state):
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise FileTooLargeError(errno.EFBIG, "too large", str(file))
    return data, state


def _resolved(file: Path, within: Path) -> str:
    target = os.path.realpath(file)  # of a loop of links itself, which then does not open
    if not Path(target).is_relative_to(os.path.realpath(within)):
        raise PermissionError(errno.EACCES, f"leads out of {within}", str(file))
    return target
