"""Table clues, which every rule for migrations and object-relational mappings gives.

A Definition of kind table with a `table` clue (provides, OWNS_TABLE) is made where a table is created. Where a class
only says what its table is called, the clue's `value` is MAPPED: it means the table if the project creates none of that
name. A need whose `value` is CONVENTION has its table's name from a framework's rules, not from the text: it means the
project's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from extraction.facts import Clue, Definition

DROPPED: Final = "dropped table"
"""The kind of a clue that a table is there no more."""
MAPPED: Final = "mapped"
CONVENTION: Final = "convention"
SQL: Final = "sql"
"""The value of a need that SQL states in capitals: the table is there, wherever it is created."""
SHOWN: Final = 40
IRREGULAR: Final = {"person": "people", "child": "children", "status": "statuses", "datum": "data", "man": "men"}


def defines_table(
    rule: str, name: str, first: int, last: int, summary: str = "", how: str = ""
) -> tuple[Definition, Clue]:
    """A table, created here or, when `how` is MAPPED, only mapped."""
    says = f"table {name}" if how != MAPPED else f"mapped to table {name}"
    return (
        Definition(name, "table", first, last, summary=summary),
        Clue(rule, "table", name.casefold(), "provides", "OWNS_TABLE", first, name, says, how),
    )


def uses_table(rule: str, table: str, line: int, entity: str, how: str = "", *, stored: bool = True) -> Iterator[Clue]:
    """The class uses this table, and, if it is what a row becomes, is stored in it."""
    if stored:
        says = f"{entity} is stored in {table}"
        yield Clue(rule, "table", table.casefold(), "needs", "STORES_IN", line, entity, says, how)
    yield Clue(rule, "table", table.casefold(), "needs", "USES_TABLE", line, entity, f"{entity} uses {table}", how)


def plain_table(name: str) -> str:
    """Without its schema and quotation marks."""
    return name.rsplit(".", 1)[-1].strip("\"'`[]")


def columns_summary(columns: Iterable[tuple[str, str]]) -> str:
    """`columns: id uuid, total numeric`, as SQL's have it."""
    listed = [f"{name} {kind}".strip() for name, kind in dict.fromkeys(columns)]
    return f"columns: {', '.join(listed[:SHOWN])}" if listed else ""


def snake(name: str) -> str:
    """`OrderItem` is `order_item`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def plural(name: str) -> str:
    """English, for the last word: `category` is `categories`."""
    head, _, last = name.rpartition("_")
    if last in IRREGULAR:
        made = IRREGULAR[last]
    elif re.search(r"[^aeiou]y$", last):
        made = f"{last[:-1]}ies"
    else:
        made = f"{last}es" if re.search(r"(?:s|x|z|ch|sh)$", last) else f"{last}s"
    return f"{head}_{made}" if head else made
