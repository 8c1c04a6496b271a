from __future__ import annotations

import asyncio
import math
from contextlib import asynccontextmanager

import anyio
import pytest

from memory.errors import StoreError, UnavailableError
from orchestrator.adk.kept import KeptOpen


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


async def test_opened_once_for_all_who_come_at_the_same_time_and_closed():
    door = Door()
    kept = KeptOpen(door)
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(kept.get)
    assert await kept.get() is door
    await kept.close()
    assert door.said == ["open", "closed"]
    await kept.close()
    await kept.get()
    assert door.said == ["open", "closed", "open"]
    await kept.close()


async def test_what_fails_is_raised_and_tried_again():
    door = Door(StoreError("gone"))
    kept = KeptOpen(door)
    with pytest.raises(StoreError, match="gone"):
        await kept.get()
    door.failure = None
    assert await kept.get() is door
    await kept.close()


async def test_what_never_opens_is_given_up():
    with pytest.raises(UnavailableError, match="in time"):
        await KeptOpen(Door(seconds=math.inf)).get()


def test_another_loop_opens_anew_and_a_loop_that_ends_closes():
    door = Door()
    kept = KeptOpen(door)
    for _ in range(2):
        assert asyncio.run(kept.get()) is door
    assert door.said == ["open", "closed"] * 2
    asyncio.run(kept.close())
