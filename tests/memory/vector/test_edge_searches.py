"""Who asks the engine when several ask at the same moment, in which order, and what happens when it fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import anyio
import pytest

from memory.errors import StoreError
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Hit, SparseVector
from memory.vector.edge_searches import Search, SearchesTogether, found, full_hit, hit_of
from memory.vector.filters import Condition
from memory.vector.payload import payload_of
from tests.contracts.vector_store import dense, make_chunk, sparse


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


MINE, YOURS = frozenset({"mine"}), frozenset({"yours"})
DOCS, CODE = dense([1, 0]), dense([1, 0], using=DENSE_CODE)


@dataclass(frozen=True)
class ScoredPoint:
    id: UUID
    score: float


@dataclass
class Engine:
    """Finds for each search one point, whose number says which it was; fails as often as told."""

    fails: int = 0
    calls: list[list[Search]] = field(default_factory=list)

    def __call__(self, searches):
        self.calls.append(list(searches))
        if self.fails:
            self.fails -= 1
            raise StoreError("no", "again")
        return [[ScoredPoint(UUID(int=search.size), 0.5)] for search in searches]


def search(query, size, permission=MINE):
    return Search(query, size, permission)


async def ask(together, searches, into):
    answers = await together.find(searches)
    into[tuple(one.size for one in searches)] = [[one.id for one in ranked] for ranked in answers]


async def test_who_asks_at_the_same_moment_shares_a_call_and_gets_their_own():
    engine, got = Engine(), {}
    together = SearchesTogether(engine)
    async with anyio.create_task_group() as group:
        for sizes in ((1, 2), (3,), (4, 5)):
            group.start_soon(ask, together, [search(DOCS, size) for size in sizes], got)
    assert len(engine.calls) == 1
    assert got == {(1, 2): [[1], [2]], (3,): [[3]], (4, 5): [[4], [5]]}


async def test_what_differs_in_the_vector_alone_stands_side_by_side():
    engine = Engine()
    one, other = dense([1, 0]), dense([0, 1])
    narrow = dense([1, 0], conditions=(Condition("repo", any_of=("r",)),))
    asked = [
        search(one, 5), search(CODE, 5), search(narrow, 5), search(other, 5, YOURS), search(other, 6),
        search(sparse(1), 5), search(other, 5), search(sparse(2), 5),
    ]  # fmt: skip
    found = await SearchesTogether(engine).find(asked)
    assert engine.calls == [[asked[n] for n in (0, 6, 1, 2, 3, 4, 5, 7)]]
    assert [ranked[0].id for ranked in found] == [one.size for one in asked]


async def test_who_comes_later_has_a_call_of_their_own():
    engine, got = Engine(), {}
    together = SearchesTogether(engine)
    await ask(together, [search(DOCS, 1)], got)
    await ask(together, [search(DOCS, 2)], got)
    assert [len(call) for call in engine.calls] == [1, 1]


async def test_a_call_serves_thirty_two_and_the_next_the_others():
    engine, got = Engine(), {}
    together = SearchesTogether(engine)
    async with anyio.create_task_group() as group:
        for number in range(40):
            group.start_soon(ask, together, [search(DOCS, number)], got)
    assert [len(call) for call in engine.calls] == [32, 8]
    assert got == {(number,): [[number]] for number in range(40)}


async def test_a_failure_is_of_who_asked_and_the_others_ask_again():
    engine, got, failed = Engine(fails=1), {}, []
    together = SearchesTogether(engine)

    async def caller(number):
        try:
            await ask(together, [search(DOCS, number)], got)
        except StoreError:
            failed.append(number)

    async with anyio.create_task_group() as group:
        for number in (1, 2, 3):
            group.start_soon(caller, number)
    assert failed == [1]
    assert sorted(got) == [(2,), (3,)]


async def test_nothing_is_asked_for_who_has_gone():
    engine = Engine()
    together = SearchesTogether(engine)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await together.find([search(DOCS, 1)])
    await together.find([search(DOCS, 2)])
    assert [[one.size for one in call] for call in engine.calls] == [[2]]


@pytest.mark.parametrize("count", [0, 1])
async def test_no_search_has_no_answer(count):
    assert (
        await SearchesTogether(Engine()).find([search(DOCS, 1)] * count)
        == [[(-0.5, 1, ScoredPoint(UUID(int=1), 0.5))]] * count
    )
