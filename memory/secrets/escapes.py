"""A text as its reader takes it: without the escapes of JSON and XML, with a continued line as one line."""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Final

_ESCAPES: Final = (
    r"\\(?:(?P<itself>\\)|(?P<slash>/)|(?:u(?P<wide>[0-9a-fA-F]{4})|x(?P<narrow>[0-9a-fA-F]{2}))|\r?\n[ \t]*+)"
    r"|&(?:(?P<amp>amp)|#(?:[xX](?P<hex>[0-9a-fA-F]{2,5})|(?P<decimal>\d{2,6})));"
    r"|<!\[CDATA\[|\]\]>"
)
_ESCAPE: Final = re.compile(_ESCAPES)
_OF_NOTEBOOK: Final = re.compile(rf"{_ESCAPES}|(?P<line>\\n(?:\",\s*+\")?)")
"""A cell is a list with a text for each of its lines: what ends one and opens the next is a line's end."""
_SIGNS: Final = ("\\", "&amp;", "&#", "]]>")
_ENDS: Final = frozenset("\\\"'`<>")  # written as they are, they would end what holds them


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without escapes, and where its pieces begin: `here` in it, `there` in the file. A character that was
    escaped is a piece of its own, which ends in the file at `ended`; the others are as long there as here.
    """

    text: str
    here: array[int] = field(default_factory=lambda: array("q", [0]))
    there: array[int] = field(default_factory=lambda: array("q", [0]))
    ended: array[int] = field(default_factory=lambda: array("q", [0]))

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where in the file something of this text stands."""
        first, last = bisect_right(self.here, start) - 1, bisect_left(self.here, end) - 1
        return self.there[first] + start - self.here[first], self.ended[last] or self.there[last] + end - self.here[
            last
        ]


def without_escapes(text: str, *, notebook: bool = False) -> Plain:
    """The text as it is where it has none. Of a quote, a bracket and what is invisible the escape stays."""
    plain = Plain(text)
    if not any(map(text.__contains__, _SIGNS)):
        return plain
    parts: list[str] = []
    here = there = 0
    for found in (_OF_NOTEBOOK if notebook else _ESCAPE).finditer(text):
        meant = _meant(found)
        if meant is None:
            continue
        start, end = found.span()
        parts += text[there:start], meant
        here, there = here + start - there, end
        for piece in ((here, start, end), (here + 1, end, 0)) if meant else ((here, end, 0),):
            plain.here.append(piece[0])
            plain.there.append(piece[1])
            plain.ended.append(piece[2])
        here += len(meant)
    return Plain("".join([*parts, text[there:]]), plain.here, plain.there, plain.ended)


def _meant(found: re.Match[str]) -> str | None:
    """The character; nothing for a mark that stands for none; None where the escape is to stay."""
    if found["itself"]:
        return None
    if found.lastgroup == "line":
        return "\n"
    if found["slash"] or found["amp"]:
        return "/" if found["slash"] else "&"
    hexadecimal = found["wide"] or found["narrow"] or found["hex"]
    if not hexadecimal and not found["decimal"]:
        return ""
    number = int(hexadecimal, 16) if hexadecimal else int(found["decimal"])
    return chr(number) if number <= sys.maxunicode and chr(number).isprintable() and chr(number) not in _ENDS else None
