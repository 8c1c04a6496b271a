"""A table's columns and keys in one line, from the tokens between its parentheses, types as the file spells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlglot.tokenizer_core import Token

__all__ = ["columns_of"]

TABLE_CONSTRAINTS: Final = frozenset(
    {
        "PRIMARY KEY",
        "PRIMARY",
        "FOREIGN KEY",
        "FOREIGN",
        "CONSTRAINT",
        "UNIQUE",
        "CHECK",
        "KEY",
        "INDEX",
        "EXCLUDE",
        "LIKE",
        "PERIOD",
    }
)
COLUMN_CONSTRAINTS: Final = frozenset(
    {"NOT", "NULL", "DEFAULT", "PRIMARY KEY", "PRIMARY", "REFERENCES", "UNIQUE", "CHECK", "CONSTRAINT", "GENERATED", "COLLATE",
     "COMMENT", "AUTO_INCREMENT", "AUTOINCREMENT", "IDENTITY", "ON", "AS", "ENCODE", "CHARACTER SET"}
)  # fmt: skip


def columns_of(tokens: Sequence[Token], text: str) -> str:
    """`columns: id UUID (primary key), email TEXT (unique)`; '' when there are none to see.

    tokens: those behind the table's name; text: what they were made from.
    """
    columns, keys = [], []
    for item in _items(tokens):
        words = [token.text.upper() for token in item]
        if words[0] in TABLE_CONSTRAINTS:
            if any(word.startswith("PRIMARY") for word in words):
                keys.append(
                    text[item[0].start : item[-1].end + 1] if words[0] != "CONSTRAINT" else _from_primary(item, text)
                )
            continue
        stop = next((n for n, word in enumerate(words[1:], 1) if word in COLUMN_CONSTRAINTS), len(words))
        kind = text[item[1].start : item[stop - 1].end + 1] if stop > 1 else ""
        primary = " (primary key)" if any(word.startswith("PRIMARY") for word in words[stop:]) else ""
        columns.append(" ".join(f"{item[0].text} {kind}".split()) + primary)
    if not columns:
        return ""
    return "; ".join([f"columns: {', '.join(columns)}", *(" ".join(key.lower().split()) for key in keys)])


def _from_primary(item: Sequence[Token], text: str) -> str:
    start = next(token for token in item if token.text.upper().startswith("PRIMARY"))
    return text[start.start : item[-1].end + 1]


def _items(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """What the commas of the first parentheses part."""
    depth = 0
    item: list[Token] = []
    for token in tokens:
        if token.text == "(":
            depth += 1
            if depth == 1:
                continue
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                break
        elif token.text == "," and depth == 1:
            if item:
                yield item
            item = []
            continue
        if depth:
            item.append(token)
    if item:
        yield item
