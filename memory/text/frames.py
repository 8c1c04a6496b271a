"""The places that a stack trace points at, as the languages write them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

__all__ = ["Frame", "frames_in", "thrown_in"]

_ENDINGS: Final = (
    "java|kt|kts|scala|groovy|clj|cs|fs|vb|go|js|jsx|ts|tsx|mjs|cjs|mts|vue|svelte|rb|erb|php|rs|c|h|cc|cpp|hpp|m|mm|py|ex|exs|erl"
    "|hs|lua|pl|pm|swift|dart|jl"
)
_FRAMES: Final = re.compile(
    r"File \"(?P<python>[^\"\n]+)\", line (?P<at>\d+)(?:, in (?P<def>\w+))?"
    r"|\bat\s+(?:[\w$]+[./])*?(?P<method>[\w$<>]+\.[\w$<>]+)\((?P<java>[\w$.-]+\.\w+):(?P<java_line>\d+)\)"
    r"|(?<![\w$./\\-])(?:(?P<elixir>[\w./-]*\w\.exs?):(?:(?P<elixir_line>\d+):)? (?P<fun>[A-Z][\w.]*[!?]?)/\d"
    rf"|(?P<file>[\w$./\\-]*\w\.(?:{_ENDINGS})):(?:line )?(?P<line>\d+))"
)
_THROWN: Final = re.compile(
    r"^[ \t]*(?:\S{0,80}(?:Error|Exception|Panic|panic|error|fatal)(?:\[\w+\])?:|\*\* \([\w.]+\))\s+(?P<said>\S[^\n]{,300})",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A file as the trace names it, with `/`, the line, 0 where it names none, and the function, '' likewise."""

    file: str
    line: int
    function: str = field(default="", compare=False)


def frames_in(text: str) -> list[Frame]:
    """The places a trace points at, each once, in its order."""
    found = (
        Frame(
            (m["python"] or m["java"] or m["elixir"] or m["file"]).replace("\\", "/"),
            int(m["at"] or m["java_line"] or m["elixir_line"] or m["line"] or 0),
            m["def"] or m["method"] or m["fun"] or "",
        )
        for m in _FRAMES.finditer(text)
    )
    return list(dict.fromkeys(found))


def thrown_in(text: str) -> str:
    """The message of the first error in a text; '' without one."""
    thrown = _THROWN.search(text)
    return thrown["said"] if thrown else ""
