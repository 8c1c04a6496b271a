"""Reciprocal rank fusion of prefetches, with the arithmetic of Qdrant.

G. Cormack, C. Clarke, S. Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods
(SIGIR 2009). Qdrant counts ranks from 0 and divides them by the weight: score(d) = Σ 1 / (k + (rank + 1) / weight − 1),
https://qdrant.tech/documentation/concepts/hybrid-queries/.

An engine's own fusion leaves two things to chance (run on Edge 0.9): prefetched points of equal scores are ranked in
the order they were stored, and equal sums come in another order at every call. Hence this one, over lists whose ties are
in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.vector.port import FusedQuery, Hit
from memory.vector.ties import rounded

__all__ = ["best_attainable", "fused", "reciprocal_rank", "routes"]


def reciprocal_rank(rank: int, k: int = 60, weight: float = 1.0) -> float:
    """What a place in one list is worth; `rank` counts from 0."""
    return 1 / (k + (rank + 1) / weight - 1)


def best_attainable(query: FusedQuery) -> float:
    """The score of a chunk that leads every list: what a fused score is divided by to lie in 0..1."""
    return sum(reciprocal_rank(0, query.k, weight) for weight in _weights(query))


def fused(query: FusedQuery, legs: Sequence[Sequence[Hit]]) -> list[Hit]:
    """The first `limit` of the prefetches' ranked lists fused, each with its routes. Only ids and order are looked at."""
    sums: dict[str, float] = {}
    found: dict[str, Hit] = {}
    for hits, weight in zip(legs, _weights(query), strict=True):
        for rank, hit in enumerate(hits):
            id_ = hit.chunk.id
            sums[id_] = sums.get(id_, 0.0) + reciprocal_rank(rank, query.k, weight)
            found.setdefault(id_, hit)
    scores = {id_: rounded(total) for id_, total in sums.items()}
    first = sorted(scores, key=lambda id_: (-scores[id_], id_))[: query.limit]
    by_id = routes(query, legs)
    return [replace(found[id_], score=scores[id_], routes=by_id[id_]) for id_ in first]


def routes(query: FusedQuery, legs: Sequence[Sequence[Hit]]) -> dict[str, tuple[str, ...]]:
    """For every chunk's id, the vectors whose lists hold it, in the order of the prefetches."""
    names: dict[str, dict[str, None]] = {}
    for hits, prefetch in zip(legs, query.prefetches, strict=True):
        for hit in hits:
            names.setdefault(hit.chunk.id, {})[prefetch.using] = None
    return {id_: tuple(using) for id_, using in names.items()}


def _weights(query: FusedQuery) -> tuple[float, ...]:
    return query.weights or (1.0,) * len(query.prefetches)
