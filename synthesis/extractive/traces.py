"""A failure that is pasted into a question: the blocks its trace points at, or that hold its message."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from synthesis.extractive.blocks import MOST_LINES, Block
from synthesis.units import units_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import Source

__all__ = ["Frame", "frames_in", "pointed", "saying"]

_FRAMES: Final = re.compile(
    r"File \"(?P<python>[^\"\n]+)\", line (?P<at>\d+)"
    r"|(?P<file>[\w$./\\-]*\w\.(?:java|kt|scala|groovy|cs|go|js|jsx|ts|tsx|mjs|rb|php|rs|c|cc|cpp|py|ex|swift)):(?:line )?(?P<line>\d+)"
)
_THROWN: Final = re.compile(
    r"^\s*[\w.]*(?:Error|Exception|Panic|panic|error|fatal):\s+(?P<said>\S[^\n]{,300})", re.MULTILINE
)
_MOST: Final = 4
_LEAST: Final = 3
_DRIFT: Final = 3


@dataclass(frozen=True, slots=True)
class Frame:
    """A file as the trace names it, with `/`, and the line."""

    file: str
    line: int


def frames_in(question: str) -> list[Frame]:
    """The places a trace points at, each once, in its order: Python's, Java's, C#'s, Go's and JavaScript's way."""
    found = _FRAMES.finditer(question)
    return list(dict.fromkeys(Frame(*_place(match)) for match in found))


def _place(match: re.Match[str]) -> tuple[str, int]:
    return (match["python"] or match["file"]).replace("\\", "/"), int(match["at"] or match["line"])


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
                found.append(_block(source, min(max(line, 0), len(source.lines) - 1)))
                break
    return found[:_MOST]


def saying(question: str, sources: Sequence[Source]) -> list[Block]:
    """The blocks that hold the beginning of an error's message, as many of its words as any holds, at least three."""
    thrown = _THROWN.search(question)
    words = thrown["said"].casefold().split() if thrown else []
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
    return (
        named == PurePosixPath(path).name or named.endswith(f"/{path}") or named == path or path.endswith(f"/{named}")
    )
