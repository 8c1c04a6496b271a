"""Windows of lines, which the two plain systems search."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LINES = 40
_OVERLAP = 10
_LARGEST = 400_000
_HIDDEN = {".git", "node_modules", "vendor", "dist", "build"}


@dataclass(frozen=True, slots=True)
class Window:
    """Lines of a file. file: `PROJECT/PATH`; start counts from 1."""

    file: str
    start: int
    text: str

    @property
    def end(self) -> int:
        """The last line."""
        return self.start + self.text.count("\n")


def read_windows(trees: Path) -> Iterator[Window]:
    """Every text file below a folder in windows of 40 lines, each sharing 10 with the one before."""
    for folder, below, files in os.walk(trees):
        below[:] = sorted(set(below) - _HIDDEN)
        for name in sorted(files):
            path = Path(folder, name)
            if path.is_symlink() or path.stat().st_size > _LARGEST:
                continue
            content = path.read_bytes()
            if b"\0" in content:
                continue
            lines = content.decode("utf-8", "replace").split("\n")
            file = path.relative_to(trees).as_posix()
            for start in range(0, max(1, len(lines) - _OVERLAP), _LINES - _OVERLAP):
                text = "\n".join(lines[start : start + _LINES])
                if text.strip():
                    yield Window(file, start + 1, text)
