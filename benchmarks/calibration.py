"""What the machine itself costs, measured in the same run: absolute times mean something only beside it.

The bare task group runs the same agents and does nothing else with what they return; the probe is a fixed piece of pure
Python, so that two machines' CPU times can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median
from typing import Any

import anyio


async def run_bare(calls: Sequence[Callable[[], Awaitable[Any]]]) -> list[Any]:
    """What the calls return, run side by side in one task group: no deadline, no check, nothing merged."""
    returned: list[Any] = [None] * len(calls)

    async def keep(place: int, call: Callable[[], Awaitable[Any]]) -> None:
        returned[place] = await call()

    async with anyio.create_task_group() as group:
        for place, call in enumerate(calls):
            group.start_soon(keep, place, call)
    return returned


def cpu_probe_ms(repeats: int = 7) -> float:
    """CPU milliseconds for a million additions in a loop, the best of some; 20-60 on a machine of these years."""

    def once() -> float:
        total, started = 0, time.process_time()
        for number in range(1_000_000):
            total += number
        return (time.process_time() - started) * 1000

    return min(once() for _ in range(repeats))


def p50(values: Sequence[float]) -> float:
    """The median."""
    return median(values)


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return share_below(values, 95)


def share_below(values: Sequence[float], percent: int) -> float:
    """The value that so many of 100 do not exceed (nearest rank)."""
    return sorted(values)[max(0, -(-percent * len(values) // 100) - 1)]
