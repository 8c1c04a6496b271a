"""What the orchestrator adds to three agents: time over the slowest, CPU a request, and where it goes.

    .venv/bin/python benchmarks/overhead.py [--requests N] [--in-flight N] [--json]

Side by side in one run, taking turns: the real `HybridRetrievalOrchestrator` with three stubs that return 25
observations each after 20, 50 and 80 ms (384-d vectors, 30 % planted duplicates, one planted contradiction), and a bare
task group of the same three. Deduplication, conflicts, ranking and coverage are on, and the permission is checked. The
synthesis is a stub, so no answer is written in the measured path; what the extractive answerer costs is a figure of its
own. CPU is the whole process's, the stubs' own timers included.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50, p95, report, run_bare
from benchmarks.planted import AGENTS, PROJECTS, Found, plant
from configs import HybridRetrievalConfig
from memory.observations import NormalizedObservation, Observation
from memory.query import TaskContext
from memory.shared import MemoryEntry
from merging import ResultMerger
from orchestrator.analysis import QueryAnalyzer
from orchestrator.hybrid import HybridRetrievalOrchestrator
from orchestrator.result import HybridResult
from synthesis import Answer, SynthesisAgent

QUESTION = "What patterns do other teams use for customer tables?"
CONTEXT = TaskContext(project="billing", allowed_projects=frozenset(PROJECTS))
DELAYS_MS = {"local": 20.0, "graph": 50.0, "vector": 80.0}


@dataclass
class Stub:
    """An agent that returns what was planted, a new request's each time, after its delay."""

    agent: str
    plants: Sequence[Found]
    seconds: float
    asked: int = 0

    async def retrieve(self, query: str = "", context: TaskContext | None = None) -> list[Observation]:  # noqa: ARG002 - the port's signature
        """The next request's observations."""
        found = self.plants[self.asked % len(self.plants)].by_agent[self.agent]
        self.asked += 1
        await anyio.sleep(self.seconds)
        return found


class StubSynthesis:
    """Writes nothing."""

    async def answer(self, query: str, observations: Sequence[NormalizedObservation]) -> Answer:  # noqa: ARG002 - the port's signature
        """One fixed text."""
        return Answer("Not written here.", answerer="stub")


@dataclass
class Merges:
    """Merges of planted sets as they came, in turn: wall milliseconds of each, and of each stage in CPU time.

    In a request the first stage runs while the slowest agent is waited for.
    """

    plants: Sequence[Found]
    merger: ResultMerger
    wall_ms: list[float] = field(default_factory=list)
    stages_ms: list[Mapping[str, float]] = field(default_factory=list)

    def add(self) -> None:
        """Merge the next set and note what it took."""
        entries = _entries(self.plants[len(self.wall_ms) % len(self.plants)])
        started = time.perf_counter()
        merged = self.merger.merge_entries(entries, CONTEXT.permission)
        self.wall_ms.append((time.perf_counter() - started) * 1000)
        self.stages_ms.append(merged.times_ms)


@dataclass
class Series:
    """Wall and CPU milliseconds of a series of requests, one at a time."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)

    async def add(self, call: Callable[[], Awaitable[Any]]) -> Any:
        """Run one and note what it took."""
        wall, cpu = time.perf_counter(), time.process_time()
        returned = await call()
        self.cpu_ms.append((time.process_time() - cpu) * 1000)
        self.wall_ms.append((time.perf_counter() - wall) * 1000)
        return returned


async def measure(
    requests: int = 200,
    in_flight: int = 100,
    delays_ms: Mapping[str, float] = DELAYS_MS,
    planted: int = 64,
) -> dict[str, Any]:
    """The document that `--json` prints.

    `requests` are asked one at a time, then with `in_flight` under way at once; `planted` sets of observations go
    round.
    """
    plants = [plant(seed) for seed in range(planted)]
    config = HybridRetrievalConfig(max_observations_per_agent=25, max_total_observations=75)
    merges = Merges(plants, ResultMerger(config.ranking, max_per_agent=25, max_total=75, monotonic=time.thread_time))
    stubs, bare = ({a: Stub(a, plants, delays_ms[a] / 1000) for a in AGENTS} for _ in range(2))
    orchestrator = HybridRetrievalOrchestrator(
        local=stubs["local"],
        graph=stubs["graph"],
        vector=stubs["vector"],
        synthesis=StubSynthesis(),
        config=config,
    )
    ask = partial(orchestrator.retrieve, QUESTION, CONTEXT)
    ask_bare = partial(run_bare, [stub.retrieve for stub in bare.values()])
    slowest = max(delays_ms.values())
    with _still_heap():
        result: HybridResult = await ask()
        ours, theirs = Series(), Series()
        for _ in range(requests):
            await theirs.add(ask_bare)
            merges.add()
            await ours.add(ask)
        crowds = [await _crowd(call, in_flight, max(4, requests // 25), slowest) for call in (ask_bare, ask)]
        extractive_ms = await _extractive_ms(result)
    found = plants[0]
    return {
        "ratio_p50": p50(ours.wall_ms) / p50(theirs.wall_ms),
        "over_slowest_p50_ms": p50(ours.wall_ms) - slowest,
        "merge_75_p50_ms": p50(merges.wall_ms),
        "cpu_ms_per_request": fmean(ours.cpu_ms),
        "bare_p50_ms": p50(theirs.wall_ms),
        "p50_ms": p50(ours.wall_ms),
        "p95_ms": p95(ours.wall_ms),
        "bare_p95_ms": p95(theirs.wall_ms),
        "merge_75_p95_ms": p95(merges.wall_ms),
        "merge_75_cpu_p50_ms": p50([sum(times.values()) for times in merges.stages_ms]),
        "merge_75_with_lists_cpu_p50_ms": _merge_of_lists_ms(merges.merger, planted),
        "cpu_p50_ms_per_request": p50(ours.cpu_ms),
        "bare_cpu_ms_per_request": fmean(theirs.cpu_ms),
        "in_flight": {
            "requests": in_flight,
            "over_bare_p50_ms": crowds[1]["p50_ms"] - crowds[0]["p50_ms"],
            "bare": crowds[0],
            "hybrid": crowds[1],
        },
        "cpu_ms_by_stage": _by_stage(fmean(ours.cpu_ms), fmean(theirs.cpu_ms), merges.stages_ms),
        "extractive_synthesis_cpu_p50_ms": extractive_ms,
        "observations": {
            "returned": sum(map(len, found.by_agent.values())),
            "copies": found.copies,
            "after_dedup": result.metrics.after_dedup,
            "conflicts": len(result.conflicts),
        },
        "calibration": {"cpu_probe_ms": cpu_probe_ms(), "requests": requests},
    }


async def _crowd(call: Callable[[], Awaitable[Any]], in_flight: int, waves: int, slowest_ms: float) -> dict[str, float]:
    """Wall p50 and p95, and CPU a request, while so many are in flight: each that ends is followed by another.

    They start spread over one request's time; the first and the last wave do not count.
    """
    walls: list[float] = []

    async def ask_on(number: int) -> None:
        await anyio.sleep(number / in_flight * slowest_ms / 1000)
        for wave in range(waves):
            started = time.perf_counter()
            await call()
            if 0 < wave < waves - 1:
                walls.append((time.perf_counter() - started) * 1000)

    started = time.process_time()
    async with anyio.create_task_group() as group:
        for number in range(in_flight):
            group.start_soon(ask_on, number)
    cpu = (time.process_time() - started) * 1000
    return {"p50_ms": p50(walls), "p95_ms": p95(walls), "cpu_ms_per_request": cpu / (in_flight * waves)}


async def _extractive_ms(result: HybridResult, repeats: int = 20) -> float:
    """CPU milliseconds of the extractive answer to a request's observations, without files to read."""
    synthesis, spent = SynthesisAgent(), []
    for _ in range(repeats):
        started = time.process_time()
        await synthesis.answer(
            result.query, result.observations, classification=result.classification, conflicts=result.conflicts
        )
        spent.append((time.process_time() - started) * 1000)
    return p50(spent)


def _merge_of_lists_ms(merger: ResultMerger, planted: int) -> float:
    """CPU milliseconds of merging when the vectors are lists of Python numbers, as a store's client may give them."""
    spent = []
    for seed in range(planted):
        found = plant(seed, vectors=lambda vector: vector.tolist())
        entries = _entries(found)
        started = time.thread_time()
        merger.merge_entries(entries, CONTEXT.permission)
        spent.append((time.thread_time() - started) * 1000)
    return p50(spent)


def _entries(found: Found) -> list[MemoryEntry]:
    """What was planted as it is written in the shared memory, before the merger has seen any of it."""
    return [
        MemoryEntry(f"{agent}-{number}", o.content, agent, 0.5, is_belief_candidate=True, observation=o)
        for agent, observations in found.by_agent.items()
        for number, o in enumerate(observations)
    ]


def _by_stage(ours: float, bare: float, stages: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """CPU milliseconds and share (0..1) of each stage:
    what the stubs cost anyway, analysis, merging, all that is left.
    """
    analyzer = QueryAnalyzer()
    started = time.process_time()
    for _ in range(200):
        analyzer.classify(QUESTION)
    spent = {"stubs_in_a_task_group": bare, "classify": (time.process_time() - started) * 1000 / 200}
    spent |= {f"merge: {stage}": fmean(times[stage] for times in stages) for stage in stages[0]}
    spent["running, publishing, finishing"] = ours - sum(spent.values())
    return {stage: {"ms": cost, "share": cost / ours} for stage, cost in spent.items()}


@contextmanager
def _still_heap() -> Iterator[None]:
    """What was planted is out of the collector's sight, which stays on: it would walk through it for nothing."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What the orchestrator adds to three agents.")
    parser.add_argument("--requests", type=int, default=200, help="requests one at a time (default: 200)")
    parser.add_argument("--in-flight", type=int, default=100, help="then so many at once (default: 100)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    given = parser.parse_args(arguments)
    document = anyio.run(measure, given.requests, given.in_flight)
    print(json.dumps(document, indent=2) if given.json else report(document))


if __name__ == "__main__":
    main()
