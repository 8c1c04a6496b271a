"""`EdgeVectorStore`: Qdrant Edge, the Rust engine in process, on one folder (docs/design.md#vectors).

Shards are made without a write-ahead log, so that any number of processes may hold one folder open; what was written is
safe once `close` (or `flush`) returned, and sealed where that pays (`edge_sealing`). The engine never releases the GIL,
so calls of 1-4 ms run inline; those that are asked for at the same moment are one (`edge_searches`). Search is exact at
every size (no HNSW is built), and IDF is always taken over the permission.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import qdrant_edge as edge

from memory.errors import DataFolderError
from memory.together import batches
from memory.vector.edge_files import Room
from memory.vector.edge_points import REMEMBERED, EdgePoints
from memory.vector.edge_reading import ReadingShard, load_to_read, translated
from memory.vector.edge_sealing import Sealing, SealingShard, load_to_write, new_shard
from memory.vector.edge_searches import (
    RankedPoint,
    Search,
    SearchesTogether,
    file_filter,
    full_hit,
    hit_of,
    permitted_only,
    request,
    within,
)
from memory.vector.payload import payload_of
from memory.vector.port import SPARSE_LEXICAL, Chunk, DenseVector, FusedQuery, Hit, Point, VectorQuery
from memory.vector.rrf import Ranked, merged
from memory.vector.ties import Rounds

_BATCH = 500
_SEALING = Sealing()
_PERMISSIONS = 64  # of which it is remembered what they ask for
_ROOM = Room()


class EdgeVectorStore:
    """The vector store on one Edge shard. Errors of the engine become StoreError, DataFolderError, StorageFullError.

    remembered: how many chunks are kept at hand; more than that only while one answer has more.
    """

    def __init__(self, shard: SealingShard | ReadingShard, namespace: str, remembered: int = REMEMBERED) -> None:
        self._shard = shard
        self._path = shard.path
        self._namespace = namespace
        self._closed = False
        self._points = EdgePoints(shard, remembered)
        self._asked_for: dict[frozenset[str], tuple[edge.FieldCondition, ...]] = {}
        self._searches = SearchesTogether(self._search)

    @classmethod
    def create(
        cls,
        path: Path | str,
        *,
        vectors: Mapping[str, int],
        namespace: str,
        sealing: Sealing = _SEALING,
        room: Room = _ROOM,
    ) -> EdgeVectorStore:
        """A new shard in an empty or missing folder. vectors: name -> dimension."""
        return cls(new_shard(Path(path), vectors, sealing, room), namespace)

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        namespace: str,
        room: Room = _ROOM,
        remembered: int = REMEMBERED,
        seal_every: int = _SEALING.every,
    ) -> EdgeVectorStore:
        """The shard that `create` made, what is written to it sealed every so many points. Raises DataFolderError when
        there is none or it may not be written to, StorageFullError.
        """
        return cls(load_to_write(_made(path), seal_every, room), namespace, remembered)

    @classmethod
    def read(
        cls, path: Path | str, *, namespace: str, room: Room = _ROOM, remembered: int = REMEMBERED
    ) -> EdgeVectorStore:
        """The shard that `create` made, to be read; its disk may be full, or not be written to. Raises DataFolderError
        when there is none, StoreError.
        """
        return cls(load_to_read(_made(path), room), namespace, remembered)

    async def query_batch(
        self, queries: Sequence[VectorQuery | FusedQuery], *, permission: frozenset[str]
    ) -> list[list[Hit]]:
        if not permission:
            return [[] for _ in queries]
        parts = [_searches(query) for query in queries]
        lists = iter(await self._found([search for part in parts for search in part], permission))
        return [
            self._hits(query, [next(lists) for _ in part], permission)
            for query, part in zip(queries, parts, strict=True)
        ]

    async def file_chunks(self, project: str, paths: Iterable[str], *, permission: frozenset[str]) -> list[Chunk]:
        wanted = sorted(set(paths))
        if project not in permission or not wanted:
            return []
        records = self._points.scroll(file_filter(self._namespace, project, wanted), payload=False)
        chunks = [known.chunk for known in self._points.known([record.id.int for record in records])]
        return sorted(chunks, key=lambda chunk: (chunk.path, chunk.start_line, chunk.end_line, chunk.id))

    async def count(self, *, permission: frozenset[str]) -> int:
        if not permission:
            return 0
        with translated(self._path, "read"):
            return self._shard.engine.count(edge.CountRequest(filter=within(self._permitted(permission)), exact=True))

    async def upsert(self, points: Sequence[Point]) -> None:
        self._shard.check_room(len(points))
        for some in batches(points, _BATCH):
            self._update(edge.UpdateOperation.upsert_points([self._stored(point) for point in some]), len(some))

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        self._shard.check_room(len(vectors))
        points = [edge.PointVectors(id_, _floats(dense)) for id_, dense in vectors.items()]
        for some in batches(points, _BATCH):
            self._update(edge.UpdateOperation.update_vectors(list(some)), len(some))

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        self._update(
            edge.UpdateOperation.delete_points_by_filter(file_filter(self._namespace, project, sorted(set(paths))))
        )

    async def delete_project(self, project: str) -> None:
        everything = within(permitted_only(self._namespace, frozenset({project})))
        self._update(edge.UpdateOperation.delete_points_by_filter(everything))

    async def flush(self) -> None:
        """Bring what was written to the disk."""
        with translated(self._path, "write"):
            self._shard.engine.flush()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self._shard.close()

    def _permitted(self, permission: frozenset[str]) -> tuple[edge.FieldCondition, ...]:
        """What a search must ask for: what all points meet is not asked, for it is a third of a search's cost."""
        if permission not in self._asked_for:
            if len(self._asked_for) >= _PERMISSIONS:
                self._asked_for.clear()
            self._asked_for[permission] = tuple(
                condition
                for condition in permitted_only(self._namespace, permission)
                if self._points.scroll(edge.Filter(must_not=[condition]), 1, payload=False)  # one such point is enough
            )
        return self._asked_for[permission]

    async def _found(self, queries: Sequence[VectorQuery], permission: frozenset[str]) -> list[list[RankedPoint]]:
        """A ranked list for every query."""
        rounds: Rounds[RankedPoint] = Rounds({number: query.limit for number, query in enumerate(queries)})
        while rounds.asked:
            searches = [Search(queries[number], size, permission) for number, size in rounds.asked.items()]
            rounds.take(await self._searches.find(searches))
        return [rounds.results[number] for number in range(len(queries))]

    def _search(self, searches: Sequence[Search]) -> Sequence[Sequence[Any]]:
        """One call of the engine."""
        requests = [request(search.query, search.size, self._permitted(search.permission)) for search in searches]
        with translated(self._path, "search"):
            return self._shard.engine.query_batch(edge.QueryBatchRequest(requests))

    def _hits(
        self, query: VectorQuery | FusedQuery, lists: Sequence[Sequence[RankedPoint]], permission: frozenset[str]
    ) -> list[Hit]:
        """A query's answer, made of what its searches found."""
        if isinstance(query, FusedQuery):
            return self._completed(query, merged(query, [[one.id for one in ranked] for ranked in lists]))
        if query.vector is None:
            return self._listed(query, permission)
        [ranked] = lists
        ids = [one.id for one in ranked]
        if query.places_only and not query.with_vectors:
            places = self._points.placed(ranked)
            return [Hit(places[id_], 0.0 - below) for below, id_, _ in ranked]
        return [hit_of(one.point, known, one.score) for one, known in zip(ranked, self._points.known(ids), strict=True)]

    def _completed(self, query: FusedQuery, ranked: Sequence[Ranked[int]]) -> list[Hit]:
        """What was fused by its ids, with its chunks and vectors."""
        vectors, ids = query.legs[0].with_vectors, [one.id for one in ranked]
        if vectors:
            records = self._points.records([UUID(int=id_) for id_ in ids], payload=True, vectors=vectors)
            full = {id_: full_hit(record) for id_, record in records.items()}
        else:
            full = dict(zip(ids, self._points.known(ids), strict=True))
        return [replace(full[one.id], score=one.score, routes=one.routes) for one in ranked]

    def _listed(self, query: VectorQuery, permission: frozenset[str]) -> list[Hit]:
        """Matching points by id."""
        if [condition.key for condition in query.conditions] == ["id"]:
            return self._points.by_id(query, permission, self._permitted(permission))
        matching = within(self._permitted(permission), query.conditions)
        return [full_hit(record) for record in self._points.scroll(matching, query.limit, query.with_vectors)]

    def _stored(self, point: Point) -> edge.Point:
        sparse = edge.SparseVector(list(point.sparse.indices), list(point.sparse.values))
        vectors = _floats(point.dense) | {SPARSE_LEXICAL: sparse}
        return edge.Point(point.chunk.id, vectors, payload_of(point.chunk, self._namespace) | dict(point.extra))

    def _update(self, operation: edge.UpdateOperation, points: int = 0) -> None:
        self._points.forget()
        self._asked_for.clear()
        self._shard.update(operation, points)


def _made(path: Path | str) -> Path:
    if not (Path(path) / "edge_config.json").is_file():
        raise DataFolderError(f"There is no vector index in {path}.", "Index your projects first.")
    return Path(path)


def _floats(dense: Mapping[str, DenseVector]) -> dict[str, list[float] | edge.SparseVector | list[list[float]]]:
    return {name: [float(number) for number in vector] for name, vector in dense.items()}


def _searches(query: VectorQuery | FusedQuery) -> tuple[VectorQuery, ...]:
    """What is searched for a query; what is fused is searched without vectors, which come with what is left."""
    if isinstance(query, FusedQuery):
        return tuple(replace(leg, with_vectors=()) for leg in query.legs)
    return () if query.vector is None else (query,)
