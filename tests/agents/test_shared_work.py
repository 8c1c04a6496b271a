from __future__ import annotations

import anyio
import pytest

from agents.shared_work import SharedWork


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
