"""The loop on which the tests and replays run."""

from __future__ import annotations

import asyncio
import socket
import time

import anyio
import anyio.to_thread


async def test_an_hour_is_over_at_once_and_is_still_an_hour():
    real, began = time.perf_counter(), anyio.current_time()
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 3600)
        group.start_soon(anyio.sleep, 60)
    assert anyio.current_time() - began == 3600
    assert time.perf_counter() - real < 1


async def test_what_is_there_already_comes_before_any_timer():
    loop, read = asyncio.get_running_loop(), asyncio.Event()
    began = loop.time()
    here, there = socket.socketpair()
    with here, there:
        loop.add_reader(here, read.set)
        there.send(b"x")
        with anyio.fail_after(60):
            await read.wait()
        loop.remove_reader(here)
    assert loop.time() - began < 60


async def test_work_in_a_thread_takes_no_time_and_is_waited_for():
    began = anyio.current_time()
    with anyio.fail_after(0.001):
        assert await anyio.to_thread.run_sync(sum, [1, 2], abandon_on_cancel=True) == 3
    assert anyio.current_time() == began
