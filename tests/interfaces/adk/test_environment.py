from __future__ import annotations

import asyncio
import math
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from interfaces.adk.environment import KeptOpen
from memory.errors import StoreError, UnavailableError


class Door:
    def __init__(self, failure=None, seconds=0.0):
        self.failure, self.seconds, self.said = failure, seconds, []

    @asynccontextmanager
    async def __call__(self):
        await anyio.sleep(self.seconds)
        if self.failure is not None:
            raise self.failure
        self.said.append("open")
        try:
            yield self
        finally:
            self.said.append("closed")


async def used(kept):
    async with kept.use() as one:
        return one


async def test_opened_once_for_all_who_come_at_the_same_time_and_closed():
    door = Door()
    kept = KeptOpen(door)
    await kept.close()
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(used, kept)
    assert await used(kept) is door
    await kept.close()
    assert door.said == ["open", "closed"]
    await kept.close()
    await used(kept)
    assert door.said == ["open", "closed", "open"]
    await kept.close()


def test_each_loop_has_its_own_which_stays_open_while_others_ask():
    door = Door()
    kept = KeptOpen(door)
    with start_blocking_portal() as one, start_blocking_portal() as two:
        for _ in range(3):
            assert (one.call(used, kept), two.call(used, kept)) == (door, door)
        assert door.said == ["open", "open"]
        one.call(kept.close)
        two.call(anyio.wait_all_tasks_blocked)
        assert door.said == ["open", "open", "closed", "closed"]
        assert two.call(used, kept) is door
        two.call(kept.close)
    assert len(door.said) == 6


async def test_closing_takes_it_away_from_nobody():
    door = Door()
    kept = KeptOpen(door)
    lease = await kept.lease()
    await kept.close()
    assert door.said == ["open"]
    lease.end()
    await anyio.wait_all_tasks_blocked()
    assert door.said == ["open", "closed"]


async def test_opened_anew_when_another_generation_is_current():
    door, numbers = Door(), [1, 1, 2]
    kept = KeptOpen(door, lambda: numbers.pop(0))
    for _ in range(3):
        await used(kept)
    await kept.close()
    assert door.said.count("open") == door.said.count("closed") == 2


async def test_what_fails_is_raised_and_tried_again():
    door = Door(StoreError("gone"))
    kept = KeptOpen(door)
    with pytest.raises(StoreError, match="gone"):
        await used(kept)
    door.failure = None
    assert await used(kept) is door
    await kept.close()


async def test_what_never_opens_is_given_up():
    with pytest.raises(UnavailableError, match="in time"):
        await used(KeptOpen(Door(seconds=math.inf)))


def test_another_loop_opens_anew_and_a_loop_that_ends_closes():
    door = Door()
    kept = KeptOpen(door)
    for _ in range(2):
        assert asyncio.run(used(kept)) is door
    assert door.said == ["open", "closed"] * 2
    asyncio.run(kept.close())
