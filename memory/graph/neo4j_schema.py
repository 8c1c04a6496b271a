"""What the queries need on a Neo4j server: constraints and indexes, which are made where they are missing and looked at
before use, and the namespaces and versions of the graphs that are there (decision record 0080).

An entity and a relation have `since`, the version they came with, and `until`, the one they are not in any more. A
relation is there as long as both its ends are, at most. `(:Graph {namespace, versions})` names the versions that are
whole; `(:Touched {namespace, project})` names each project of which something has to be settled.

Index types and their options: https://neo4j.com/docs/cypher-manual/current/indexes/.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Self

from memory.errors import StoreError
from memory.graph import queries
from memory.graph.neo4j_connection import INDEX_AGAIN, Neo4jConnection

_COLUMNS: Final = ("e_id", "a_id", "b_id", "source", "target")
_AWAIT: Final = "CALL db.awaitIndexes($seconds)"
_AWAITED_SECONDS: Final = 60
_LOOKED_MS: Final = 10_000
LOOK: Final = "SHOW INDEXES YIELD name, state, type, labelsOrTypes, properties"

FOREVER: Final = 2**31 - 1
WHOLE: Final = "MATCH (g:Graph {namespace: $namespace}) WHERE $name IN g.versions RETURN count(g) AS graphs"
_VERSIONED: Final = re.compile(r"\((\w):Entity\)|\[(\w):\w+\]| AS (e)\b")
_TOUCHED: Final = "a.project IN $names AND a.namespace = $namespace"
_SOME: Final = (
    f"MATCH (a:Entity)-[x]-() WHERE {_TOUCHED}",
    f"MATCH (a:Entity) WHERE {_TOUCHED} WITH a AS x WHERE true",
)

SETTLE: Final = (
    *(
        f"{some} AND (x.since > $current OR x.until <= $oldest) "
        "WITH DISTINCT x LIMIT $limit DETACH DELETE x RETURN count(*) AS done"
        for some in _SOME
    ),
    *(
        f"{some} AND x.until > $current AND x.until < $forever "
        "WITH DISTINCT x LIMIT $limit SET x.until = $forever RETURN count(*) AS done"
        for some in _SOME
    ),
)
"""What leaves of some projects what the versions from `oldest` to `current` have: what came later or had its end goes,
what was to end later goes on. In this order; each until it finds less than the limit.
"""


class NamespacedKeys:
    """Between a graph's own ids and what is on the server. A namespace holds no `|`."""

    def __init__(self, namespace: str) -> None:
        self.prefix = f"{namespace}|"
        self._namespace = namespace

    def to_server(self, text: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of one of the `queries` as the server knows them."""
        asked = dict(parameters)
        nodes = "sources" if text == queries.EDGES_BY_ID else "ids"
        if nodes in asked:
            asked[nodes] = [self.prefix + one for one in asked[nodes]]
        if text == queries.ALL_ENTITIES:
            asked["after"] = self.prefix + asked["after"]
        if text == queries.FIND_TEXT:  # or the index goes through every graph there is
            asked["query"] = f'namespace:"{self._namespace}" AND search:({asked["query"]})'
        return asked

    def from_server(self, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Its rows with the graph's own ids."""
        cut = len(self.prefix)
        for row in rows:
            row.update((name, row[name][cut:]) for name in _COLUMNS if name in row)
        return list(rows)

    def written(self, rows: Iterable[Mapping[str, Any]], *names: str) -> Iterator[dict[str, Any]]:
        """Rows to be written, with these names' ids as the server knows them, and a digest of all that a row says."""
        for row in rows:
            digest = hashlib.blake2b(repr(row).encode(), digest_size=8).digest()
            yield {
                **row,
                **{name: self.prefix + row[name] for name in names},
                "digest": int.from_bytes(digest, signed=True),
            }


class Spool:
    """Keeps rows that JSON can hold, in their order."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - `__exit__` closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """Add rows; returns how many."""
        number = 0
        for row in rows:
            self._file.write(json.dumps(row) + "\n")
            number += 1
        return number

    def rows(self) -> Iterator[dict[str, Any]]:
        """All of them."""
        self._file.seek(0)
        return map(json.loads, self._file)


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
    Index("entity_until", "UNIQUE", "Entity", ("id", "until")),
    Index("touched_project", "UNIQUE", "Touched", ("namespace", "project")),
    Index("entity_key", "RANGE", "Entity", ("namespace", "key")),
    Index("entity_project", "RANGE", "Entity", ("project",)),
    Index("entity_name_ft", "FULLTEXT", "Entity", ("search", "namespace")),
)


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
    """Raises StoreError on rows of `LOOK` that lack an index, have another by its name, or one that is not ready."""
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


@dataclass(frozen=True, slots=True)
class GraphVersion:
    """One version of a graph. namespace: the graph's; run: distinguishes two that were made of the same one."""

    namespace: str
    number: int = 1
    run: str = ""

    @property
    def name(self) -> str:
        """What the server knows it by."""
        return f"{self.number}:{self.run}"

    @classmethod
    def first(cls, index: str) -> GraphVersion:
        """Of a new graph of this index."""
        return cls(f"{index}:{uuid.uuid4().hex}", 1, uuid.uuid4().hex)

    def next(self) -> GraphVersion:
        """The one to be made of it."""
        return GraphVersion(self.namespace, self.number + 1, uuid.uuid4().hex)


@cache
def of_version(text: str) -> str:
    """One of the `queries`, which reads nothing but what the version `$version` has."""
    found = sorted({name for names in _VERSIONED.findall(text) for name in names if name})
    living = "".join(f" AND {name}.since <= $version AND {name}.until > $version" for name in found)
    return text.replace("IN $permission", f"IN $permission{living}", 1)
