"""A failure that is pasted into a question: the blocks its trace points at, or that hold its message."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from synthesis.extractive.blocks import MOST_LINES, Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.question import ParsedQuestion
    from synthesis.extractive.sources import Source

__all__ = ["pointed", "saying"]

_MOST: Final = 4
_LEAST: Final = 3
_DRIFT: Final = 3


def pointed(question: ParsedQuestion, sources: Sequence[Source]) -> list[Block]:
    """A block for each place of the trace that is in hand, in its order."""
    found = list[Block]()
    for frame in question.frames:
        for source in sources:
            at = source.location
            if at is None or not _same_file(frame.file, source.path):
                continue
            line = frame.line - at.start_line if frame.line else _of_function(frame.function, source)
            if source.focus.start - _DRIFT <= line < source.focus.stop + _DRIFT:
                found.append(_block(source, min(max(line, source.focus.start), source.focus.stop - 1)))
                break
    return found[:_MOST]


def saying(question: ParsedQuestion, sources: Sequence[Source]) -> list[Block]:
    """The blocks that hold the beginning of an error's message, as many of its words as any holds, at least three."""
    words = question.thrown.casefold().split()
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


def _of_function(name: str, source: Source) -> int:
    """The line that defines a function, in a trace that gives no line."""
    called = name.rpartition(".")[2]
    return next((n for n in source.focus if called and f"{called}(" in source.lines[n]), source.focus.start)


def _block(source: Source, line: int) -> Block:
    return Block(source, source.units.around(line, MOST_LINES), line)


def _same_file(named: str, path: str) -> bool:
    """Whether a trace's file may be this one: their paths end alike, in a folder and a name, or one is a name alone."""
    ours, theirs = PurePosixPath(path).parts, PurePosixPath(named).parts
    return ours[-2:] == theirs[-2:] or (ours[-1:] == theirs[-1:] and 1 in {len(ours), len(theirs)})
