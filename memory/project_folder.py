"""A project's files as they are on disk now, and whether they have changed since they were indexed."""

from __future__ import annotations

import hashlib
import math
import os
import time
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self, TypeAlias

from memory.regular_files import open_regular, read_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memory.generation.manifest import ProjectRecord

_LARGEST = 1_000_000
_LARGEST_HASHED = 1 << 31
_SETTLED_NS = 2_000_000_000  # a file written since may be written again without its time telling
COUNTED_FOR = 1.0
"""Seconds that a count of changed files holds for: thousands of looks at the disk are much of a question's cost."""
_Stat: TypeAlias = tuple[int, int, int, int, int]


class ProjectFolder:
    """A project's files as they are on disk now; never outside its folder, links resolved first.

    Args:
        root: None where it is on another machine: its files are what was indexed, their text is in the store alone, and
            no path of it is looked at here.
        recorded: what the generation holds, path to SHA-256 of the bytes in hex.
        times: by path, size and times of files that surely were as recorded when they had these (st_size, st_mtime_ns,
            st_ctime_ns).
        seconds: a clock that never runs backwards.
    """

    def __init__(
        self,
        root: Path | None,
        recorded: Mapping[str, str],
        times: Mapping[str, tuple[int, int, int]] = MappingProxyType({}),
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._recorded = recorded
        self._times = times
        self._seconds = seconds
        self._unchanged: dict[str, _Stat] = {}
        self._without_secrets: dict[str, bytes] = {}
        self._count: int | None = None
        self._counted = -math.inf

    @classmethod
    def of(cls, record: ProjectRecord, *, stored: bool = False) -> Self:
        """The folder of a project in the manifest; stored: on another machine."""
        times = {file.path: (file.size, file.mtime_ns, file.ctime_ns) for file in record.files if file.is_settled}
        return cls(None if stored else Path(record.root), {file.path: file.hash for file in record.files}, times)

    @property
    def paths(self) -> tuple[str, ...]:
        """The indexed files."""
        return tuple(self._recorded)

    def has_changed(self, path: str) -> bool:
        """Whether the file on disk differs from what was indexed; one that was not has.

        A file is read again only when it is another than the one that was found unchanged, or was touched since then or
        since it was indexed.
        """
        if path not in self._recorded or self._root is None:
            return path not in self._recorded
        stat = _stat(f"{self._root}/{path}")
        if stat is not None and (self._unchanged.get(path) == stat or self._times.get(path) == stat[-3:]):
            return False
        changed = is_stale(self._root, path, self._recorded[path])
        if stat is not None and not changed:
            self._unchanged[path] = stat
        return changed

    def count_changed(self) -> int | None:
        """How many of the indexed files are others now, or gone; None where the project's folder is not on this
        machine.

        They are counted once a second at most.
        """
        now = self._seconds()
        if now - self._counted >= COUNTED_FOR:
            self._count = sum(map(self.has_changed, self._recorded)) if self.is_here else None
            self._counted = now
        return self._count

    @property
    def is_here(self) -> bool:
        """Whether the folder is on this machine now; else nothing is known of its files but what was indexed."""
        return self._root is not None and self._root.is_dir()

    def has_lost(self, path: str) -> bool:
        """Whether the project is there and the file holds nothing that an index would: gone, no text, too large, a link
        out of the folder. Of one that may not be read that is not known.
        """
        place = f"{self._root}/{path}"
        return self.is_here and self.read(path) is None and (os.access(place, os.R_OK) or not os.path.exists(place))  # noqa: PTH110 - as `_stat`

    def read(self, path: str) -> str | None:
        """The file's text without its secrets, as an index would hold it; None when it is not there, not text, too
        large, a secret as a whole, or leads out of the folder.
        """
        if self._root is None:
            return None
        try:
            data, _ = read_regular(self._root / path, _LARGEST, within=self._root)
            text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except (OSError, UnicodeDecodeError):
            return None
        return self._shown(path, data, text)

    def _shown(self, path: str, data: bytes, text: str) -> str | None:
        """The text without its secrets; one that has none is not looked through a second time."""
        from memory.secrets import without_secrets  # noqa: PLC0415 - most questions read no file

        digest = hashlib.sha256(data).digest()
        if self._without_secrets.get(path) == digest:
            return text
        shown = without_secrets(path, text)
        if shown == text:
            self._without_secrets[path] = digest
        return shown


def has_changed(folders: Mapping[str, ProjectFolder], project: str, path: str) -> bool:
    """Whether a file has changed since it was indexed; of a project without a folder nothing is known."""
    return bool(path) and project in folders and folders[project].has_changed(path)


def count_changed(folders: Mapping[str, ProjectFolder], projects: Iterable[str]) -> dict[str, int]:
    """How many files have changed since they were indexed, of each of these projects in which any have."""
    counts = {name: folders[name].count_changed() for name in sorted(set(projects)) if name in folders}
    return {name: count for name, count in counts.items() if count}


def changed_text(changed: Mapping[str, int]) -> str:
    """How many files have changed since they were indexed, for people; empty where none has."""
    counts = ", ".join(f"{name} ({count} file{'s' if count > 1 else ''})" for name, count in changed.items())
    return f"Changed since they were indexed: {counts}." if counts else ""


def _stat(file: str) -> _Stat | None:
    """Which file it is, its size and when it was touched; None when it is not there or was written just now."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a Path for each file of a project takes twice as long
    except OSError:
        return None
    if time.time_ns() - status.st_mtime_ns < _SETTLED_NS:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_stale(root: Path, path: str, recorded_hash: str) -> bool:
    """Whether the project's file on disk differs from what the generation recorded (SHA-256 of its bytes, in hex).

    A file that is gone, unreadable, or leads out of the project through a link counts as changed; it is not read.
    """
    try:
        with open_regular(root / path, _LARGEST_HASHED, within=root) as (stream, _):
            return hashlib.file_digest(stream, "sha256").hexdigest() != recorded_hash
    except OSError:
        return True
