"""What the machine itself costs, measured in the same run: absolute times mean something only beside it.

The bare task group runs the same agents and does nothing else with what they return; the probe is a fixed piece of pure
Python, so that two machines' CPU times can be compared.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any

import anyio

from evaluation import percentile


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


p50 = median
p95 = partial(percentile, percent=95)


def report(document: Mapping[str, Any], indent: str = "") -> str:
    """The document as a table for people."""
    lines = []
    for name, value in document.items():
        label = f"{indent}{name:<{40 - len(indent)}}"
        if not isinstance(value, Mapping):
            lines.append(f"{label}{value:>10.3f}" if isinstance(value, float) else f"{label}{value!s:>10}")
        elif set(value) == {"ms", "share"}:
            lines.append(f"{label}{value['ms']:>10.3f} ms {value['share']:>7.1%}")
        else:
            lines += [label.rstrip(), report(value, f"{indent}  ")]
    return "\n".join(lines)
