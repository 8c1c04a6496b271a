"""Who asks the engine when several ask at the same moment, in which order, and what happens when it fails."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

import anyio
import pytest

from memory.errors import StoreError
from memory.vector import DENSE_CODE
from memory.vector.edge_searches import Search, SearchesTogether
from memory.vector.filters import Condition
from tests.contracts.vector_store import dense, sparse

MINE, YOURS = frozenset({"mine"}), frozenset({"yours"})
DOCS, CODE = dense([1, 0]), dense([1, 0], using=DENSE_CODE)


@dataclass(frozen=True)
class Point:
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
        return [[Point(UUID(int=search.size), 0.5)] for search in searches]


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
        == [[(-0.5, 1, Point(UUID(int=1), 0.5))]] * count
    )
