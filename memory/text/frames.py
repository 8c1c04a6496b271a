"""The places that a stack trace points at, as the languages write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Frame", "frames_in", "thrown_in"]

_FRAMES: Final = re.compile(
    r"File \"(?P<python>[^\"\n]+)\", line (?P<at>\d+)"
    r"|(?P<file>[\w$./\\-]*\w\.(?:java|kt|scala|groovy|cs|go|js|jsx|ts|tsx|mjs|rb|php|rs|c|cc|cpp|py|ex|swift)):(?:line )?(?P<line>\d+)"
)
_THROWN: Final = re.compile(
    r"^\s*[\w.]*(?:Error|Exception|Panic|panic|error|fatal):\s+(?P<said>\S[^\n]{,300})", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A file as the trace names it, with `/`, and the line."""

    file: str
    line: int


def frames_in(text: str) -> list[Frame]:
    """The places a trace points at, each once, in its order: Python's, Java's, C#'s, Go's and JavaScript's way."""
    found = (
        Frame((m["python"] or m["file"]).replace("\\", "/"), int(m["at"] or m["line"])) for m in _FRAMES.finditer(text)
    )
    return list(dict.fromkeys(found))


def thrown_in(text: str) -> str:
    """The message of the first error in a text; '' without one."""
    thrown = _THROWN.search(text)
    return thrown["said"] if thrown else ""
