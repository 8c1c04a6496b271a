"""What Qdrant Edge found, told as hits: light tuples while lists are ordered and cut, a hit for what is left of them."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple

from memory.vector.payload import chunk_of, extra_of
from memory.vector.port import SPARSE_LEXICAL, Hit, SparseVector
from memory.vector.ties import rounded

__all__ = ["Found", "found", "full_hit", "hit_of"]


_LAST_BITS = 1e-6  # of a score: some sixteen steps of a float32


class Found(NamedTuple):
    """A point of a list. Its order is that of lists: best first (`below` is minus the score), ties by id.

    id: the UUID as a number, which sorts as its text does.
    """

    below: float
    id: int
    point: Any

    @property
    def score(self) -> float:
        """Rounded, never a negative zero."""
        return 0.0 - self.below


def found(points: Iterable[Any]) -> list[Found]:
    """A search's answer as it is ranked. Scores that follow each other closer than the last bits of a float32 sum are one.

    Each segment adds a sparse score up in an order of its own, so copies in two segments differ there.
    """
    ranked: list[Found] = []
    last, below = inf, -inf
    for score, point in sorted(((point.score, point) for point in points), key=itemgetter(0), reverse=True):
        if last - score > _LAST_BITS * abs(score):
            below = -rounded(score)
        last = score
        ranked.append(Found(below, point.id.int, point))
    return sorted(ranked)


def hit_of(point: Any, known: Hit, score: float = 0.0) -> Hit:
    """A point whose chunk is known as a hit, with the vectors that came with it."""
    vectors = point.vector
    if not vectors:
        return Hit(known.chunk, score, extra=known.extra)
    sparse = vectors.get(SPARSE_LEXICAL)
    return Hit(
        chunk=known.chunk,
        score=score,
        dense={name: vector for name, vector in vectors.items() if name != SPARSE_LEXICAL},
        sparse=SparseVector(tuple(sparse.indices), tuple(sparse.values)) if sparse is not None else None,
        extra=known.extra,
    )


def full_hit(record: Any) -> Hit:
    """A record that came with its payload, without a score."""
    payload = record.payload
    return hit_of(record, Hit(chunk_of(record.id, payload), 0.0, extra=extra_of(payload)))
