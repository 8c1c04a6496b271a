"""What a real question costs, by stage: CPU milliseconds, beside the bare embedder plus one bare call of the engine.

    .venv/bin/python benchmarks/question.py [--data-dir FOLDER] [--questions FILE] [--most N] [--json]

FOLDER is an index (`make demo` makes one); FILE has a question a line, as text or as JSON with `query`. Each question
is asked once, after four that warm, with the embedder's vectors made beforehand: what is measured is everything else.
The wall times come from a second orchestrator, whose embedder is real. Stages leave out what those inside them cost.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50, p95, report
from benchmarks.latency import DEMO, questions
from configs import load_config
from memory.query import TaskContext
from memory.vector.edge_searches import Search
from memory.vector.port import VectorQuery
from merging import ResultMerger
from orchestrator import HybridRetrievalOrchestrator
from synthesis import SynthesisAgent
from wiring.opening import open_parts

WARMING = 4
CANDIDATES = 200


class Meter:
    """CPU milliseconds of the process by stage, the engine's threads too;
    a stage inside another counts for itself alone.
    """

    def __init__(self) -> None:
        self.ms: defaultdict[str, float] = defaultdict(float)
        self._inside: list[float] = []

    @contextmanager
    def during(self, stage: str) -> Iterator[None]:
        """What happens now belongs to the stage."""
        started = time.process_time()
        self._inside.append(0.0)
        try:
            yield
        finally:
            spent = (time.process_time() - started) * 1000
            self.ms[stage] += spent - self._inside.pop()
            if self._inside:
                self._inside[-1] += spent

    def of(self, part: Any, **stages: str) -> Any:
        """The part with these methods measured, by the name of the stage."""
        return _Measured(part, {name: self._measured(getattr(part, name), stage) for name, stage in stages.items()})

    def _measured(self, call: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def measured(*given: Any, **named: Any) -> Any:
            with self.during(stage):
                returned = call(*given, **named)
            return _Steps(self, stage, returned) if hasattr(returned, "__await__") else returned

        return measured


class _Steps:
    """A coroutine of which every step is measured, but not what it waits for."""

    def __init__(self, meter: Meter, stage: str, awaited: Awaitable[Any]) -> None:
        self._meter, self._stage, self._awaited = meter, stage, awaited

    def __await__(self) -> Generator[Any, Any, Any]:
        steps: Any = self._awaited.__await__()
        step, given = steps.send, None
        while True:
            try:
                with self._meter.during(self._stage):
                    waited = step(given)
            except StopIteration as end:
                return end.value
            try:
                step, given = steps.send, (yield waited)
            except BaseException as error:  # noqa: BLE001 - handed on to the coroutine, whose it is
                step, given = steps.throw, error


class _Measured:
    def __init__(self, part: Any, methods: dict[str, Callable[..., Any]]) -> None:
        self._part = part
        self.__dict__ |= methods

    def __getattr__(self, name: str) -> Any:
        return getattr(self._part, name)


class _Made:
    """An embedder whose vectors were made beforehand."""

    def __init__(self, dense: Any, vectors: dict[str, Any]) -> None:
        self._dense, self._vectors = dense, vectors

    async def embed_queries(self, texts: Sequence[str]) -> list[Any]:
        return [self._vectors[text] for text in texts]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dense, name)


async def measure(data: Path, asked: Sequence[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The document that `--json` prints."""
    config, meter = load_config(), Meter()
    made: dict[str, Any] = {}
    embedding, bare, engine, wall, cpu = [], [], [], [], []
    async with open_parts(data, config) as parts:
        everything = parts.catalogue.projects()
        for query, _ in asked:
            started, busy = time.perf_counter(), time.process_time()
            [made[query]] = await parts.dense.embed_queries([query])
            embedding.append((time.process_time() - busy) * 1000)
            busy = time.process_time()
            nearest = Search(VectorQuery("dense_docs", made[query].tolist(), CANDIDATES), CANDIDATES, everything)
            parts.vectors._search([nearest])  # noqa: SLF001 - one call of the engine, and nothing around it
            engine.append((time.process_time() - busy) * 1000)
            bare.append((time.perf_counter() - started) * 1000)
    async with open_parts(data, config) as parts:
        ready = _Made(parts.dense, made)
        measured = replace(
            parts,
            dense=ready,
            code=ready if parts.code is parts.dense else parts.code,
            vectors=meter.of(parts.vectors, query_batch="vector store"),
        )
        ranking = config.ranking
        merger = ResultMerger(
            ranking,
            similarity_threshold=config.similarity_threshold,
            max_per_agent=config.max_observations_per_agent,
            max_total=config.max_total_observations,
            max_per_file=config.max_per_file,
            conflict_strategy=config.conflict_strategy,
        )
        whole = HybridRetrievalOrchestrator.of(
            measured,
            config,
            merger=meter.of(merger, merge_entries="merging", prepare="merging"),
            synthesis=meter.of(SynthesisAgent(), answer="answer"),
            around=lambda name, agent: meter.of(agent, **_calls_of(agent, name)),
        )
        async with whole as orchestrator:
            for number, (query, context) in enumerate(asked):
                if number == WARMING:
                    meter.ms.clear()
                busy = time.process_time()
                result = await orchestrator.retrieve(query, TaskContext.from_mapping(context))
                with meter.during("result to JSON"):
                    json.dumps(result.to_dict(), ensure_ascii=False)
                cpu.append((time.process_time() - busy) * 1000)
    async with open_parts(data, config) as parts, HybridRetrievalOrchestrator.of(parts, config) as orchestrator:
        for query, context in asked:
            started = time.perf_counter()
            await orchestrator.retrieve(query, context)
            wall.append((time.perf_counter() - started) * 1000)
    embedding, bare, engine, wall, cpu = (values[WARMING:] for values in (embedding, bare, engine, wall, cpu))
    stages = {stage: spent / len(cpu) for stage, spent in sorted(meter.ms.items(), key=lambda item: -item[1])}
    return {
        "questions": len(cpu),
        "embedding_cpu_ms": fmean(embedding),
        "without_embedding_cpu_ms": fmean(cpu),
        "without_embedding_cpu_p50_ms": p50(cpu),
        "stages_cpu_ms": stages | {"all else": fmean(cpu) - sum(stages.values())},
        "bare_engine_call_cpu_ms": fmean(engine),
        "bare_p50_ms": p50(bare),
        "warm_p50_ms": p50(wall),
        "warm_p95_ms": p95(wall),
        "warm_over_bare": p50(wall) / p50(bare),
        "calibration": {"cpu_probe_ms": cpu_probe_ms()},
    }


def _calls_of(agent: Any, name: str) -> dict[str, str]:
    return {call: f"{name} agent" for call in ("retrieve", "publish_into", "find_scope") if hasattr(agent, call)}


def _read(file: Path) -> list[tuple[str, dict[str, Any]]]:
    lines = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [(json.loads(line)["query"] if line.startswith("{") else line, {}) for line in lines]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What a question costs, by stage.")
    parser.add_argument("--data-dir", type=Path, default=DEMO, help="an index (default: the demo's)")
    parser.add_argument("--questions", type=Path, help="a question a line (default: those of the examples)")
    parser.add_argument("--most", type=int, default=200, help="so many at most (default: 200)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    given = parser.parse_args(arguments)
    asked = _read(given.questions) if given.questions else questions()
    document = anyio.run(measure, given.data_dir, asked[: WARMING + given.most])
    print(json.dumps(document, indent=2) if given.json else report(document))


if __name__ == "__main__":
    main()
