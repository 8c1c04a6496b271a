"""The loop on which the tests and replays run."""

from __future__ import annotations

import time

import anyio


async def test_an_hour_is_over_at_once_and_is_still_an_hour():
    real, began = time.perf_counter(), anyio.current_time()
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 3600)
        group.start_soon(anyio.sleep, 60)
    assert anyio.current_time() - began == 3600
    assert time.perf_counter() - real < 1
