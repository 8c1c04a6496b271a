"""Questions for hours while the index is renewed under them: what a server holds stays flat, and no answer mixes two
generations.

    .venv/bin/python benchmarks/soak.py [--questions N] [--every SECONDS] [--callers N] [--json]

A server over HTTP answers about generated projects. Each renewal is a run of `hybrid-retrieval index` that puts the
next edition of every project in place of the last one: `project003-e7` instead of `project003-e6`. An answer that names
two editions would be of two generations. Memory and descriptors are looked at after each question once the caches are
in use: after the first tenth of the questions and the first renewal. The server's allocator is set as in
deploy/Dockerfile. Flat is a median of the last tenth that is no more than 5 % above that of the first tenth looked at.
Exit 1 where that, or anything else, does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50, report
from benchmarks.indexed_questions import indexed_questions
from benchmarks.load_doors import DOORS, Door
from benchmarks.processes import descriptors, resident_mb
from benchmarks.throughput import write_projects
from configs import load_config

QUESTIONS = 20_000
EVERY = 60.0
PROJECTS = 20
CALLERS = 4
MOST = 1.05
ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_TRIM_THRESHOLD_": "131072"}
_EDITION = re.compile(r"project\d+-e(\d+)")


@dataclass
class Watched:
    """What was seen: how questions ended, memory and descriptors after each, how often the index was renewed."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    mixed: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    descriptors: list[float] = field(default_factory=list)
    editions: Counter[str] = field(default_factory=Counter)
    renewals: int = 0


def editions_in(text: str) -> frozenset[str]:
    """The editions of projects that a text names."""
    return frozenset(_EDITION.findall(text))


def without_editions(questions: Iterable[str]) -> list[str]:
    """The same about projects whatever their edition."""
    return [_EDITION.sub(lambda name: name[0].partition("-e")[0], one) for one in questions]


def flat(values: Sequence[float]) -> float:
    """The median of the last tenth in parts of that of the first."""
    tenth = max(1, len(values) // 10)
    return p50(values[-tenth:]) / p50(values[:tenth])


async def soak(
    door: Door, questions: Sequence[str], renew: Callable[[int], Any], every: float, callers: int
) -> Watched:
    """Ask all questions, renewing the index from time to time. renew: makes that edition the current one."""
    seen, waiting = Watched(), iter(questions)

    async def caller() -> None:
        for question in waiting:
            outcome, said = await door.ask(question)
            seen.outcomes[outcome] += 1
            if outcome in {"refused", "failed"}:
                seen.failures[said] += 1
                continue
            editions = editions_in(said)
            seen.editions.update(editions)
            if len(editions) > 1:
                seen.mixed.append(question)
            if seen.renewals and seen.outcomes.total() > len(questions) // 10:
                seen.memory.append(resident_mb(door.process))
                seen.descriptors.append(descriptors(door.process))

    async def renewing() -> None:
        while True:
            await anyio.sleep(every)
            await renew(seen.renewals + 1)
            seen.renewals += 1

    async with anyio.create_task_group() as beside:
        beside.start_soon(renewing)
        async with anyio.create_task_group() as group:
            for _ in range(callers):
                group.start_soon(caller)
        beside.cancel_scope.cancel()
    return seen


class Editions:
    """Generated projects in a folder, and their index, one edition after the other."""

    def __init__(self, root: Path, projects: int) -> None:
        self.data = root / "data"
        self._root = root
        self._names = [f"project{number:03}" for number in range(projects)]

    async def renew(self, edition: int) -> None:
        """Index this edition, and take the one before out in the same run."""
        folder = self.write(edition)
        before = [f"{name}-e{edition - 1}" for name in self._names if edition]
        await anyio.run_process(index_command(self.data, folder, before))
        self.forget(edition - 2)

    def write(self, edition: int) -> Path:
        """The folder with this edition of all projects."""
        folder = self._root / f"edition-{edition}"
        write_projects(folder, len(self._names))
        for name in self._names:
            (folder / name).rename(folder / f"{name}-e{edition}")
        return folder

    def forget(self, edition: int) -> None:
        """Remove that edition's folder, which no index names any more."""
        shutil.rmtree(self._root / f"edition-{edition}", ignore_errors=True)


def index_command(data: Path, folder: Path, remove: Iterable[str] = (), *options: str) -> list[str]:
    """The command line that indexes each project of a folder and takes others out."""
    command = [str(Path(sys.executable).with_name("hybrid-retrieval")), "index", "--quiet", "--each", str(folder)]
    for name in remove:
        command += ["--remove", name]
    return [*command, "--data-dir", str(data), *options]


async def measure(count: int, every: float, callers: int) -> dict[str, Any]:
    """A whole soak."""
    with tempfile.TemporaryDirectory() as root:
        index = Editions(Path(root), PROJECTS)
        await index.renew(0)
        questions = await indexed_questions(index.data, load_config(), count)
        questions = without_editions(questions)
        os.environ.update(ALLOCATOR)
        async with DOORS["http"](index.data) as door:
            began = time.perf_counter()
            seen = await soak(door, questions, index.renew, every, callers)
            took = time.perf_counter() - began
    if not seen.memory:
        raise SystemExit(
            "All questions were asked before the index was renewed: give more --questions, or a shorter --every."
        )
    ratios = {name: round(flat(getattr(seen, name)), 3) for name in ("memory", "descriptors")}
    return {
        "questions": count,
        "seconds": round(took),
        "renewals": seen.renewals,
        "editions_seen": len(seen.editions),
        "outcomes": dict(seen.outcomes),
        "failures": dict(seen.failures.most_common(3)),
        "mixed": seen.mixed[:5],
        "memory_mb": [round(seen.memory[0], 1), round(max(seen.memory), 1), round(seen.memory[-1], 1)],
        "descriptors": [seen.descriptors[0], max(seen.descriptors), seen.descriptors[-1]],
        "ratios": ratios,
        "holds": not seen.mixed and not seen.failures and max(ratios.values()) <= MOST,
    }


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> int:
    """Measure and print; 1 where it does not hold."""
    parser = argparse.ArgumentParser(description="Questions for hours while the index is renewed.")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help=f"in all (default {QUESTIONS})")
    parser.add_argument("--every", type=float, default=EVERY, help=f"seconds between renewals (default {EVERY:g})")
    parser.add_argument("--callers", type=int, default=CALLERS, help=f"at once (default {CALLERS})")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    document = anyio.run(measure, given.questions, given.every, given.callers)
    document["calibration"] = {"cpu_probe_ms": round(cpu_probe_ms(), 1), "load_average": round(os.getloadavg()[0], 1)}
    show(json.dumps(document) if given.json else report(document))
    return 0 if document["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
