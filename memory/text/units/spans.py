"""Lines that belong together, and how far a line is indented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["ROOMY", "LineSpan", "indent"]

ROOMY: Final = 12
"""A small unit is shown with what is beside it until it has so many lines."""


@dataclass(frozen=True, slots=True, order=True)
class LineSpan:
    """Lines that belong together, both ends included."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __contains__(self, other: LineSpan) -> bool:
        return self.first <= other.first and other.last <= self.last

    def joined(self, other: LineSpan) -> LineSpan:
        """The lines from the first of both to the last."""
        return LineSpan(min(self.first, other.first), max(self.last, other.last))


def indent(line: str) -> int:
    """How far a line is indented, a tab as four blanks."""
    wide = line.expandtabs(4) if "\t" in line else line
    return len(wide) - len(wide.lstrip())
