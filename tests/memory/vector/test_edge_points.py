from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from memory.vector import DENSE_DOCS, SPARSE_LEXICAL, Hit, SparseVector
from memory.vector.edge_points import found, full_hit, hit_of
from memory.vector.payload import payload_of
from tests.contracts.vector_store import make_chunk


@dataclass(frozen=True)
class Point:
    """What the engine hands out, as far as it is read."""

    id: UUID
    score: float = 0.0
    payload: dict[str, Any] | None = None
    vector: dict[str, Any] | None = None


LOW, HIGH = UUID(int=1), UUID(int=2**127)


def test_a_list_stands_best_first_and_ties_by_id_after_rounding():
    points = [Point(HIGH, 0.50000001), Point(UUID(int=7), 0.9), Point(LOW, 0.49999999), Point(UUID(int=9), -0.0000001)]
    ranked = found(points)
    assert [one.id for one in ranked] == [7, LOW.int, HIGH.int, 9]
    assert [str(one.score) for one in ranked] == ["0.9", "0.5", "0.5", "0.0"]  # rounded, no negative zero
    assert str(LOW) < str(HIGH)  # numbers sort as the texts that hits are ordered by


def test_scores_that_differ_in_their_last_bits_alone_are_one():
    above, below, apart = 30.000004, 29.999996, 29.99
    assert round(above, 6) != round(30.0, 6) != round(below, 6)  # rounding alone would keep them apart
    ranked = found([Point(LOW, below), Point(UUID(int=9), above), Point(UUID(int=7), 30.0), Point(UUID(int=5), apart)])
    # 30.000004 - 30 = 30 - 29.999996 = .000004, less than 30 · .000001; 29.999996 - 29.99 is more
    assert [(one.id, one.score) for one in ranked] == [(1, above), (7, above), (9, above), (5, apart)]


def test_a_hit_has_the_chunk_that_is_known_and_the_vectors_that_came():
    known = Hit(make_chunk(), 0.0, extra={"page": 3})
    assert hit_of(Point(LOW), known, 0.5) == Hit(known.chunk, 0.5, extra={"page": 3})
    vectors = {DENSE_DOCS: [1.0, 0.0], SPARSE_LEXICAL: SimpleNamespace(indices=[4, 8], values=[1.0, 2.0])}
    hit = hit_of(Point(LOW, vector=vectors), known)
    assert (hit.score, hit.dense, hit.sparse) == (0.0, {DENSE_DOCS: [1.0, 0.0]}, SparseVector((4, 8), (1.0, 2.0)))
    assert hit_of(Point(LOW, vector={DENSE_DOCS: [1.0]}), known).sparse is None


def test_a_record_with_its_payload_is_a_chunk_and_what_is_stored_beside_it():
    chunk = make_chunk()
    hit = full_hit(Point(UUID(chunk.id), payload=payload_of(chunk, "n") | {"page": 3}))
    assert hit == Hit(chunk, 0.0, extra={"page": 3})
