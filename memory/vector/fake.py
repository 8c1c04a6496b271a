"""`FakeVectorStore`: the port in memory, its arithmetic in the open. For tests, ours and our users'."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from memory.errors import StoreError
from memory.vector.filters import Condition
from memory.vector.payload import payload_of
from memory.vector.port import SPARSE_LEXICAL, Chunk, DenseVector, FusedQuery, Hit, Point, SparseVector, VectorQuery
from memory.vector.rrf import fused
from memory.vector.ties import ranked, rounded


def idf(population: int, holding: int) -> float:
    """Qdrant's IDF, after BM25: ln((N - n + 0.5) / (n + 0.5) + 1), N points of which n hold the term."""
    return math.log((population - holding + 0.5) / (holding + 0.5) + 1)


class FakeVectorStore:
    """Exact search over a dictionary. `calls` counts the reads that got past the permission."""

    def __init__(self) -> None:
        self.calls = 0
        self._points: dict[str, Point] = {}
        self._closed = False

    async def query_batch(
        self, queries: Sequence[VectorQuery | FusedQuery], *, permission: frozenset[str]
    ) -> list[list[Hit]]:
        if not permission or not queries:
            return [[] for _ in queries]
        permitted = self._permitted(permission)
        return [self._answer(query, permitted) for query in queries]

    async def file_chunks(self, project: str, paths: Iterable[str], *, permission: frozenset[str]) -> list[Chunk]:
        wanted = set(paths)
        if project not in permission or not wanted:
            return []
        chunks = [point.chunk for point in self._permitted(frozenset({project})) if point.chunk.path in wanted]
        return sorted(chunks, key=lambda chunk: (chunk.path, chunk.start_line, chunk.end_line, chunk.id))

    async def count(self, *, permission: frozenset[str]) -> int:
        return len(self._permitted(permission)) if permission else 0

    async def upsert(self, points: Sequence[Point]) -> None:
        self._check_open()
        self._points |= {point.chunk.id: replace(point, dense=_unit(point.dense)) for point in points}

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        self._check_open()
        for id_, dense in vectors.items():
            if id_ not in self._points:
                raise StoreError(f"No chunk with id {id_} to give vectors to.", "Add it first.")
            point = self._points[id_]
            self._points[id_] = replace(point, dense={**point.dense, **_unit(dense)})

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        gone = set(paths)
        self._keep(lambda chunk: chunk.project != project or chunk.path not in gone)

    async def delete_project(self, project: str) -> None:
        self._keep(lambda chunk: chunk.project != project)

    async def close(self) -> None:
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The vector store is closed.", "Open it again.")

    def _keep(self, wanted: Callable[[Chunk], bool]) -> None:
        self._check_open()
        self._points = {id_: point for id_, point in self._points.items() if wanted(point.chunk)}

    def _permitted(self, permission: frozenset[str]) -> list[Point]:
        self._check_open()
        self.calls += 1
        return [point for _, point in sorted(self._points.items()) if point.chunk.project in permission]

    def _answer(self, query: VectorQuery | FusedQuery, permitted: Sequence[Point]) -> list[Hit]:
        if isinstance(query, FusedQuery):
            return fused(query, [self._answer(leg, permitted) for leg in query.legs])
        passing = [point for point in permitted if _passes(point.chunk, query.conditions)]
        if query.vector is None:
            scores: list[float | None] = [0.0] * len(passing)
        elif isinstance(query.vector, SparseVector):
            weights = _with_idf(query.vector, permitted)
            scores = [_dot(weights, point.sparse) for point in passing]
        else:
            asked = _unit({query.using: query.vector})[query.using]
            scores = [_cosine(asked, point.dense.get(query.using)) for point in passing]
        hits = [
            Hit(
                chunk=point.chunk,
                score=rounded(score),
                dense={name: vector for name, vector in point.dense.items() if name in query.with_vectors},
                sparse=point.sparse if SPARSE_LEXICAL in query.with_vectors else None,
                extra=point.extra,
            )
            for point, score in zip(passing, scores, strict=True)
            if score is not None
        ]
        return ranked(hits)[: query.limit]


def _passes(chunk: Chunk, conditions: Iterable[Condition]) -> bool:
    payload = payload_of(chunk, namespace="") | {"id": chunk.id}
    return all(condition.holds(payload[condition.key]) for condition in conditions)


def _unit(dense: Mapping[str, DenseVector]) -> dict[str, DenseVector]:
    lengths = {name: math.sqrt(sum(number * number for number in vector)) for name, vector in dense.items()}
    return {name: [float(number) / (lengths[name] or 1.0) for number in vector] for name, vector in dense.items()}


def _cosine(asked: DenseVector, stored: DenseVector | None) -> float | None:
    return None if stored is None else sum(a * b for a, b in zip(asked, stored, strict=True))


def _with_idf(query: SparseVector, population: Sequence[Point]) -> dict[int, float]:
    """The query's weights times each term's IDF over the permission, never over the filter of one query."""
    holders = [set(point.sparse.indices) for point in population]
    return {
        term: weight * idf(len(population), sum(term in held for held in holders))
        for term, weight in zip(query.indices, query.values, strict=True)
    }


def _dot(weights: Mapping[int, float], stored: SparseVector) -> float | None:
    """The score, or None where no term is shared."""
    shared = [
        weights[term] * value for term, value in zip(stored.indices, stored.values, strict=True) if term in weights
    ]
    return sum(shared) if shared else None
