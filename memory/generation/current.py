"""Which generation is current, the locks of those who index and read (`flock(2)`: the kernel forgets the dead, so no
lock is stale), and the removal of what no reader can open any more and none still reads.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import shutil
import stat
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memory.disk import FILE_MODE
from memory.errors import DamagedIndexError, DataFolderError, IndexLockedError
from memory.generation.inventory import LOCK
from memory.regular_files import read_regular

CURRENT: Final = "CURRENT"
GENERATIONS: Final = "generations"
_LINE: Final = re.compile(r"([1-9]\d*) ([0-9a-f]{8})\n")

ANNOUNCED: Final = "announced.json"
"""In a data folder: the generations that servers without it may read, oldest first, with the time of each."""
_LONGEST: Final = 64
_NO_POINTER: Final = frozenset({errno.ELOOP, errno.EINVAL, errno.EFBIG})
"""What `read_regular` says of a link, of a folder, a pipe or a device, and of a file that is too large."""
STAGE: Final = ".stage-"
_GONE: Final = ".gone-"


class FileLock:
    """An open lock file; the lock goes with `close` or with the process. Not handed on to programs it starts."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    @classmethod
    def shared(cls, path: Path) -> FileLock | None:
        """A reader's lock on a file that must be there, or None when it is being removed. Raises FileNotFoundError."""
        handle = _opened(path, os.O_RDONLY)
        lock = cls._take(handle, fcntl.LOCK_SH)
        if lock is not None and os.fstat(handle).st_nlink == 0:  # deleted between opening it and getting the lock
            lock.close()
            return None
        return lock

    @classmethod
    def exclusive(cls, path: Path) -> FileLock | None:
        """The only lock on a file, which is made if it is not there; None when anybody holds one."""
        return cls._take(_opened(path, os.O_RDWR | os.O_CREAT), fcntl.LOCK_EX)

    @classmethod
    def waiting(cls, folder: Path) -> FileLock:
        """The only lock on a folder, as soon as whoever holds it has ended a moment's work."""
        handle = os.open(folder, os.O_RDONLY)
        fcntl.flock(handle, fcntl.LOCK_EX)
        return cls(handle)

    @classmethod
    def _take(cls, handle: int, kind: int) -> FileLock | None:
        lock = cls(handle)
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            return None
        return lock

    def write(self, text: str) -> None:
        """The file holds this and nothing else. Raises OSError."""
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, text.encode(), 0)

    def close(self) -> None:
        """Give it back; a second time does nothing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _opened(path: Path, flags: int) -> int:
    """A descriptor of a file; no link is followed and no pipe waited for in its place: raises DataFolderError."""
    try:
        handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise DataFolderError(f"{path} is a symbolic link.", "Remove it; it is never one of ours.") from error
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise DataFolderError(f"{path} is no file.", "Remove it; it is never one of ours.")
    return handle


def lock_for_indexing(path: Path, command: str) -> FileLock:
    """The one indexer's lock. Raises IndexLockedError that says whose it is since when, DataFolderError for a link.

    command: as it was given; what in it is a secret is not kept.
    """
    from memory.secrets import redact  # noqa: PLC0415 - who asks does without it

    lock = FileLock.exclusive(path)
    if lock is None:
        raise IndexLockedError(_holder(path))
    holder = {
        "pid": os.getpid(),
        "user": os.environ.get("USER") or f"uid {os.getuid()}",
        "command": redact("", command),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        lock.write(json.dumps(holder))
    except OSError:
        lock.close()
        raise
    return lock


def _holder(path: Path) -> str:
    try:
        holder = json.loads(path.read_text(encoding="utf-8"))
        return f"process {holder['pid']} of {holder['user']}, `{holder['command']}`, since {holder['since']}"
    except (ValueError, KeyError):
        return "a process that has only just begun"


@dataclass(frozen=True, slots=True)
class Pointer:
    """What `CURRENT` says. inventory: the checksum of the generation's files.json."""

    number: int
    inventory: str

    @classmethod
    def read(cls, root: Path) -> Pointer | None:
        """That of a data folder; None before the first generation. Raises DamagedIndexError, OSError."""
        file = root / CURRENT
        try:
            line = _LINE.fullmatch(read_regular(file, _LONGEST)[0].decode("latin-1"))
        except FileNotFoundError:
            if numbers_in(root):
                raise DamagedIndexError(file, "is missing") from None
            return None
        except OSError as error:
            if error.errno not in _NO_POINTER:
                raise
            line = None
        if line is None:
            raise DamagedIndexError(file, "does not name a generation")
        return cls(int(line[1]), line[2])

    def line(self) -> str:
        """As it is written."""
        return f"{self.number} {self.inventory}\n"


def numbers_in(root: Path) -> list[int]:
    """Of the generations that are there, published or about to be."""
    folder = root / GENERATIONS
    return sorted(int(entry.name) for entry in folder.iterdir() if entry.name.isdigit()) if folder.is_dir() else []


def clear(root: Path, current: int) -> None:
    """Of a data folder whose published generation is `current`. What servers elsewhere may read stays."""
    with suppress(FileNotFoundError):
        for entry in (root / GENERATIONS).iterdir():
            if entry.name.startswith((STAGE, _GONE)):
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name.isdigit() and not _oldest(root, current) <= int(entry.name) <= current:
                _remove(entry)


def _oldest(root: Path, current: int) -> int:
    """The first generation that stays."""
    try:
        return int(json.loads((root / ANNOUNCED).read_bytes())[0][0])
    except FileNotFoundError:
        return current


def _remove(generation: Path) -> None:
    lock = FileLock.exclusive(generation / LOCK)
    if lock is None:
        return  # somebody reads it; a later run will remove it
    gone = generation.with_name(f"{_GONE}{generation.name}")
    generation.rename(gone)  # from here on no reader finds it
    shutil.rmtree(gone, ignore_errors=True)
    lock.close()
