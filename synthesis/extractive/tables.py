"""What a CREATE TABLE statement says: the table's columns and its key, each with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from synthesis.extractive.sources import Source

__all__ = ["Column", "Table", "tables_in"]

_CREATE = re.compile(
    r"^\s*CREATE\s+(?:\w+\s+)*?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.\"`\[\]]+)\s*(\(?)", re.IGNORECASE
)
_KEY = re.compile(r"PRIMARY\s+KEY\s*\(([^)]*)\)", re.IGNORECASE)
_INLINE_KEY = re.compile(r"\bPRIMARY\s+KEY\b", re.IGNORECASE)
_CONSTRAINT = re.compile(r"^(?:PRIMARY|FOREIGN|UNIQUE|CHECK|CONSTRAINT|KEY|INDEX|EXCLUDE|LIKE)\b", re.IGNORECASE)
_COLUMN = re.compile(r"^[\"`\[]?(\w+)[\"`\]]?\s+([A-Za-z]\w*(?:\s*\([\d,\s]+\))?)")
_NAME_SIGNS = '"`[]'


@dataclass(frozen=True, slots=True)
class Column:
    """A column, its type as written, and its line (an index into the source's lines)."""

    name: str
    type: str
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table as its statement defines it; `key` are the primary key's columns, `key_line` where that is said."""

    source: Source
    name: str
    first: int
    last: int
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    key_line: int

    def column(self, name: str) -> Column | None:
        """The column of this name."""
        return next((column for column in self.columns if column.name == name), None)


def tables_in(source: Source) -> Iterator[Table]:
    """The tables whose whole statement stands in the source's lines; one definition a line, as DDL is written."""
    number = 0
    while number < len(source.lines):
        created = _CREATE.match(source.lines[number])
        last = _end(source.lines, number) if created else None
        if created and last is not None:
            yield _table(source, created[1].translate(str.maketrans("", "", _NAME_SIGNS)), number, last)
            number = last
        number += 1


def _end(lines: Sequence[str], first: int) -> int | None:
    depth = opened = 0
    for number in range(first, len(lines)):
        bare = re.sub(r"--.*|'[^']*'", "", lines[number])
        opened += bare.count("(")
        depth += bare.count("(") - bare.count(")")
        if opened and depth <= 0:
            return number
    return None


def _table(source: Source, name: str, first: int, last: int) -> Table:
    columns, key, key_line = [], tuple[str, ...](), first
    for number in range(first, last + 1):
        text = source.lines[number]
        if number == first:
            text = text.partition("(")[2]
        text = text.strip()
        declared = _KEY.search(text)
        if declared:
            key, key_line = tuple(part.strip(f" {_NAME_SIGNS}") for part in declared[1].split(",")), number
        column = None if _CONSTRAINT.match(text) else _COLUMN.match(text)
        if column:
            columns.append(Column(column[1], column[2], number))
            if not declared and _INLINE_KEY.search(text):
                key, key_line = (column[1],), number
    return Table(source, name, first, last, tuple(columns), key, key_line)
