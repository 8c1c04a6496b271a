"""A failure that is pasted into a question: the lines its trace points at, or that hold its message, as far as in hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from synthesis.extractive.cleaning import shortened
from synthesis.extractive.statements import Claim, Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Ground, Source

__all__ = ["Frame", "frames_in", "trace_lines"]

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


def trace_lines(question: str, ground: Ground) -> list[Line]:
    """A bullet for each line that the trace points at, else for each where its message stands; empty when none is in hand."""
    pointed = [found for frame in frames_in(question) if (found := next(_pointed(frame, ground), None))]
    if pointed:
        told = "The trace points at" + (" these lines:" if len(pointed) > 1 else " this line:")
    else:
        told, pointed = "The message stands here:", _saying(question, ground)
    return [Line((Claim(told),)), *(_bullet(*place) for place in pointed[:_MOST])] if pointed else []


def _bullet(source: Source, passage: Passage) -> Line:
    at = source.at(passage.first, passage.last)
    place = f"{source.path}:{at.start_line}" if at else source.path
    within = f", in {passage.context}" if passage.context else ""
    cited = source.citation(f"a line of {source.path}", passage.quote, passage.first, passage.last)
    return Line((Claim(f"{place} of {source.project}{within}: `{_shown(passage)}`", (cited,)),), "- ")


def _saying(question: str, ground: Ground) -> list[tuple[Source, Passage]]:
    """The statements that hold the beginning of an error's message, as many of its words as any holds, at least three."""
    thrown = _THROWN.search(question)
    words = thrown["said"].casefold().split() if thrown else []
    for count in range(len(words), _LEAST - 1, -1):
        begun = " ".join(words[:count]).rstrip(":.,")
        found = {
            (source.project, source.path, source.at(p.first, p.last)): (source, p)
            for source in ground.sources
            if source.is_code and begun in source.text
            for p in source.passages()
            if not p.is_prose and begun in p.text.casefold()
        }
        if found:
            return list(found.values())
    return []


def _shown(passage: Passage) -> str:
    return shortened(passage.text).replace("`", "'")


def _pointed(frame: Frame, ground: Ground) -> Iterator[tuple[Source, Passage]]:
    """The statement on a frame's line, or one so near that the file may have changed since the failure."""
    for source in [*ground.sources, *(edge.body for edge in ground.edges if edge.body)]:
        at = source.location
        if at is None or not at.start_line <= frame.line <= at.end_line or not _same_file(frame.file, source.path):
            continue
        number = frame.line - at.start_line
        near = [(max(p.first - number, number - p.last, 0), p) for p in source.passages() if not p.is_prose]
        yield from ((source, p) for away, p in sorted(near, key=lambda item: item[0])[:1] if away <= _DRIFT)


def _same_file(named: str, path: str) -> bool:
    """Whether a trace's file may be this one: it ends in its path, or gives a name alone that is its name."""
    return (
        named == PurePosixPath(path).name or named.endswith(f"/{path}") or named == path or path.endswith(f"/{named}")
    )
