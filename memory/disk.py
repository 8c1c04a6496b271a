"""How a generation reaches the disk: durably, for its owner alone, and so that a test can make it run out of room."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from memory.copying import copy_file, copy_tree, link_file
from memory.errors import DataFolderError, StorageFullError

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

_FLUSHED_AT_ONCE: Final = 16

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_READ_ONLY: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_NO_FOLDER: Final = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG}
)


def make_folder(path: Path) -> None:
    """The folder is there and its owner's alone, as the one that a link in its place leads to; the folders above it
    are made as the system makes them.
    """
    path.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    _tighten(Path(os.path.realpath(path)))


def make_private(folder: Path) -> None:
    """A folder with everything in it, but for links in it and what belongs to somebody else."""
    for place, _, names in os.walk(os.path.realpath(folder)):
        _tighten(Path(place))
        for name in names:
            _tighten(Path(place, name))


def is_private(path: Path) -> bool:
    """Whether no one but the owner has a right to it."""
    return not path.stat().st_mode & _OTHERS


def private_opener(path: str, flags: int) -> int:
    """For `open`: a new file is its owner's alone, and a link in its place is not followed."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), FILE_MODE)


def _tighten(path: Path) -> None:
    """Take away the others' rights, if we may: it may be somebody else's, gone, or on a disk that is read only."""
    with suppress(OSError):
        state = path.lstat()
        if state.st_mode & _OTHERS and not stat.S_ISLNK(state.st_mode):
            path.chmod(FOLDER_MODE if stat.S_ISDIR(state.st_mode) else FILE_MODE)


class Disk:
    """The machine's file system."""

    def write(self, path: Path, lines: Iterable[str]) -> None:
        """The file holds these lines, flushed to the device, or is as it was: written beside, then renamed."""
        self._replace(path, (line.encode("utf-8") for line in lines))

    def write_bytes(self, path: Path, content: bytes) -> None:
        """`write`, of bytes."""
        self._replace(path, [content])

    @staticmethod
    def _replace(path: Path, pieces: Iterable[bytes]) -> None:
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            with open(beside, "wb", opener=private_opener) as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        _sync(path.parent)

    def copy(self, source: Path, target: Path, fixed: Collection[Path] = ()) -> None:
        """A file or a folder, holes kept. fixed: files in it that no one will write to again, which are linked."""
        if source.is_dir():
            copy_tree(source, target, fixed)
        else:
            copy_file(source, target)

    def link(self, source: Path, target: Path) -> None:
        """A file that no one writes to any more, or a folder of such, under a second name."""
        if source.is_dir():
            target.mkdir()
            for entry in source.iterdir():
                link_file(entry, target / entry.name)
        else:
            link_file(source, target)

    def publish(self, stage: Path, target: Path) -> None:
        """Flush everything in the stage, its owner's alone, then give it its name."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - who reads does without

        make_private(stage)
        written = []
        for folder, _, names in os.walk(stage):
            files = (Path(folder, name) for name in names)
            written += [
                file for file in files if file.stat().st_nlink == 1
            ]  # a second name's was flushed with the first
            written.append(Path(folder))
        with ThreadPoolExecutor(_FLUSHED_AT_ONCE) as flushing:  # the device takes many together in a third of the time
            for _ in flushing.map(_sync, written):
                pass
        stage.rename(target)
        _sync(target.parent)


class FullDisk(Disk):
    """A disk that has room for so many operations and no more; for tests."""

    def __init__(self, room: int) -> None:
        self.room = room

    def _take(self, path: Path) -> None:
        if self.room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        self.room -= 1

    def write(self, path: Path, lines: Iterable[str]) -> None:
        self._take(path)
        super().write(path, lines)

    def write_bytes(self, path: Path, content: bytes) -> None:
        self._take(path)
        super().write_bytes(path, content)

    def copy(self, source: Path, target: Path, fixed: Collection[Path] = ()) -> None:
        self._take(target)
        super().copy(source, target, fixed)

    def link(self, source: Path, target: Path) -> None:
        self._take(target)
        super().link(source, target)

    def publish(self, stage: Path, target: Path) -> None:
        self._take(target)
        super().publish(stage, target)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_full(error: BaseException) -> bool:
    """No room on the disk, over the quota, or over the limit of a file's size."""
    return isinstance(error, OSError) and error.errno in _FULL


@contextmanager
def explained(where: Path) -> Iterator[None]:
    """What the system refuses, in people's words: StorageFullError or DataFolderError; other errors pass."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise StorageFullError(str(where)) from error
        if error.errno in _READ_ONLY:
            raise DataFolderError(
                f"The data folder {where} may not be read or written: {error.strerror}.",
                "Change its permissions, or choose another with --data-dir.",
            ) from error
        if error.errno in _NO_FOLDER:
            raise DataFolderError(
                f"{where} can't be a data folder: {error.strerror}.", "Choose another with --data-dir."
            ) from error
        raise
