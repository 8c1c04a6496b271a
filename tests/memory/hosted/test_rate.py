"""Three a minute: the fourth waits until a minute after the first, the fifth until one after the second."""

from __future__ import annotations

import anyio

from memory.clock import VirtualClock
from memory.hosted import RequestRate


async def test_a_sliding_window():
    clock = VirtualClock()
    rate = RequestRate(3, clock)
    let_through = []
    for pause in (0, 10, 10, 0, 0):
        await clock.sleep(pause)
        await rate.wait()
        let_through.append(clock.seconds)
    assert let_through == [0, 10, 20, 60, 70]


async def test_what_is_long_past_costs_nothing():
    clock = VirtualClock()
    rate = RequestRate(1, clock)
    await rate.wait()
    await clock.sleep(61)
    await rate.wait()
    assert clock.seconds == 61


async def test_no_limit():
    clock = VirtualClock()
    rate = RequestRate(0, clock)
    for _ in range(1000):
        await rate.wait()
    assert clock.seconds == 0


async def test_those_who_wait_are_let_through_in_the_order_they_came():
    clock = VirtualClock()
    rate = RequestRate(1, clock)
    order = []

    async def one(name):
        await rate.wait()
        order.append((name, clock.seconds))

    async with anyio.create_task_group() as group:
        for name in "abc":
            group.start_soon(one, name)
    assert order == [("a", 0), ("b", 60), ("c", 120)]


async def test_one_who_stops_waiting_takes_no_place():
    class Endless(VirtualClock):
        async def sleep(self, seconds):
            await anyio.sleep_forever()

    clock = Endless()
    rate = RequestRate(1, clock)
    await rate.wait()
    with anyio.move_on_after(0.001):
        await rate.wait()
    clock.seconds = 60
    await rate.wait()
