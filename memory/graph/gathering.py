"""One query that is asked several times, of parts of a graph or with parts of its words: the rows as one answer gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from memory.graph import queries

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["gathered"]

_ORDER: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    queries.FIND_EXACT: lambda row: row["e_id"],
    queries.FIND_PREFIX: lambda row: (row["length"], row["e_id"]),
    queries.FIND_TEXT: lambda row: (-row["held"], row["length"], row["e_id"]),
    queries.OF_KIND: lambda row: (row["e_project"], row["e_name"], row["e_id"]),
    queries.GET: lambda row: row["e_id"],
    queries.ALL_ENTITIES: lambda row: row["e_id"],
    queries.EDGES_OUT: lambda row: row["r_id"],
    queries.EDGES_IN: lambda row: row["r_id"],
    queries.EDGES_BY_ID: lambda row: row["r_id"],
    queries.EDGES_BETWEEN: lambda row: row["r_id"],
    queries.STEPS_OUT: lambda row: row["edge"],
    queries.STEPS_IN: lambda row: row["edge"],
    queries.MENTIONS: lambda row: (row["project"], row["path"], row["line"], row["entity"]),
}
"""What each text orders its rows by, which tells them apart too."""


def gathered(text: str, parts: Sequence[Sequence[dict[str, Any]]], limit: int) -> list[dict[str, Any]]:
    """The rows in the text's own order, what stands in several parts once."""
    if len(parts) == 1:
        return list(parts[0])
    key = _ORDER[text]
    found = {key(row): row for rows in parts for row in rows}
    return [found[one] for one in sorted(found)[:limit]]
