"""Time and ids: the machine's, and those that a test or a replay makes pass."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta

import anyio

from memory.clock import SystemClock, VirtualClock


async def test_the_systems_clock_is_the_event_loops():
    clock = SystemClock()
    before = anyio.current_time()
    assert before <= clock.monotonic() <= anyio.current_time()
    await clock.sleep(0)
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(minutes=1)
    assert clock.now().tzinfo is UTC
    assert uuid.UUID(clock.new_id()) != uuid.UUID(clock.new_id())


async def test_virtual_time_passes_when_somebody_sleeps():
    clock = VirtualClock()
    assert (clock.monotonic(), clock.now()) == (0.0, datetime(2025, 1, 1, tzinfo=UTC))
    await clock.sleep(90)
    await clock.sleep(-5)
    assert (clock.monotonic(), clock.now()) == (90.0, datetime(2025, 1, 1, 0, 1, 30, tzinfo=UTC))


async def test_sleeping_on_virtual_time_lets_others_run():
    clock, ran = VirtualClock(), []
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: _note(ran))
        await clock.sleep(3600)
    assert ran == ["ran"]


async def _note(ran):
    ran.append("ran")


def test_ids_are_counted():
    assert [VirtualClock(issued=9).new_id(), VirtualClock().new_id()] == ["0" * 31 + "a", "0" * 31 + "1"]
