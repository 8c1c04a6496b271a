"""What Qdrant Edge found, told as hits: light tuples while lists are ordered and cut, a hit for what is left of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from memory.vector.payload import chunk_of, extra_of
from memory.vector.port import SPARSE_LEXICAL, Hit, SparseVector
from memory.vector.ties import rounded

__all__ = ["Found", "found", "full_hit", "hit_of"]


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
    """A search's answer as it is ranked."""
    return sorted(Found(-rounded(point.score), point.id.int, point) for point in points)


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
