from __future__ import annotations

import asyncio
from functools import partial

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from memory.errors import ModelError, StoreError
from memory.together import PerLoop, SharedWork, ahead, batches, lots, together


async def test_all_run_at_the_same_time():
    met, first, second = [], anyio.Event(), anyio.Event()

    async def one(mine, other):
        mine.set()
        await other.wait()
        met.append(1)

    await together([partial(one, first, second), partial(one, second, first)])
    assert met == [1, 1]
    await together([])


async def test_the_first_error_of_ours_comes_out_as_it_is_and_ends_the_others():
    ended = []

    async def fails():
        raise ModelError("out of reach")

    async def waits():
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(1)

    with pytest.raises(ModelError, match="out of reach"):
        await together([waits, partial(together, [fails])])
    assert ended == [1]


async def test_of_several_the_first_that_was_met():
    async def one(error):
        await anyio.lowlevel.checkpoint()
        raise error

    with pytest.raises(StoreError):
        await together([partial(one, StoreError("a")), partial(one, ModelError("b"))])


async def test_one_within_a_group():
    async def grouped():
        raise ExceptionGroup("", [ExceptionGroup("", [ModelError("deep")])])

    with pytest.raises(ModelError, match="deep"):
        await together([grouped])


async def test_what_is_not_ours_stays_in_its_group():
    async def breaks():
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup) as met:
        await together([breaks])
    assert met.group_contains(ZeroDivisionError)


class Work:
    """Counts how often it was begun; ends when it may."""

    def __init__(self) -> None:
        self.begun = 0
        self.may_end = anyio.Event()

    async def __call__(self) -> str:
        self.begun += 1
        await self.may_end.wait()
        return "done"


async def test_what_is_asked_for_meanwhile_is_done_once():
    shared, work, results = SharedWork(), Work(), []

    async def ask(key):
        results.append(await shared.do(key, work))

    async with anyio.create_task_group() as group:
        for key in ("a", "a", "b"):
            group.start_soon(ask, key)
        await anyio.wait_all_tasks_blocked()
        assert work.begun == 2
        work.may_end.set()
    assert results == ["done"] * 3
    assert await shared.do("a", work) == "done"
    assert work.begun == 3  # nothing is kept


async def test_the_deadline_of_the_first_costs_the_next_nothing():
    shared, work, results = SharedWork(), Work(), []

    async def impatient(scope):
        with scope:
            await shared.do("a", work)

    async def patient():
        results.append(await shared.do("a", work))

    async with anyio.create_task_group() as group:
        scope = anyio.CancelScope()
        group.start_soon(impatient, scope)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(patient)
        await anyio.wait_all_tasks_blocked()
        scope.cancel()
        await anyio.wait_all_tasks_blocked()
        assert work.begun == 2
        work.may_end.set()
    assert results == ["done"]


async def test_a_failure_is_its_own():
    shared = SharedWork()

    async def fail():
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        await shared.do("a", fail)

    async def succeed():
        return 1

    assert await shared.do("a", succeed) == 1


async def test_results_come_in_their_order_and_so_many_are_worked_at():
    begun, may_end = [], [anyio.Event() for _ in range(5)]

    async def work(number):
        begun.append(number)
        await may_end[number].wait()
        return number

    with anyio.fail_after(300):
        async with ahead([partial(work, number) for number in range(5)], 2) as results:
            assert begun == []  # until one is asked for
            for number in (1, 0):
                may_end[number].set()
            assert [await anext(results), sorted(begun)] == [0, [0, 1]]
            assert [await anext(results), sorted(begun)] == [1, [0, 1, 2]]
            for event in may_end:
                event.set()
            assert [result async for result in results] == [2, 3, 4]
    async with ahead([], 3) as results:
        assert [result async for result in results] == []


class Ended(BaseException):
    """No error of anybody's."""


@pytest.mark.parametrize("error", [StoreError("full"), OSError(28, "No space"), Ended()])
async def test_an_error_of_a_work_or_of_who_asks_ends_the_others_and_comes_out_as_it_is(error):
    ended = []

    async def waits():
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(1)

    async def fails():
        raise error

    async def one():
        return 1

    async def asks(works, then):
        async with ahead(works, 3) as results:
            assert await anext(results) == 1
            await then(results)

    with pytest.raises(type(error)):
        await asks([one, waits, fails], anext)
    with pytest.raises(type(error)):
        await asks([one, waits, waits], lambda _results: fails())
    assert ended == [1, 1, 1]


def test_each_event_loop_has_its_own_until_it_is_taken():
    per_loop = PerLoop(object)

    async def twice():
        return per_loop.get(), per_loop.get()

    async def after_taking():
        return per_loop.get(), per_loop.take(), per_loop.take(), per_loop.get()

    with start_blocking_portal() as one, start_blocking_portal() as two:
        first, again = one.call(twice)
        other, _ = two.call(twice)
        assert first is again
        assert first is not other
        assert [made for _, made in per_loop.all()] == [first, other]
        found, taken, nothing, new = one.call(after_taking)
        assert found is taken is first
        assert nothing is None
        assert new is not first


def test_what_belongs_to_a_closed_loop_is_forgotten():
    per_loop = PerLoop(object)

    async def use():
        return per_loop.get()

    async def take():
        return per_loop.take()

    asyncio.run(use())
    last = asyncio.run(use())
    assert [made for _, made in per_loop.all()] == [last]
    assert asyncio.run(take()) is None
    assert per_loop.all() == []


def test_so_many_at_once():
    assert [list(some) for some in batches("abcde", 2)] == [["a", "b"], ["c", "d"], ["e"]]
    assert list(batches([], 2)) == []


def test_a_lot_ends_with_what_makes_it_enough():
    assert list(lots([2, 2, 1, 9, 3], lambda size: size, 4)) == [[2, 2], [1, 9], [3]]
    assert list(lots([0, 0], lambda size: size, 4)) == [[0, 0]]
    assert list(lots([], len, 4)) == []
