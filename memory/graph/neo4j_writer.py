"""Writes one version of a graph on a Neo4j server: what differs from the version before ends or begins, all else stays.

See decision record 0080. Everything lives when it has no end yet. What lives on the server is compared with what is to
be there by digests of its content. No reader of an earlier version sees any of it, and each write may be done twice.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memory.errors import StoreError
from memory.graph.neo4j_connection import INDEX_AGAIN, Neo4jConnection
from memory.graph.neo4j_schema import FOREVER, SETTLE, WHOLE, GraphVersion, NamespacedKeys, Spool
from memory.graph.port import GraphBatch, checked
from memory.graph.queries import entity_row, relation_row
from memory.together import batches

_PROJECTS_AT_ONCE: Final = 100
_HERE: Final = "namespace = $namespace AND e.key IS NOT NULL"  # as the index entity_key has them
_BEGIN: Final = "MERGE (g:Graph {namespace: $namespace}) SET g.versions = []"
_FINISH: Final = """
MATCH (g:Graph {namespace: $namespace})
SET g.versions = [one IN g.versions WHERE one <> $name] + $name"""
_KEEP: Final = "MATCH (g:Graph {namespace: $namespace}) SET g.versions = [one IN g.versions WHERE one IN $names]"
_ANY: Final = f"MATCH (e:Entity) WHERE e.{_HERE} AND e.until = $forever RETURN e.id AS id LIMIT 1"
_PROJECTS: Final = f"MATCH (e:Entity) WHERE e.{_HERE} AND e.until = $forever RETURN DISTINCT e.project AS name"
_TOUCH: Final = "UNWIND $names AS name MERGE (:Touched {namespace: $namespace, project: name})"
_TOUCHED: Final = """
MATCH (t:Touched) WHERE t.namespace = $namespace
RETURN t.project AS name ORDER BY name SKIP $skip LIMIT $projects"""
_SETTLED: Final = "MATCH (t:Touched) WHERE t.namespace = $namespace AND t.project IN $names DELETE t"
_CLEAR: Final = (
    f"MATCH (e:Entity) WHERE e.{_HERE} WITH e LIMIT $limit DETACH DELETE e RETURN count(*) AS done",
    "MATCH (t:Touched) WHERE t.namespace = $namespace WITH t LIMIT $limit DELETE t RETURN count(*) AS done",
)
_FORGET: Final = "MATCH (g:Graph {namespace: $namespace}) DELETE g"
_NAMES: Final = "MATCH (g:Graph) WHERE g.namespace STARTS WITH $start RETURN g.namespace AS name ORDER BY name"


@dataclass(frozen=True, slots=True)
class _Kind:
    """The texts of a kind of thing. living: what lives of some projects; ends: those of `$gone`; begins: of `$rows`."""

    living: str
    ends: tuple[str, ...]
    begins: str


def _living(match: str) -> str:
    return f"{match} AND x.namespace = $namespace AND x.until = $forever RETURN elementId(x) AS element, x.digest AS digest"  # noqa: E501 - text that is read whole


def _ends(match: str) -> tuple[str, ...]:
    """What this version itself brought is not kept: no one reads it."""
    some = f"MATCH {match} IN $gone AND x.until = $forever AND x.since"
    return f"{some} = $version DELETE x", f"{some} < $version SET x.until = $version"


_ENTITY: Final = _Kind(
    _living("MATCH (x:Entity) WHERE x.project IN $projects"),
    (*_ends("(e:Entity)-[x]-() WHERE elementId(e)"), *_ends("(x:Entity) WHERE elementId(x)")),
    """
UNWIND $rows AS row MERGE (e:Entity {id: row.id, until: $forever})
ON CREATE SET e += row, e.namespace = $namespace, e.since = $version RETURN count(e) AS done""",
)
_RELATION: Final = _Kind(
    f"{_living('MATCH (a:Entity)-[x:REL]->() WHERE a.project IN $sources')} UNION "
    f"{_living('MATCH ()-[x:REL]->(b:Entity) WHERE b.project IN $projects')}",
    _ends("()-[x:REL]->() WHERE elementId(x)"),
    """
UNWIND $rows AS row
MATCH (a:Entity {id: row.source, until: $forever}), (b:Entity {id: row.target, until: $forever})
MERGE (a)-[r:REL {id: row.id, until: $forever}]->(b)
ON CREATE SET r.namespace = $namespace, r.since = $version, r.digest = row.digest, r.type = row.type,
  r.project = row.project, r.file = row.file, r.line = row.line, r.lines = row.lines, r.status = row.status,
  r.evidence = row.evidence RETURN count(r) AS done""",
)


class VersionWriter:
    """Makes `version` of the last of the versions `kept` for readers, or anew where the server does not hold that."""

    def __init__(
        self, connection: Neo4jConnection, version: GraphVersion, kept: Sequence[GraphVersion], *, batch_rows: int
    ) -> None:
        self._connection = connection
        self._version = version
        self._kept = kept
        self._batch_rows = batch_rows
        self._keys = NamespacedKeys(version.namespace)
        self._begun = self._anew = False

    async def replace(self, parts: AsyncIterable[GraphBatch]) -> None:
        """Make the version hold exactly these parts. A relation may end in a part that is still to come: relations wait
        until all entities are there. Raises ValueError on a part that does not hold together.
        """
        coming = aiter(parts)
        part = await _next(coming)
        await self._begin()
        gone = set[str]() if self._anew else {row["name"] for row in await self._write(_PROJECTS)}
        with Spool() as edges:
            while part is not None:
                gone -= part.projects
                await self._put_entities(part, part.projects, part.projects)
                edges.put([_edges(part, part.projects)])
                part = await _next(coming)
            for row in edges.rows():
                await self._put_edges(row, ())
        if gone:
            nothing = GraphBatch((), ())
            await self._put_entities(nothing, gone, gone)
            await self._put_edges(_edges(nothing, gone), ())
        await self._finish()

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """As the port has it. Raises ValueError on a batch that does not hold together; then nothing has changed."""
        batch = checked(batch)
        await self._begin()
        await self._put_entities(batch, projects, {*projects, *sources})
        await self._put_edges(_edges(batch, sources), projects)
        await self._finish()

    async def is_empty(self) -> bool:
        """Whether nothing lives."""
        await self._begin()
        return not await self._write(_ANY)

    async def settle(self, kept: Sequence[GraphVersion]) -> None:
        """Leave of the graph what these versions have, the last of which is published. A killed run's rest goes."""
        bounds = {"current": kept[-1].number, "oldest": min(version.number for version in kept)}
        skip = 0
        while touched := await self._write(_TOUCHED, skip=skip, projects=_PROJECTS_AT_ONCE):
            names = [row["name"] for row in touched]
            for text in SETTLE:
                await self._repeat(text, names=names, **bounds)
            if bounds["oldest"] == bounds["current"]:
                await self._write(_SETTLED, names=names)
            else:  # somebody still reads what has its end
                skip += len(names)
        await self._write(_KEEP, names=[version.name for version in kept])

    async def names(self, start: str) -> list[str]:
        """The namespaces of the graphs on this server that begin so, whole or not."""
        return [row["name"] for row in await self._write(_NAMES, start=start)]

    async def remove(self) -> None:
        """Take the graph off the server, every version of it."""
        for text in _CLEAR:
            await self._repeat(text)
        await self._write(_FORGET)

    async def _begin(self) -> None:
        """Once, before all else: settle what a killed run left, or make room for a new graph."""
        if self._begun:
            return
        if self._kept and (await self._write(WHOLE, name=self._kept[-1].name))[0]["graphs"]:
            await self.settle(self._kept)
        else:
            await self.remove()
            await self._write(_BEGIN)
            self._anew = True
        self._begun = True

    async def _finish(self) -> None:
        await self._write(_FINISH, name=self._version.name)
        self._anew = False

    async def _put_entities(self, batch: GraphBatch, projects: Collection[str], touched: Collection[str]) -> None:
        if not self._anew:
            await self._write(_TOUCH, names=sorted(touched))
        await self._put(_ENTITY, self._keys.written(map(entity_row, batch.entities), "id"), projects=sorted(projects))

    async def _put_edges(self, edges: Mapping[str, Any], projects: Collection[str]) -> None:
        rows = self._keys.written(edges["relations"], "source", "target")
        await self._put(_RELATION, rows, sources=edges["sources"], projects=sorted(projects))

    async def _put(self, kind: _Kind, rows: Iterable[dict[str, Any]], **where: Any) -> None:
        """Of what lives there what is among the rows stays, and the rest ends; rows that do not live begin."""
        coming = {row["digest"]: row for row in rows}
        living = [] if self._anew else await self._write(kind.living, **where)
        gone = [one["element"] for one in living if coming.pop(one["digest"], None) is None]
        for some in batches(gone, self._batch_rows):
            await self._connection.write_all(kind.ends, self._own(gone=some))
        await self._load(kind.begins, list(coming.values()))

    async def _load(self, text: str, rows: Sequence[Mapping[str, Any]]) -> None:
        for some in batches(rows, self._batch_rows):
            (written,) = await self._write(text, rows=some)
            if written["done"] != len(some):
                where = self._connection.errors.where
                raise StoreError(f"{where} took {written['done']} of {len(some)} rows.", INDEX_AGAIN)

    async def _repeat(self, text: str, **parameters: Any) -> None:
        while (await self._write(text, **parameters))[0]["done"] == self._batch_rows:
            pass

    async def _write(self, text: str, **parameters: Any) -> list[dict[str, Any]]:
        return await self._connection.write_rows(text, self._own(**parameters))

    def _own(self, **parameters: Any) -> dict[str, Any]:
        own = {"namespace": self._version.namespace, "version": self._version.number}
        return {**own, "forever": FOREVER, "limit": self._batch_rows, **parameters}


async def _next(parts: AsyncIterator[GraphBatch]) -> GraphBatch | None:
    """The next part; None where there is none. Raises ValueError on one that does not hold together."""
    part = await anext(parts, None)
    return None if part is None else checked(part)


def _edges(batch: GraphBatch, sources: Collection[str]) -> dict[str, Any]:
    """The rows of what starts in these projects, as JSON can hold them."""
    return {"sources": sorted(sources), "relations": list(map(relation_row, batch.relationships))}
