from __future__ import annotations

import anyio
import pytest

from agents.evidence.cache import Remembered
from memory.errors import ModelError
from replay.virtual_time import VirtualTimeLoop


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio", {"loop_factory": VirtualTimeLoop}


class Made:
    """Counts what it makes; waits first, if told to; fails, if told to."""

    def __init__(self, value, failure=None):
        self.value, self.failure, self.times = value, failure, 0

    async def __call__(self):
        self.times += 1
        await anyio.sleep(1)
        if self.failure is not None:
            raise self.failure
        return self.value


async def test_what_was_made_is_remembered():
    memory, made = Remembered(8), Made("a")
    assert [await memory.get("k", made) for _ in range(3)] == ["a"] * 3
    assert (made.times, memory.hits, memory.misses, memory.kept) == (1, 2, 1, 1)


async def test_the_least_used_goes_first():
    memory, made = Remembered(2), Made("a")
    for key in ("x", "y", "x", "z", "x", "y"):
        await memory.get(key, made)
    assert (made.times, memory.kept) == (4, 2)  # x, y, z, and y again


async def test_with_no_room_nothing_is_kept():
    memory, made = Remembered(0), Made("a")
    assert [await memory.get("k", made), await memory.get("k", made)] == ["a", "a"]
    assert (made.times, memory.kept) == (2, 0)


async def test_what_should_not_be_kept_is_not():
    memory, made = Remembered(8), Made("a")
    for _ in range(2):
        await memory.get("k", made, keep=lambda value: value != "a")
    assert made.times == 2


async def test_who_asks_at_the_same_time_waits_for_the_one():
    memory, made, got = Remembered(8), Made("a"), []

    async def ask():
        got.append(await memory.get("k", made))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
    assert (got, made.times, memory.hits) == (["a"] * 5, 1, 4)


async def test_a_failure_is_nobody_elses():
    memory, broken, made = Remembered(8), Made("", ModelError("broken")), Made("a")
    got = []

    async def ask_later():
        await anyio.sleep(0.5)
        got.append(await memory.get("k", made))

    async with anyio.create_task_group() as group:
        group.start_soon(ask_later)
        with pytest.raises(ModelError):
            await memory.get("k", broken)
    assert (got, memory.kept) == (["a"], 1)


async def test_who_gives_up_hands_over():
    memory, made = Remembered(8), Made("a")
    with anyio.move_on_after(0.5):
        await memory.get("k", made)
    assert await memory.get("k", made) == "a"
