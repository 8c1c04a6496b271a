"""Many questions at once, for a minute each: 1, 10, 100 and 500 callers, through Python, MCP over stdio and MCP over
HTTP.

    .venv/bin/python benchmarks/load.py [--data-dir FOLDER] [--seconds N] [--callers N]... [--doors NAME]... [--json]

FOLDER is the demo's index (`make demo`). Each run has a process of its own, so that its caches are cold, and its
callers ask questions that differ, made from the index's own names. A caller asks the next as soon as it has its answer,
and the same a second later where it was refused. Then as many ask again and leave at once: what the process still works
on after that is what cancelling did not free. Latencies are those of questions that were answered; a refusal is counted
apart.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50, p95
from benchmarks.indexed_questions import indexed_questions
from benchmarks.load_doors import DOORS, Door
from benchmarks.processes import processor_s, resident_mb
from configs import load_config
from evaluation import percentile

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / ".demo/all"
QUESTIONS = 6000
CALLERS = (1, 10, 100, 500)
BACK_AFTER = 1.0
"""Seconds after which who was refused asks again, as the refusal says."""
WATCHED = 2.0
"""Seconds in which a process is watched after everybody left."""


@dataclass
class Load:
    """What a run came to: the seconds of each question that was answered, and how many ended in which way."""

    latencies: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)


async def load(door: Door, questions: Iterator[str], callers: int, seconds: float) -> Load:
    """So many callers for so long; who is being answered at the end is waited for."""
    done, until = Load(), time.perf_counter() + seconds

    async def caller() -> None:
        for question in questions:
            while time.perf_counter() < until:
                began = time.perf_counter()
                outcome, said = await door.ask(question)
                done.outcomes[outcome] += 1
                if outcome in {"refused", "failed"}:
                    done.said[said] += 1
                    await anyio.sleep(BACK_AFTER)
                else:
                    done.latencies.append(time.perf_counter() - began)
                    break
            else:
                return

    async with anyio.create_task_group() as group:
        for _ in range(callers):
            group.start_soon(caller)
    return done


async def cancelled(door: Door, questions: Iterator[str], callers: int) -> dict[str, float]:
    """What is left of so many questions whose callers went: seconds of the processor, and of the next question."""
    with anyio.move_on_after(0.5):
        async with anyio.create_task_group() as group:
            for _ in range(callers):
                group.start_soon(door.ask, next(questions))
    left = time.perf_counter()
    await door.ask(next(questions))
    following, used = time.perf_counter() - left, processor_s(door.process)
    await anyio.sleep(WATCHED)
    return {"next_s": round(following, 2), "processor_s": round(processor_s(door.process) - used, 2)}


async def figures(name: str, data: Path, callers: int, seconds: float) -> dict[str, Any]:
    """A run of one door, opened for it."""
    questions = iter(await indexed_questions(data, load_config(), QUESTIONS))
    async with DOORS[name](data) as door:
        await door.ask(next(questions))  # opens the index
        memory, used, began = resident_mb(door.process), processor_s(door.process), time.perf_counter()
        done = await load(door, questions, callers, seconds)
        took, used = time.perf_counter() - began, processor_s(door.process) - used
        return {
            "door": name,
            "callers": callers,
            "answered": len(done.latencies),
            "refused": done.outcomes["refused"],
            "failed": done.outcomes["failed"],
            "statuses": {one: done.outcomes[one] for one in ("answered", "partial", "not_found")},
            "said": [said for said, _ in done.said.most_common(3)],
            "answers_per_s": round(len(done.latencies) / took, 1),
            "p50_s": round(p50(done.latencies), 3),
            "p95_s": round(p95(done.latencies), 3),
            "p99_s": round(percentile(done.latencies, 99), 3),
            "cpu_ms_an_answer": round(used / len(done.latencies) * 1000, 1),
            "memory_mb": [round(memory, 1), round(resident_mb(door.process), 1)],
            "left": await cancelled(door, questions, min(callers, 100)),
        }


def _in_a_process(name: str, data: Path, callers: int, seconds: float) -> dict[str, Any]:
    command = [sys.executable, __file__, "--data-dir", str(data), "--seconds", str(seconds), "--one", name]
    run = subprocess.run([*command, "--callers", str(callers)], check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
    document: dict[str, Any] = json.loads(run.stdout)
    return document


def page(document: Mapping[str, Any]) -> str:
    """The document for people."""
    columns = ("door", "callers", "answered", "refused", "failed", "answers_per_s", "p50_s", "p95_s", "p99_s")
    columns += ("cpu_ms_an_answer", "memory_mb", "left")
    return "\n".join("  ".join(f"{name} {run[name]}" for name in columns) for run in document["runs"].values())


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Many questions at once, through every door.")
    parser.add_argument("--data-dir", type=Path, default=DEMO, help="the demo's index (default: what `make demo` made)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run (default 60)")
    parser.add_argument("--callers", type=int, action="append", help=f"at once (default {CALLERS})")
    parser.add_argument("--doors", action="append", choices=list(DOORS), help="default: all")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--one", choices=list(DOORS), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if not (given.data_dir / "CURRENT").is_file():
        parser.error(f"There is no index in {given.data_dir}: run `make demo` first, or name one by --data-dir.")
    if given.one:
        [callers] = given.callers
        show(json.dumps(anyio.run(figures, given.one, given.data_dir, callers, given.seconds)))
        return
    runs: dict[str, Any] = {}
    for name in given.doors or DOORS:
        for callers in given.callers or CALLERS:
            run = runs[f"{name}, {callers} at once"] = _in_a_process(name, given.data_dir, callers, given.seconds)
            print(json.dumps(run), file=sys.stderr, flush=True)
    document = {
        "runs": runs,
        "calibration": {"cpu_probe_ms": round(cpu_probe_ms(), 1), "load_average": round(os.getloadavg()[0], 1)},
    }
    show(json.dumps(document) if given.json else page(document))


if __name__ == "__main__":
    main()
