"""What a line is: line feed, carriage return and the two together end one, nothing else does (docs/design.md#lines)."""

from __future__ import annotations

import re

__all__ = ["split_lines"]

_END = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    """The lines without their ends; a last line end opens no further line, an empty text has none.

    `str.splitlines` also cuts at form feeds, U+0085, U+2028 and others, which no editor counts.
    """
    lines = _END.split(text)
    if not lines[-1]:
        lines.pop()
    return lines
