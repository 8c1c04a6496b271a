"""The constraints and indexes that the queries need on a Neo4j server, made where they are missing, looked at before use.

Index types and their options: https://neo4j.com/docs/cypher-manual/current/indexes/.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from memory.errors import StoreError
from memory.graph.neo4j_errors import INDEX_AGAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memory.graph.neo4j_connection import Neo4jConnection

__all__ = ["INDEXES", "LOOK", "Index", "check", "prepare"]


@dataclass(frozen=True, slots=True)
class Index:
    """One index by its name, what it is on, and the text that makes it."""

    name: str
    kind: str
    label: str
    properties: tuple[str, ...]

    @property
    def text(self) -> str:
        """Makes it, where no index or constraint of its name is there."""
        on = ", ".join(f"n.{name}" for name in self.properties)
        if self.kind == "UNIQUE":
            return f"CREATE CONSTRAINT {self.name} IF NOT EXISTS FOR (n:{self.label}) REQUIRE ({on}) IS UNIQUE"
        if self.kind == "FULLTEXT":
            return f"CREATE FULLTEXT INDEX {self.name} IF NOT EXISTS FOR (n:{self.label}) ON EACH [{on}]"
        return f"CREATE INDEX {self.name} IF NOT EXISTS FOR (n:{self.label}) ON ({on})"


INDEXES: Final = (
    Index("graph_namespace", "UNIQUE", "Graph", ("namespace",)),
    Index("entity_id", "UNIQUE", "Entity", ("id",)),
    Index("file_id", "UNIQUE", "File", ("id",)),
    Index("entity_key", "RANGE", "Entity", ("namespace", "key")),
    Index("entity_project", "RANGE", "Entity", ("project",)),
    Index("file_project", "RANGE", "File", ("project",)),
    Index("entity_name_ft", "FULLTEXT", "Entity", ("search", "namespace")),
)
_AWAIT: Final = "CALL db.awaitIndexes($seconds)"
_AWAITED_SECONDS: Final = 60
_LOOKED_MS: Final = 10_000
LOOK: Final = "SHOW INDEXES YIELD name, state, type, labelsOrTypes, properties"


async def prepare(connection: Neo4jConnection) -> None:
    """Make what is missing and wait until it can be asked; a second time changes nothing. Raises StoreError."""
    for index in INDEXES:
        try:
            await connection.write_rows(index.text)
        except StoreError:  # of two that make it at once the server refuses one, IF NOT EXISTS or not
            if index.name not in {row["name"] for row in await connection.read_rows(LOOK, {}, timeout_ms=_LOOKED_MS)}:
                raise
    await connection.write_rows(_AWAIT, {"seconds": _AWAITED_SECONDS})


def check(rows: Iterable[Mapping[str, Any]], where: str) -> None:
    """Raises StoreError on rows of `LOOK` that lack an index, or have another under its name, or one that is not ready."""
    found = {row["name"]: row for row in rows}
    for index in INDEXES:
        row = found.get(index.name)
        if row is None:
            raise StoreError(f"{where} lacks the index {index.name}.", INDEX_AGAIN)
        held = (row["labelsOrTypes"], row["properties"])
        if held != ([index.label], list(index.properties)) or (index.kind == "FULLTEXT") != (row["type"] == "FULLTEXT"):
            raise StoreError(
                f"{where} has another index called {index.name}: {row['type']} on {held}.",
                f"Drop it, or use another database (graph.neo4j.database). {INDEX_AGAIN}",
            )
        if row["state"] != "ONLINE":
            raise StoreError(
                f"{where}: the index {index.name} is {row['state']}.", f"Wait for it, or drop it. {INDEX_AGAIN}"
            )
