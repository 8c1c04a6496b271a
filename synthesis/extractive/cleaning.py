"""Text as a terminal may have it: control characters off, and no marker but our own."""

from __future__ import annotations

import re

__all__ = ["clipped", "printable", "visible"]

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_CITED = re.compile(r"\[(?=(?:local|graph|vector):)")


def visible(text: str) -> str:
    """Without control characters and direction overrides, which a terminal would obey."""
    return text if text.isprintable() else _CONTROL.sub("", text)


def printable(text: str) -> str:
    """Visible, and a marker written in a file loses its bracket: what is retrieved cannot cite."""
    return _CITED.sub("(", visible(text))


def clipped(text: str, longest: int) -> str:
    """The whole words of a text that fit."""
    return text if len(text) <= longest else f"{text[:longest].rsplit(' ', 1)[0]} …"
