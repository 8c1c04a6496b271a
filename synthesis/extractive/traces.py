"""A failure that is pasted into a question: the blocks its trace points at, or that hold its message."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from memory.text.frames import frames_in, thrown_in
from synthesis.extractive.blocks import MOST_LINES, Block
from synthesis.units import units_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import Source

__all__ = ["pointed", "saying"]

_MOST: Final = 4
_LEAST: Final = 3
_DRIFT: Final = 3


def pointed(question: str, sources: Sequence[Source]) -> list[Block]:
    """A block for each place of the trace that is in hand, in its order."""
    found = list[Block]()
    for frame in frames_in(question):
        for source in sources:
            at = source.location
            if at is None or not _same_file(frame.file, source.path):
                continue
            line = frame.line - at.start_line
            if source.focus.start - _DRIFT <= line < source.focus.stop + _DRIFT:
                found.append(_block(source, min(max(line, source.focus.start), source.focus.stop - 1)))
                break
    return found[:_MOST]


def saying(question: str, sources: Sequence[Source]) -> list[Block]:
    """The blocks that hold the beginning of an error's message, as many of its words as any holds, at least three."""
    words = thrown_in(question).casefold().split()
    for count in range(len(words), _LEAST - 1, -1):
        begun = " ".join(words[:count]).rstrip(":.,")
        found: dict[tuple[str, str], Block] = {}
        for source in sources:
            lines = [n for n in source.focus if begun in source.lines[n].casefold() and not source.is_prose]
            if lines:
                found.setdefault((source.project, source.path), _block(source, lines[0]))
        if found:
            return list(found.values())[:_MOST]
    return []


def _block(source: Source, line: int) -> Block:
    return Block(source, units_of(source.lines, prose=source.is_prose).around(line, MOST_LINES), line, 1.0, 1.0)


def _same_file(named: str, path: str) -> bool:
    """Whether a trace's file may be this one: it ends in its path, or gives a name alone that is its name."""
    return named in {PurePosixPath(path).name, path} or named.endswith(f"/{path}") or path.endswith(f"/{named}")
