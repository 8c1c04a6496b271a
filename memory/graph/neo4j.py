"""The graph on a Neo4j 5 server, by the official asynchronous driver: the same texts as the embedded engine.

See docs/design.md#graph.

A server holds many graphs, each under a namespace of its own, and of each the versions that are read and the one that
is being made (decision record 0080). No one reads a version that is not whole.
"""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.errors import ConfigError, StoreError
from memory.graph import neo4j_schema, queries
from memory.graph.cypher import CypherReads
from memory.graph.neo4j_connection import INDEX_AGAIN, Neo4jConnection
from memory.graph.neo4j_schema import WHOLE, GraphVersion, NamespacedKeys, of_version
from memory.graph.neo4j_writer import VersionWriter
from memory.graph.queries import gathered
from memory.together import batches

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Collection, Mapping, Sequence

    import neo4j

    from configs.settings import Neo4jSettings
    from memory.graph.port import GraphBatch

_OLDEST: Final = 5
_MOST_WORDS: Final = 1000
"""Lucene takes 1,024 clauses a query."""


class Neo4jGraphStore(CypherReads):
    """One version of a graph of a server. `query_timeout_ms` bounds each read, connecting and trying again included;
    None gives it the time of a write.

    kept: the versions of it that readers may read, where it is to be written; finished: called when it is whole.
    """

    engine = "neo4j"

    def __init__(
        self,
        settings: Neo4jSettings,
        *,
        version: GraphVersion,
        password: str | None = None,
        query_timeout_ms: int | None = 2000,
        kept: Sequence[GraphVersion] | None = None,
        finished: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(version.namespace)
        self.version = version
        self._connection = Neo4jConnection(settings, password=password)
        self._writer = VersionWriter(self._connection, version, kept or (), batch_rows=settings.batch_rows)
        self._finished = finished
        self._keys = NamespacedKeys(version.namespace)
        self._timeout_ms = query_timeout_ms
        self._new = kept is not None
        self._checked = False

    @classmethod
    def create(
        cls, settings: Neo4jSettings, *, version: GraphVersion, kept: Sequence[GraphVersion] = (), **options: Any
    ) -> Neo4jGraphStore:
        """A version to be made of the last one of `kept`; the first call makes the schema where it is missing."""
        return cls(settings, version=version, kept=kept, **options)

    @classmethod
    def open(cls, settings: Neo4jSettings, *, version: GraphVersion, **options: Any) -> Neo4jGraphStore:
        """A version that was written. The first call looks whether it is there; the server may be down until then."""
        return cls(settings, version=version, **options)

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
        (found,) = await (await transaction.run(WHOLE, self._named)).data()
        if not found["graphs"] and not self._new:
            raise StoreError(f"{errors.where} does not hold this index's graph.", INDEX_AGAIN)

    async def is_whole(self) -> bool:
        """Whether the server holds this graph and its indexes. Raises StoreError when it cannot be asked."""
        await self._prepared()
        rows = await self._connection.read_rows(WHOLE, self._named, timeout_ms=self._timeout_ms)
        return bool(rows[0]["graphs"])

    @property
    def _named(self) -> dict[str, Any]:
        return {"namespace": self.namespace, "name": self.version.name}

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
        return await self._of_version(text, parameters)

    async def _of_version(self, text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        asked = {**self._keys.to_server(text, parameters), "version": self.version.number}
        rows = await self._connection.read_rows(of_version(text), asked, timeout_ms=self._timeout_ms)
        return self._keys.from_server(rows)

    async def _by_many_words(self, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The index takes so many words at once: asked in parts, which rank by all of them, in the text's own order."""
        words, parts = parameters["words"], []
        for some in batches(words, _MOST_WORDS):
            part = {**parameters, "query": " ".join(some)}
            parts.append(await self._of_version(queries.FIND_TEXT, part))
        return gathered(queries.FIND_TEXT, parts, parameters["limit"])

    async def replace(self, parts: AsyncIterable[GraphBatch]) -> None:
        """Raises ValueError on a part that does not hold together; when it is the first, nothing has changed."""
        await self._prepared()
        await self._writer.replace(parts)
        self._finished()

    async def is_empty(self) -> bool:
        await self._prepared()
        return await self._writer.is_empty()

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """Raises ValueError on a batch that does not hold together; then nothing has changed."""
        await self._prepared()
        await self._writer.update(batch, projects=projects, sources=sources)
        self._finished()

    async def settle(self, kept: Sequence[GraphVersion]) -> None:
        """Leave of this graph what these versions have, the last of which is the published one."""
        await self._prepared()
        await self._writer.settle(kept)

    async def names(self, start: str) -> list[str]:
        """The namespaces on this server that begin so, whole or not."""
        await self._prepared()
        return await self._writer.names(start)

    async def remove(self) -> None:
        """Take this graph off the server, every version of it."""
        await self._writer.remove()

    async def close(self) -> None:
        await self._connection.close()
