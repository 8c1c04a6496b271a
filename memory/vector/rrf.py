"""Reciprocal rank fusion of prefetches, with the arithmetic of Qdrant.

G. Cormack, C. Clarke, S. Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods
(SIGIR 2009). Qdrant counts ranks from 0 and divides them by the weight: score(d) = Σ 1 / (k + (rank + 1) / weight − 1),
https://qdrant.tech/documentation/concepts/hybrid-queries/.

An engine's own fusion leaves two things to chance (run on Edge 0.9): prefetched points of equal scores are ranked in
the order they were stored, and equal sums come in another order at every call. Hence this one, over lists whose ties
are in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, NamedTuple, TypeVar

from memory.vector.port import FusedQuery, Hit
from memory.vector.ties import rounded

K = TypeVar("K", int, str)


class Ranked(NamedTuple, Generic[K]):
    """A point of a fused list, with the vectors whose lists held it."""

    id: K
    score: float
    routes: tuple[str, ...]


def reciprocal_rank(rank: int, k: int = 60, weight: float = 1.0) -> float:
    """What a place in one list is worth; `rank` counts from 0."""
    return 1 / (k + (rank + 1) / weight - 1)


def fused(query: FusedQuery, legs: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The first `limit` of the prefetches' ranked lists fused, each with its routes. Only ids and order count."""
    found = {hit.chunk.id: hit for hits in reversed(legs) for hit in reversed(hits)}
    ranked = merged(query, [[hit.chunk.id for hit in hits] for hits in legs])
    return [replace(found[one.id], score=one.score, routes=one.routes) for one in ranked]


def merged(query: FusedQuery, legs: Sequence[Sequence[K]]) -> list[Ranked[K]]:
    """The same for points of which nothing but the ids is known; ties by id."""
    sums: dict[K, float] = {}
    for ids, weight in zip(legs, query.weights or (1.0,) * len(query.prefetches), strict=True):
        for rank, id_ in enumerate(ids):
            sums[id_] = sums.get(id_, 0.0) + reciprocal_rank(rank, query.k, weight)
    first = sorted((-rounded(total), id_) for id_, total in sums.items())[: query.limit]
    by_id = routes(query, legs)
    return [Ranked(id_, 0.0 - below, by_id[id_]) for below, id_ in first]


def routes(query: FusedQuery, legs: Sequence[Sequence[K]]) -> dict[K, tuple[str, ...]]:
    """For every point, the vectors whose lists hold it, in the order of the prefetches."""
    names: dict[K, tuple[str, ...]] = {}
    for ids, prefetch in zip(legs, query.prefetches, strict=True):
        using = (prefetch.using,)
        for id_ in ids:
            before = names.get(id_, ())
            names[id_] = before if using[0] in before else before + using
    return names
