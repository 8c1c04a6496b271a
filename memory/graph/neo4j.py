"""The graph on a Neo4j 5 server, by the official asynchronous driver: the same texts as the embedded engine.

See docs/design.md#graph.

A server holds many graphs, each under a namespace of its own: those of several indexes, and of each the generation that is
read and the one that is being made. `(:Graph {namespace, whole})` names them; it comes first and goes last, so that what a
killed run left can be found, and no one reads a graph that is not whole.
"""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.errors import ConfigError, StoreError
from memory.graph import neo4j_schema, queries
from memory.graph.cypher import CypherReads
from memory.graph.neo4j_connection import INDEX_AGAIN, Neo4jConnection
from memory.graph.neo4j_schema import NamespacedKeys, Spool
from memory.graph.queries import gathered
from memory.graph.rows import checked, entity_row, file_row, mention_row, relation_row

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    import neo4j

    from configs.settings import Neo4jSettings
    from memory.graph.port import GraphBatch

__all__ = ["Neo4jGraphStore"]

_OLDEST: Final = 5
_MOST_WORDS: Final = 1000
"""Lucene takes 1,024 clauses a query."""
_BEGIN: Final = "MERGE (g:Graph {namespace: $namespace}) SET g.whole = false"
_COUNT: Final = """
OPTIONAL MATCH (e:Entity) WHERE e.id STARTS WITH $prefix
WITH count(e) AS entities
OPTIONAL MATCH (n:Entity)-[r:REL]->(:Entity) WHERE n.id STARTS WITH $prefix
RETURN entities, count(r) AS relations"""
_ANY: Final = "MATCH (e:Entity) WHERE e.id STARTS WITH $prefix RETURN e.id AS id LIMIT 1"
_FINISH: Final = "MATCH (g:Graph {namespace: $namespace}) SET g.whole = true"
_CLEAR: Final = tuple(
    f"MATCH (n:{label}) WHERE n.id STARTS WITH $prefix WITH n LIMIT $limit DETACH DELETE n RETURN count(*) AS gone"
    for label in ("File", "Entity")
)
_FORGET: Final = "MATCH (g:Graph {namespace: $namespace}) DELETE g"
_NAMES: Final = "MATCH (g:Graph) WHERE g.namespace STARTS WITH $start RETURN g.namespace AS name ORDER BY name"
_WHOLE: Final = "MATCH (g:Graph {namespace: $namespace, whole: true}) RETURN count(g) AS graphs"


class Neo4jGraphStore(CypherReads):
    """One graph of a server. `query_timeout_ms` bounds each read, connecting and trying again included."""

    engine = "neo4j"

    def __init__(
        self, settings: Neo4jSettings, *, namespace: str, password: str | None, query_timeout_ms: int, new: bool
    ) -> None:
        super().__init__(namespace)
        self._connection = Neo4jConnection(settings, password=password)
        self._keys = NamespacedKeys(namespace)
        self._timeout_ms = query_timeout_ms
        self._batch_rows = settings.batch_rows
        self._new = new
        self._checked = False

    @classmethod
    def create(
        cls, settings: Neo4jSettings, *, namespace: str, password: str | None = None, query_timeout_ms: int = 2000
    ) -> Neo4jGraphStore:
        """A graph that is to be written; the first call makes the schema where it is missing."""
        return cls(settings, namespace=namespace, password=password, query_timeout_ms=query_timeout_ms, new=True)

    @classmethod
    def open(
        cls, settings: Neo4jSettings, *, namespace: str, password: str | None = None, query_timeout_ms: int = 2000
    ) -> Neo4jGraphStore:
        """A graph that was written. The first call looks whether it is there; the server may be down until then."""
        return cls(settings, namespace=namespace, password=password, query_timeout_ms=query_timeout_ms, new=False)

    async def check(self) -> None:
        """Raises StoreError when the server, its version, an index or this graph is not as it must be."""
        await self._connection.read(self._look, timeout_ms=self._timeout_ms)
        self._checked = True

    async def warm_up(self, within_ms: float) -> None:
        """Have the server compile the texts that questions ask, which takes one that was just started seconds.

        It takes no longer than that. What goes wrong is left for the questions to meet, whose reason it is then.
        """
        patient = copy(self)
        patient._timeout_ms = int(within_ms)  # noqa: SLF001 - its own class
        no_project, nothing = frozenset({""}), [""]
        with anyio.move_on_after(within_ms / 1000), suppress(StoreError, ConfigError):
            await patient.check()
            self._checked = True
            await patient.find_exact(nothing, permission=no_project)
            await patient.edges(nothing, permission=no_project)
            await patient.find_prefix("-", permission=no_project)
            await patient.find_text(["nothing"], permission=no_project)
            await patient.paths(nothing, ["-"], permission=no_project)

    async def _look(self, transaction: neo4j.AsyncManagedTransaction) -> None:
        errors = self._connection.errors
        agent = (await (await transaction.run("RETURN 1")).consume()).server.agent
        version = re.match(r"Neo4j/v?(\d+)", agent)
        if version is None or int(version[1]) < _OLDEST:
            raise errors.version(agent)
        neo4j_schema.check(await (await transaction.run(neo4j_schema.LOOK)).data(), errors.where)
        (found,) = await (await transaction.run(_WHOLE, {"namespace": self.namespace})).data()
        if not found["graphs"] and not self._new:
            raise StoreError(f"{errors.where} does not hold this index's graph.", INDEX_AGAIN)

    async def is_whole(self) -> bool:
        """Whether the server holds this graph and its indexes. Raises StoreError when it cannot be asked."""
        await self._prepared()
        rows = await self._connection.read_rows(_WHOLE, {"namespace": self.namespace}, timeout_ms=self._timeout_ms)
        return bool(rows[0]["graphs"])

    async def _prepared(self) -> None:
        if self._checked:
            return
        if self._new:
            await neo4j_schema.prepare(self._connection)
        await self.check()

    async def _rows(self, text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        await self._prepared()
        if text == queries.FIND_TEXT and len(parameters["words"]) > _MOST_WORDS:
            return await self._by_many_words(parameters)
        asked = self._keys.to_server(text, parameters)
        return self._keys.from_server(await self._connection.read_rows(text, asked, timeout_ms=self._timeout_ms))

    async def _by_many_words(self, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The index takes so many words at once: asked in parts, which rank by all of them, in the text's own order."""
        words, parts = parameters["words"], []
        for at in range(0, len(words), _MOST_WORDS):
            part = {**parameters, "query": " ".join(words[at : at + _MOST_WORDS])}
            asked = self._keys.to_server(queries.FIND_TEXT, part)
            rows = await self._connection.read_rows(queries.FIND_TEXT, asked, timeout_ms=self._timeout_ms)
            parts.append(self._keys.from_server(rows))
        return gathered(queries.FIND_TEXT, parts, parameters["limit"])

    async def replace(self, parts: Iterable[GraphBatch]) -> None:
        """Raises ValueError on a part that does not hold together; when it is the first, nothing has changed.

        Written in transactions of `batch_rows` rows, so this is for a graph that no one reads yet. A relation may end in a
        part that is still to come: relations and mentions wait until all entities are there.
        """
        coming = map(checked, parts)
        first = list(islice(coming, 1))
        await self._prepared()
        await self._write(_BEGIN)
        await self._clear(self._keys.prefix)
        written = {"entities": 0, "relations": 0}
        with Spool() as relations, Spool() as mentions:
            for part in chain(first, coming):
                await self._load(queries.CREATE_ENTITIES, map(entity_row, part.entities))
                written["entities"] += len(part.entities)
                written["relations"] += relations.put(map(relation_row, part.relationships))
                await self._load(queries.CREATE_FILES, _files(part))
                mentions.put(map(mention_row, part.mentions))
            await self._load(queries.CREATE_RELATIONS, relations.rows())
            await self._load(queries.CREATE_MENTIONS, mentions.rows())
        (held,) = await self._write(_COUNT)
        if held != written:
            raise StoreError(f"{self._connection.errors.where} holds {held}, not what was written.", INDEX_AGAIN)
        await self._write(_FINISH)

    async def is_empty(self) -> bool:
        await self._prepared()
        return not await self._write(_ANY)

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """Raises ValueError on a batch that does not hold together; then nothing has changed.

        Like `replace` for a graph that no one reads yet; what the indexer begins is empty (decision record 0014).
        """
        batch = checked(batch)
        await self._prepared()
        await self._write(_BEGIN)
        given = {"projects": sorted(projects), "sources": sorted(sources), "namespace": self.namespace}
        await self._connection.write_all(queries.DELETE_SOURCES, given)
        await self._load(queries.CREATE_ENTITIES, map(entity_row, batch.entities))
        await self._load(queries.CREATE_FILES, _files(batch))
        await self._load(queries.CREATE_RELATIONS, map(relation_row, batch.relationships))
        await self._load(queries.CREATE_MENTIONS, map(mention_row, batch.mentions))
        await self._write(_FINISH)

    async def _load(self, text: str, rows: Iterable[Mapping[str, Any]]) -> None:
        coming = iter(rows)
        while some := list(islice(coming, self._batch_rows)):
            parameters = {"rows": self._keys.written(text, some), "namespace": self.namespace}
            await self._connection.write_rows(text, parameters)

    async def _write(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        own = {"namespace": self.namespace, "prefix": self._keys.prefix}
        return await self._connection.write_rows(text, {**own, **parameters})

    async def _clear(self, prefix: str) -> None:
        for text in _CLEAR:
            while (await self._write(text, prefix=prefix, limit=self._batch_rows))[0]["gone"]:
                pass

    async def names(self, start: str) -> list[str]:
        """The namespaces on this server that begin so, whole or not."""
        return [row["name"] for row in await self._write(_NAMES, start=start)]

    async def remove(self, namespace: str | None = None) -> None:
        """Take this graph off the server, or another of this index's."""
        namespace = namespace or self.namespace
        await self._clear(NamespacedKeys(namespace).prefix)
        await self._write(_FORGET, namespace=namespace)

    async def close(self) -> None:
        await self._connection.close()


def _files(batch: GraphBatch) -> Iterable[Mapping[str, Any]]:
    """Each file that mentions something, once."""
    return {row["id"]: row for row in map(file_row, batch.mentions)}.values()
