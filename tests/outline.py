"""What the specifications are made of: their headings, tables and code blocks, and the rows of the page that each became.

docs/specifications/outline.yaml holds them, since the documents are not in the repository: by number, an element and
either the beginnings of its rows' names, or why it has none. `python -m tests.outline DOCUMENT...` compares it with the
documents themselves, whose names begin with their number.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from configs.documents import read_yaml
from tests.specifications import PARTS, Specification

Outline: TypeAlias = Mapping[str, Mapping[str, list[str] | str]]

_FENCE = re.compile(r"^\s*```(\w*)")
_HEADING = re.compile(r"^#+\s+(.*)")


def elements(document: str) -> list[str]:
    """The headings, `table in HEADING` and `LANGUAGE in HEADING` of a document, in order."""
    found, heading, fenced, in_table = list[str](), "", False, False
    for line in document.split("\n"):
        if fence := _FENCE.match(line):
            if not fenced:
                found.append(f"{fence[1] or 'text'} in {heading}")
            fenced = not fenced
        elif not fenced and (named := _HEADING.match(line)):
            heading = named[1].strip()
            found.append(heading)
        elif not fenced and line.startswith("|") and not in_table:
            found.append(f"table in {heading}")
        in_table = not fenced and line.startswith("|")
    return _numbered(found)


def _numbered(found: Sequence[str]) -> list[str]:
    """Each of several of one name with its number, from the second on."""
    counts: dict[str, int] = {}
    named = []
    for one in found:
        counts[one] = counts.get(one, 0) + 1
        named.append(one if counts[one] == 1 else f"{one} ({counts[one]})")
    return named


def read_outline(folder: Path = PARTS) -> Outline:
    """The list of the elements and their rows."""
    outline: Outline = read_yaml((folder / "outline.yaml").read_text(encoding="utf-8"))
    return outline


def gaps(specifications: Sequence[Specification], outline: Outline) -> Iterator[str]:
    """Elements that name no row, and rows that no element names."""
    for specification in specifications:
        names = {part.name.partition(" ")[2] for part in specification.parts}
        named = set[str]()
        for element, rows in outline[specification.number].items():
            for row in rows if isinstance(rows, list) else ():
                found = {name for name in names if name == row or name.startswith(f"{row} ")}
                named |= found
                if not found:
                    yield f"{specification.number} {element}: no row {row}"
            if not rows:
                yield f"{specification.number} {element}: neither rows nor why there are none"
        yield from (f"{specification.number} {name}: in no element" for name in sorted(names - named))


def main(documents: Sequence[str]) -> int:
    """Compare the list with documents; 1 where it differs."""
    outline, wrong = read_outline(), 0
    for file in map(Path, documents):
        known, there = list(outline[file.name[:3]]), elements(file.read_text(encoding="utf-8"))
        for element in sorted({*known} ^ {*there}):
            wrong = 1
            sys.stderr.write(
                f"{file.name[:3]}: {element} is only in the {'list' if element in known else 'document'}\n"
            )
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
