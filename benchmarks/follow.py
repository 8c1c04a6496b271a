"""Two servers that follow, without a folder that they share with the indexer, while it publishes one generation after
the other.

    .venv/bin/python benchmarks/follow.py QDRANT_URL [--minutes N] [--every SECONDS] [--callers N] [--json]

Each renewal puts the next edition of every generated project in place of the last one, as in `soak.py`: an answer that
names two editions would be of two generations. Each server has an empty folder of its own; halfway the second one is
killed and started anew in another. Further settings, such as Neo4j's, come from the environment. Seen is a generation
with the first answer that names it; its seconds count from when the pointer was written. Without a Qdrant server,
`python -m tests.memory.vector.front_process FOLDER follow` has its engine behind an address. Exit 1 where a question
failed or an answer mixes.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50
from benchmarks.indexed_questions import indexed_questions
from benchmarks.load_doors import Door, over_http
from benchmarks.processes import resident_mb
from benchmarks.soak import Editions, editions_in, without_editions
from configs import load_config

MINUTES, EVERY, CALLERS, PROJECTS, QUESTIONS = 10.0, 10.0, 2, 4, 300
_COLLECTION = "follow"


@dataclass
class Follower:
    """What one server did. seen: by edition, the clock's seconds at its first answer that names it."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    mixed: list[str] = field(default_factory=list)
    seen: dict[int, float] = field(default_factory=dict)
    memory: list[float] = field(default_factory=list)


async def asked_until(
    done: Callable[[], bool],
    door: Door,
    questions: Sequence[str],
    follower: Follower,
    callers: int,
    clock: Callable[[], float],
) -> None:
    """Ask the questions over and over, so many callers at a time."""
    waiting = cycle(questions)

    async def caller() -> None:
        while not done():
            question = next(waiting)
            outcome, said = await door.ask(question)
            follower.outcomes[outcome] += 1
            if outcome in {"refused", "failed"}:
                follower.failures[said] += 1
                continue
            editions = {int(edition) for edition in editions_in(said)}
            if len(editions) > 1:
                follower.mixed.append(question)
            for edition in editions:
                follower.seen.setdefault(edition, clock())
            follower.memory.append(resident_mb(door.process))

    async with anyio.create_task_group() as group:
        for _ in range(callers):
            group.start_soon(caller)


async def _ready(door: Door, question: str) -> None:
    """When the first generation is there."""
    while (await door.ask(question))[0] in {"refused", "failed"}:  # noqa: ASYNC110 - of another process
        await anyio.sleep(1)


async def measure(seconds: float, every: float, callers: int) -> dict[str, Any]:
    """Both servers and the indexer at once."""
    followers = [Follower(), Follower(), Follower()]
    published: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        index = Editions(root, PROJECTS)

        async def publish(edition: int) -> None:
            await index.renew(edition)
            published[edition] = (index.data / "announced.json").stat().st_mtime

        await publish(0)
        questions = without_editions(await indexed_questions(index.data, load_config(env=os.environ), QUESTIONS))
        began = time.monotonic()

        def over(share: float = 1.0) -> bool:
            return time.monotonic() - began > seconds * share

        async def serve(numbers: Sequence[int]) -> None:
            for number in numbers:
                until = 0.5 if number < numbers[-1] else 1.0
                async with over_http(root / f"server-{number}", "--follow") as door:
                    await _ready(door, questions[0])
                    await asked_until(
                        lambda until=until: over(until),
                        door,
                        questions,
                        followers[number],
                        callers,
                        time.time,  # type: ignore[misc]  # a lambda's default
                    )
                    if until < 1:
                        os.kill(door.process, signal.SIGKILL)

        async with anyio.create_task_group() as group:
            group.start_soon(serve, [0])
            group.start_soon(serve, [1, 2])
            edition = 0
            while not over():
                await anyio.sleep(every)
                edition += 1
                await publish(edition)
    return document(followers, published, seconds)


def document(followers: Sequence[Follower], published: dict[int, float], seconds: float) -> dict[str, Any]:
    """What is printed."""
    late = [
        one.seen[edition] - at
        for one in followers
        for edition, at in published.items()
        if edition in one.seen and edition > min(one.seen)
    ]
    failures = sum((one.failures for one in followers), Counter[str]())
    mixed = [question for one in followers for question in one.mixed]
    return {
        "minutes": round(seconds / 60, 1),
        "generations": len(published),
        "questions": [one.outcomes.total() for one in followers],
        "outcomes": dict(sum((one.outcomes for one in followers), Counter[str]())),
        "failed": failures.total(),
        "failures": dict(failures.most_common(3)),
        "mixed": len(mixed),
        "seconds_to_seen": [round(p50(late), 1), round(max(late), 1)] if late else [],
        "memory_mb": [
            [round(p50(one.memory[: _tenth(one)]), 1), round(p50(one.memory[-_tenth(one) :]), 1)]
            for one in followers
            if one.memory
        ],
        "holds": not failures and not mixed and len(late) > 1,
    }


def _tenth(follower: Follower) -> int:
    return max(1, len(follower.memory) // 10)


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> int:
    """Measure and print; 1 where it does not hold."""
    parser = argparse.ArgumentParser(description="Two servers that follow an indexer.")
    parser.add_argument("url", help="of a Qdrant server")
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"default {MINUTES:g}")
    parser.add_argument("--every", type=float, default=EVERY, help=f"seconds between two runs (default {EVERY:g})")
    parser.add_argument("--callers", type=int, default=CALLERS, help=f"at once, of each server (default {CALLERS})")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    for name, value in (("STORE", "qdrant"), ("URL", given.url), ("COLLECTION", _COLLECTION), ("FOLLOWERS_S", "1")):
        section = "VECTOR" if name == "STORE" else "VECTOR__QDRANT"
        os.environ[f"HYBRID_RETRIEVAL_{section}__{name}"] = value
    found = anyio.run(measure, given.minutes * 60, given.every, given.callers)
    found["calibration"] = {"cpu_probe_ms": round(cpu_probe_ms(), 1), "load_average": round(os.getloadavg()[0], 1)}
    show(json.dumps(found) if given.json else "\n".join(f"{key:16}  {value}" for key, value in found.items()))
    return 0 if found["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
