"""Columns and keys of tables, from SQL DDL (files and fenced blocks) or the graph's summary of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from merging.claims.passages import Claim, Passage, unit_of

_CREATE = re.compile(r'\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<table>[\w."`\[\]]+)\s*\(', re.IGNORECASE)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_KEY = re.compile(r"^(?:CONSTRAINT\s+\S+\s+)?PRIMARY\s+KEY\s*\((?P<columns>[^)]*)\)", re.IGNORECASE)
_COLUMN = re.compile(r'^(?P<name>[\w"`\[\]]+)\s+(?P<type>[A-Za-z]\w*(?:\s+(?:varying|precision)\b)?)', re.IGNORECASE)
_NO_COLUMN = re.compile(r"constraint|primary|foreign|unique|check|exclude|key|index|like|period", re.IGNORECASE)
_LISTED = "columns: "
"""How a table's summary begins (`extraction/rules/clues.py`)."""
_BRACKET = re.compile(r"[()]")
_MARK = re.compile(r"[(),;]")
_QUOTES = str.maketrans("", "", '"`[]')

_SYNONYMS = {
    "int": "integer",
    "int4": "integer",
    "serial": "integer",
    "int8": "bigint",
    "bigserial": "bigint",
    "int2": "smallint",
    "bool": "boolean",
    "character varying": "varchar",
    "character": "char",
    "decimal": "numeric",
    "float8": "double precision",
    "double": "double precision",
    "float4": "real",
    "timestamptz": "timestamp",
    "datetime": "timestamp",
}
_OTHER_TYPES = re.compile(
    r"uuid|text|varchar|char|date|time|jsonb?|bytea|blob|float|interval|inet|clob|tinyint|mediumint"
)


class TableRule:
    """`TABLE.COLUMN` has a `type`, `TABLE` has a `primary key`."""

    notations = frozenset({"sql", "summary"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        if passage.notation == "summary":
            columns = passage.text.removeprefix(_LISTED)
            yield from self._columns(passage, _plain(passage.section), columns, closed=True)
        else:
            text = _COMMENT.sub(" ", passage.text)
            for found in _CREATE.finditer(text):
                body, closed = _within_brackets(text, found.end())
                table = _plain(found["table"]).rpartition(".")[2]
                yield from self._columns(passage, table, body, closed=closed)

    def _columns(self, passage: Passage, table: str, body: str, *, closed: bool) -> Iterator[Claim]:
        unit = unit_of(passage.path)
        key: list[str] = []
        items = _items(body)
        for item in items if closed else items[:-1]:
            named = _KEY.match(item)
            if named:
                key = [_plain(column) for column in named["columns"].split(",")]
                continue
            column = _COLUMN.match(item)
            if column is None or _NO_COLUMN.fullmatch(column["name"]):
                continue
            name, base = _plain(column["name"]), " ".join(column["type"].lower().split())
            base = _SYNONYMS.get(base, base)
            if base not in _SYNONYMS.values() and not _OTHER_TYPES.fullmatch(base):
                continue
            yield Claim(passage.project, f"{table}.{name}", "type", base, unit, passage.where)
            if re.search(r"\bPRIMARY\s+KEY\b", item, re.IGNORECASE):
                key = [name]
        if key and closed:
            yield Claim(passage.project, table, "primary key", ", ".join(key), unit, passage.where)


def _plain(name: str) -> str:
    return name.translate(_QUOTES).strip().casefold()


def _within_brackets(text: str, start: int) -> tuple[str, bool]:
    """The text up to the closing bracket, and whether there is one: a chunk may end before it."""
    depth = 1
    for bracket in _BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return text[start : bracket.start()], True
    return text[start:], False


def _items(body: str) -> list[str]:
    """The parts between commas that are in no bracket, and a summary's behind the semicolon that ends its columns."""
    items, depth, start = [], 0, 0
    for mark in _MARK.finditer(body):
        if mark[0] in "()":
            depth += 1 if mark[0] == "(" else -1
        elif depth == 0:
            items.append(body[start : mark.start()].strip())
            start = mark.end()
    return [*items, body[start:].strip()]
