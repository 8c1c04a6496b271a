"""The vector store's and the graph store's reads behind a tape.

`TapedVectors` records one call a search and a point. A batch's searches do not depend on each other, nor do the points
of a list by id, so each is recorded on its own: another batch of the same searches is answered exactly, without having
been sent before.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from memory.errors import StoreError
from memory.vector import Chunk, DenseVector, FusedQuery, Hit, Point, VectorQuery, VectorStore

if TYPE_CHECKING:
    from memory.entities import Entity, Relationship
    from memory.graph import GraphBatch, GraphPath, GraphStore
    from memory.graph.port import Direction
    from replay.tape import Tape


class TapedVectors:
    """The port's reads; it is never written to."""

    def __init__(self, tape: Tape, live: VectorStore | None) -> None:
        self._tape = tape
        self._live: Any = live

    async def query_batch(
        self, queries: Sequence[VectorQuery | FusedQuery], *, permission: frozenset[str]
    ) -> list[list[Hit]]:
        if not permission or not queries:
            return [[] for _ in queries]
        searches = [query for query in queries if _ids(query) is None]
        found = iter(await self._searched(searches, permission) if searches else [])
        return [
            next(found) if (ids := _ids(query)) is None else await self._listed(query, ids, permission)
            for query in queries
        ]

    async def _searched(
        self, queries: Sequence[VectorQuery | FusedQuery], permission: frozenset[str]
    ) -> list[list[Hit]]:
        async def fetch(lacking: list[int]) -> list[list[Hit]]:
            sent = [queries[place] for place in lacking]
            hits: list[list[Hit]] = await self._live.query_batch(sent, permission=permission)
            return hits

        asked = [{"query": query, "permission": permission} for query in queries]
        return await self._tape.ask("vectors.search", asked, fetch)

    async def _listed(self, query: Any, ids: Sequence[str], permission: frozenset[str]) -> list[Hit]:
        async def fetch(lacking: list[int]) -> list[Hit | None]:
            wanted = [ids[place] for place in lacking]
            [condition] = query.conditions
            listing = replace(query, limit=len(wanted), conditions=(replace(condition, any_of=tuple(wanted)),))
            [hits] = await self._live.query_batch([listing], permission=permission)
            by_id = {hit.chunk.id: hit for hit in hits}
            return [by_id.get(id_) for id_ in wanted]

        asked = [{"id": id_, "vectors": query.with_vectors, "permission": permission} for id_ in ids]
        points = await self._tape.ask("vectors.point", asked, fetch) if asked else []
        return sorted((hit for hit in points if hit is not None), key=lambda hit: str(hit.chunk.id))

    async def file_chunks(self, project: str, paths: Iterable[str], *, permission: frozenset[str]) -> list[Chunk]:
        wanted = sorted(set(paths))

        async def fetch(lacking: list[int]) -> list[list[Chunk]]:
            lacked = [wanted[place] for place in lacking]
            chunks = await self._live.file_chunks(project, lacked, permission=permission)
            return [[chunk for chunk in chunks if chunk.path == path] for path in lacked]

        asked = [{"project": project, "path": path, "permission": permission} for path in wanted]
        files = await self._tape.ask("vectors.file_chunks", asked, fetch) if asked else []
        return [chunk for chunks in files for chunk in chunks]

    async def count(self, *, permission: frozenset[str]) -> int:
        async def fetch(_: list[int]) -> list[int]:
            return [await self._live.count(permission=permission)]

        [points] = await self._tape.ask("vectors.count", [{"permission": permission}], fetch)
        return int(points)

    async def upsert(self, points: Sequence[Point]) -> None:
        _refuse(points)

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        _refuse(vectors)

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        _refuse(project, paths)

    async def delete_project(self, project: str) -> None:
        _refuse(project)

    async def close(self) -> None:
        """Nothing: what is live is its opener's."""


def _ids(query: VectorQuery | FusedQuery) -> Sequence[str] | None:
    """The ids of a query that only lists points by them, all of which fit."""
    if not isinstance(query, VectorQuery) or query.vector is not None or len(query.conditions) != 1:
        return None
    [condition] = query.conditions
    if condition.key != "id" or not condition.is_choice or len(set(condition.any_of)) > query.limit:
        return None
    return [str(id_) for id_ in dict.fromkeys(condition.any_of)]


def _refuse(*_: object) -> NoReturn:
    raise StoreError("A recording is not written to.", "Index into a data folder.")


class TapedGraph:
    """The port's reads; it is never written to."""

    def __init__(self, tape: Tape, live: GraphStore | None) -> None:
        self._tape = tape
        self._live: Any = live
        self.engine = tape.look("graph.engine", str, lambda: self._live.engine)

    async def find_exact(self, keys: Sequence[str], *, permission: frozenset[str], limit: int = 50) -> list[Entity]:
        return await self._asked("find_exact", list(keys), permission=permission, limit=limit)

    async def find_prefix(self, prefix: str, *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        return await self._asked("find_prefix", prefix, permission=permission, limit=limit)

    async def find_text(self, words: Sequence[str], *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        return await self._asked("find_text", list(words), permission=permission, limit=limit)

    async def edges(
        self,
        ids: Sequence[str],
        *,
        permission: frozenset[str],
        direction: Direction = "both",
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        return await self._asked(
            "edges",
            list(ids),
            recorded={"include_candidates": False},
            permission=permission,
            direction=direction,
            types=list(types),
            limit=limit,
        )

    async def edges_between(
        self,
        sources: Collection[str],
        targets: Collection[str],
        *,
        permission: frozenset[str],
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        ends = (sorted(sources), sorted(targets))
        return await self._asked("edges_between", *ends, permission=permission, types=list(types), limit=limit)

    async def paths(
        self,
        source_ids: Sequence[str],
        target_ids: Sequence[str],
        *,
        permission: frozenset[str],
        max_hops: int = 2,
        limit: int = 20,
    ) -> list[GraphPath]:
        ends = (list(source_ids), list(target_ids))
        return await self._asked(
            "paths", *ends, recorded={"types": []}, permission=permission, max_hops=max_hops, limit=limit
        )

    async def all_entities(self, *, permission: frozenset[str]) -> list[Entity]:
        return await self._asked("all_entities", permission=permission)

    async def all_edges(self, *, permission: frozenset[str]) -> list[Relationship]:
        return await self._asked("all_edges", permission=permission)

    async def replace(self, parts: AsyncIterable[GraphBatch]) -> None:
        _refuse(parts)

    async def is_empty(self) -> bool:
        return False

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        _refuse(batch, projects, sources)

    async def close(self) -> None:
        """Nothing: what is live is its opener's."""

    async def _asked(
        self, method: str, *given: Any, recorded: Mapping[str, Any] | None = None, **named: Any
    ) -> list[Any]:
        """recorded: options that no caller gives any more, as they are in recordings of when some did."""

        async def fetch(_: list[int]) -> list[Any]:
            return [await getattr(self._live, method)(*given, **named)]

        [answer] = await self._tape.ask(f"graph.{method}", [{"given": list(given), **named, **(recorded or {})}], fetch)
        rows: list[Any] = answer
        return rows
