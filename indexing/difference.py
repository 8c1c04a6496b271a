"""The manifest against the disk: what is new, changed, gone or as it was.

A file is taken to be as it was without a look inside only when that is certain. Size and both times must be equal: an
edit that puts the old modification time back (`touch -r`, `tar`, `rsync -t`) still moves the change time. And both
times must lie well before the moment it was read: a write in the same tick of the file system's clock, right after
reading, leaves all three equal (git's "racily clean" entries, gitformat-index and racy-git.txt). Else its bytes decide.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from indexing.reading import hash_file
from memory.generation import FileRecord

__all__ = ["Difference", "compare"]

_COARSEST_TICK_NS = 2_000_000_000
"""FAT counts in two seconds, which is the coarsest clock a file system has."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Paths, each in one of four, sorted."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing needs to be done."""
        return not (self.added or self.changed or self.removed)


def compare(root: Path, files: Iterable[str], recorded: Mapping[str, FileRecord]) -> Difference:
    """What became of the recorded files, `files` being the paths that discovery found just now.

    A recorded file that can't be read any more counts as changed; reading it then says why.
    """
    found = sorted(set(files))
    same = {path for path in found if path in recorded and _is_same(root / path, recorded[path])}
    return Difference(
        added=tuple(path for path in found if path not in recorded),
        changed=tuple(path for path in found if path in recorded and path not in same),
        removed=tuple(sorted(set(recorded) - set(found))),
        unchanged=tuple(path for path in found if path in same),
    )


def _is_same(file: Path, record: FileRecord) -> bool:
    try:
        state = os.lstat(file)
    except OSError:
        return False
    if state.st_size != record.size:
        return False
    times = (state.st_mtime_ns, state.st_ctime_ns)
    settled = max(times) < record.read_ns - _COARSEST_TICK_NS
    if settled and times == (record.mtime_ns, record.ctime_ns):
        return True
    return hash_file(file, max_file_bytes=record.size) == record.hash
