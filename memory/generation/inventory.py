"""Which files a generation consists of, each with its size and checksum: what they are held against when they are read.

files.json lists them, the manifest among them, and `CURRENT` has the checksum of files.json: so damage to any file is
seen. Whoever opens a generation looks at every size and at the checksums of as much as takes a moment, the small files
first; `doctor --deep` looks at all. Decision record 0041.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Final

from memory.copying import next_data
from memory.vector.edge_files import is_rewritten

_BLOCK: Final = 16 * 2**10  # smaller ones take longer to compare, of larger ones more is read for a few bytes
_EMPTY: Final = bytes(_BLOCK)
_READ: Final = 64 * _BLOCK

VECTORS: Final = "vectors"
GRAPH: Final = "graph"
MANIFEST: Final = "manifest.json"
FACTS: Final = "facts"
STATEMENTS: Final = "statements"
VOCABULARY: Final = "vocabulary"
FILES: Final = "files.json"
LOCK: Final = "lock"  # holds nothing
PIECES: Final = "pieces.json"  # made after it was published (decision record 0084)


@dataclass(frozen=True, slots=True)
class FileChecksum:
    """size: the file's length; held: how many bytes were read for the checksum, the holes left out."""

    size: int
    checksum: int
    held: int = field(compare=False)


def state_of(file: Path, *, by_value: bool = False) -> FileChecksum | None:
    """What the file holds; None where there is no such file, or something else in its place.

    by_value: of a JSON document the values, in whatever order its keys are written. Raises OSError.
    """
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # no waiting for a FIFO's other end
    except FileNotFoundError:
        return None
    try:
        opened = os.fstat(handle)
        if not stat.S_ISREG(opened.st_mode):
            return None
        return _of_values(handle, opened.st_size) if by_value else _of_blocks(handle, opened.st_size)
    finally:
        os.close(handle)


def _of_blocks(handle: int, size: int) -> FileChecksum:
    end = held = checksum = 0
    while end < size and (data := next_data(handle, end)) is not None:
        start = data - data % _BLOCK
        hole = os.lseek(handle, data, os.SEEK_HOLE)
        end = min(hole + -hole % _BLOCK, size)
        while start < end and (read := os.pread(handle, min(_READ, end - start), start)):
            checksum = _added(checksum, start, read)
            start += len(read)
            held += len(read)
    return FileChecksum(size, checksum, held)


def _added(checksum: int, start: int, read: bytes) -> int:
    for at in range(0, len(read), _BLOCK):
        block = read[at : at + _BLOCK]
        if block != _EMPTY[: len(block)]:
            checksum = zlib.crc32(block, zlib.crc32((start + at).to_bytes(8, "big"), checksum))
    return checksum


def _of_values(handle: int, size: int) -> FileChecksum:
    text = os.pread(handle, size, 0)
    with suppress(ValueError, RecursionError):  # what is no document any more is compared as it is
        text = json.dumps(json.loads(text), sort_keys=True).encode()
    return FileChecksum(size, zlib.crc32(text), size)


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong with one file of a generation."""

    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """The files of one generation, by their path in its folder."""

    files: Mapping[str, FileChecksum] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, before: Path | None = None, known: Inventory | None = None) -> Inventory:
        """What is in a folder. Raises OSError.

        before, known: an earlier generation and its inventory. A file that is one of its under a second name is taken
        from there: what it was when it was written counts, not what may have become of it.
        """
        files = {}
        for path in sorted(_paths(folder)):
            linked = known.files.get(path) if known and before and is_same(folder / path, before / path) else None
            if state := linked or _state(folder, path):
                files[path] = state
        return cls(files)

    def damages(self, folder: Path, *, most: int | None = None, without: Collection[str] = ()) -> Iterator[Damage]:
        """What is wrong in the folder: first every size is looked at, then the checksums, of the smallest files first.

        most: how many bytes may be read for checksums, by default all. without: folders in it that are passed over.
        """
        whole = []
        for path, state in self.files.items():
            if path.partition("/")[0] not in without:
                if problem := _other_size(folder / path, state):
                    yield Damage(path, problem)
                else:
                    whole.append((state.held, path))
        read = 0
        for held, path in sorted(whole):
            read += held
            if most is not None and read > most:
                return
            if problem := self._other_content(folder, path):
                yield Damage(path, problem)

    def to_json(self) -> str:
        """One JSON document; a file is a row of size, bytes held and checksum."""
        return json.dumps(
            {"files": {path: astuple(state) for path, state in self.files.items()}}, separators=(",", ":")
        )

    @classmethod
    def from_json(cls, text: bytes) -> Inventory:
        """The value `to_json` came from."""
        return cls({path: FileChecksum(*row) for path, row in json.loads(text)["files"].items()})

    def _other_content(self, folder: Path, path: str) -> str:
        try:
            found = _state(folder, path)
        except OSError as error:
            return unreadable(error)
        return "" if found == self.files[path] else "does not hold what was written to it"


def checksum_of(text: bytes) -> str:
    """Of an inventory's document."""
    return f"{zlib.crc32(text):08x}"


def unreadable(error: OSError) -> str:
    """What is wrong with a file that can't be read. Raises the error itself where that is no damage: a permission."""
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return "is missing"
    if error.errno in {errno.EISDIR, errno.EIO, errno.ELOOP}:
        return f"can't be read: {error.strerror}"
    raise error


def _paths(folder: Path) -> Iterator[str]:
    for inside, _, names in os.walk(folder):
        for name in names:
            path = Path(inside, name).relative_to(folder).as_posix()
            if path not in {FILES, LOCK}:
                yield path


def _state(folder: Path, path: str) -> FileChecksum | None:
    return state_of(folder / path, by_value=is_rewritten(path))


def is_same(file: Path, other: Path) -> bool:
    """Whether both are names of one file."""
    try:
        return file.samefile(other)
    except FileNotFoundError:
        return False


def _other_size(file: Path, state: FileChecksum) -> str:
    try:
        found = file.stat()
    except OSError as error:
        return unreadable(error)
    if not stat.S_ISREG(found.st_mode):
        return "is no file any more"
    return "" if found.st_size == state.size else f"has {found.st_size} bytes, not the {state.size} that were written"
