"""Copying what is mostly holes: a vector shard of four chunks is 196 KB on disk and 108 MB by its length.

See docs/design.md#generations.

First the whole file as a reference to the same blocks, where the file system can (FICLONE: btrfs, xfs); else only the
ranges that hold data (SEEK_DATA, lseek(2)), and of these what is not zero: in memory a hole that was looked at is data.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

_FICLONE: Final = 0x40049409  # linux/fs.h: _IOW(0x94, 9, int)
_BLOCK: Final = 1 << 16
_ZEROS: Final = bytes(_BLOCK)
_PASSES: Final = 5


def copy_tree(source: Path, target: Path, fixed: Collection[Path] = ()) -> None:
    """The folder with everything in it, into `target`, which is made. fixed: files that no one will write to again,
    which are there under a second name instead.

    Readers of the source may replace small files meanwhile: one that vanishes is no error, and the folder is looked at
    again until a look finds nothing new.
    """
    target.mkdir(parents=True, exist_ok=True)
    copied: dict[str, tuple[int, int, int]] = {}
    for _ in range(_PASSES):
        fresh = {name: mark for name, mark in _marks(source).items() if copied.get(name) != mark}
        if not fresh:
            break
        for name, mark in fresh.items():
            try:
                (link_file if source / name in fixed else copy_file)(source / name, target / name)
            except FileNotFoundError:
                continue
            copied[name] = mark
    for folder in (entry for entry in source.iterdir() if entry.is_dir()):
        copy_tree(folder, target / folder.name, fixed)


def _marks(folder: Path) -> dict[str, tuple[int, int, int]]:
    """What tells one state of a file from the next: which file it is, its length and its last change."""
    marks = {}
    for entry in folder.iterdir():
        try:
            state = entry.stat()
        except FileNotFoundError:
            continue
        if not entry.is_dir():
            marks[entry.name] = (state.st_ino, state.st_size, state.st_mtime_ns)
    return marks


def link_file(source: Path, target: Path) -> None:
    """A file that no one writes to any more, under a second name; where the file system refuses that, a copy."""
    try:
        os.link(source, target)
    except OSError:
        copy_file(source, target)


def copy_file(source: Path, target: Path) -> None:
    """One file, its holes kept. Raises FileNotFoundError when it is gone, OSError when there is no room."""
    with source.open("rb") as reading, target.open("wb") as writing:
        if not _cloned(reading.fileno(), writing.fileno()):
            _copy_ranges(reading.fileno(), writing.fileno(), os.fstat(reading.fileno()).st_size)


def _cloned(source: int, target: int) -> bool:
    import fcntl  # noqa: PLC0415 - the module exists on POSIX alone

    try:
        fcntl.ioctl(target, _FICLONE, source)
    except OSError:
        return False
    return True


def _copy_ranges(source: int, target: int, length: int) -> None:
    """What the file held when it was `length` long: one that grows meanwhile has data past it, and had no end."""
    os.ftruncate(target, length)
    end = 0
    while end < length and (start := next_data(source, end)) is not None:
        end = min(os.lseek(source, start, os.SEEK_HOLE), length)
        at = start
        while at < end and (block := os.pread(source, min(_BLOCK, end - at), at)):
            at += len(block) if block == _ZEROS[: len(block)] else os.pwrite(target, block, at)


def next_data(source: int, offset: int) -> int | None:
    """The place of the next byte that is stored; None when nothing but a hole is left."""
    try:
        return os.lseek(source, offset, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return None  # nothing but a hole from here to the end
        raise
