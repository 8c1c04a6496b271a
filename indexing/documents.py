"""Names that a document speaks of: what stands in backticks, words written as identifiers are, and headings of one word."""

from __future__ import annotations

import re
from typing import Final

from indexing.facts import Mention

__all__ = ["is_document", "names_in"]

LIMIT: Final = 200
SUFFIXES: Final = (".md", ".markdown", ".rst", ".txt", ".adoc")
NAME: Final = re.compile(
    r"`{1,2}([A-Za-z_][\w.]*)(?:\(\))?`"  # in backticks
    r"|\b([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+(?:\.\w+)*)\b"  # CamelCase, with a member
    r"|\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b"  # snake_case
)
HEADING: Final = re.compile(r"#{1,6}\s+([A-Z][a-z]+)\s*")


def is_document(path: str) -> bool:
    """Prose, by its suffix; also an installed distribution's METADATA, which holds the README."""
    return path.lower().endswith(SUFFIXES) or path.endswith(".dist-info/METADATA")


def names_in(text: str) -> tuple[Mention, ...]:
    """Each name once, at the first line that has it; the first 200."""
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for found in NAME.finditer(line):
            first.setdefault(found[1] or found[2] or found[3], number)
        for name in _headed(line):
            first.setdefault(name, number)
        if len(first) >= LIMIT:
            break
    return tuple(Mention(name, line) for name, line in list(first.items())[:LIMIT])


def _headed(line: str) -> tuple[str, ...]:
    """`## Customer` is about a class of that name, or about a table `customer` or `customers`."""
    title = HEADING.fullmatch(line) if line.startswith("#") else None
    if title is None:
        return ()
    word = title[1].lower()
    return title[1], word, f"{word}s"
