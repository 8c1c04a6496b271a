"""A stage is charged with what happens in it, without what happens inside another or while it waits."""

from __future__ import annotations

import time

import anyio

from benchmarks.question import Meter, report


def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


class Part:
    name = "part"

    def __init__(self, inner=None):
        self.inner = inner

    async def work(self):
        burn(0.02)
        await anyio.lowlevel.checkpoint()
        return await self.inner.work() if self.inner else "done"


async def test_stages_leave_out_those_inside_them():
    meter = Meter()
    whole = meter.of(Part(meter.of(Part(), work="inner")), work="outer")
    assert await whole.work() == "done"
    assert whole.name == "part"
    assert meter.ms.keys() == {"outer", "inner"}
    assert all(15 <= spent <= 40 for spent in meter.ms.values())


async def test_what_is_waited_for_is_not_charged():
    meter = Meter()

    async def other():
        burn(0.03)

    async def measured():
        await meter.of(Part(), work="measured").work()

    async with anyio.create_task_group() as group:
        group.start_soon(measured)
        group.start_soon(other)
    assert meter.ms["measured"] < 30


def test_as_a_table():
    assert report({"a": 1.0, "stages": {"b": 2.5}}).split() == ["a", "1.000", "stages", "b", "2.500"]
