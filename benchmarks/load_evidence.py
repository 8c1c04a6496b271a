"""Evidence packs under load: a hundred callers at a time, questions that no one has asked before, one process.

    .venv/bin/python benchmarks/load_evidence.py [--data-dir INDEX] [--questions 2000] [--calls 10000] [--json]

Latency: so many callers ask all distinct questions, caches cold, each the next one when it has its pack; first with an
embedder that makes each question's vector alone, then with the one we ship, which makes those of waiting questions
together. Memory: the second goes on, the same questions again and again, until there were so many calls; what is
compared is the resident set after the last tenth of them and after the first. Without --data-dir an index of 20,000
chunks is generated, its vectors from the shipped hash embedder, since the model would take an hour; questions are
embedded by the model in any case.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from agents.evidence import EvidenceRequest, EvidenceRetriever
from benchmarks.calibration import cpu_probe_ms, p50, p95
from benchmarks.throughput import write_projects
from configs import HybridRetrievalConfig, load_config
from indexing import Indexer, IndexRequest
from memory.embedders import Bm25Sparse, LocalDense
from memory.embedders.fake import FakeSource
from memory.errors import HybridRetrievalError
from memory.generation import DataFolder
from wiring.evidence import open_evidence
from wiring.models import OpenableDense, dense_source
from wiring.stores import indexing_parts, open_vector_store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CALLERS = 100
CHUNKS = 20_000
CHUNKS_A_PROJECT = 13
SEED = 11
FORMS = (
    "How does {a} handle {b} and {c}?",
    "Where is {a} defined, and who calls it with {b}?",
    "Implement {a} like {b} does for {c}",
    "Why does {a} fail when {b} is missing near {c}?",
    "What are the parameters of {a} for {b}?",
    "Design of {a}: trade-offs against {b} and {c}",
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,30}")


class Alone:
    """The embedder with one question a call, one call at a time: what making them together is measured against."""

    def __init__(self, dense: OpenableDense) -> None:
        self._dense = dense
        self._turn = anyio.Lock()
        self.model, self.dimension = dense.model, dense.dimension
        self.load_ahead, self.warm_up, self.close = dense.load_ahead, dense.warm_up, dense.close
        self.embed_documents = dense.embed_documents

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector a row."""
        async with self._turn:
            return await self._dense.embed_queries(texts)


@dataclass
class Load:
    """What calls came to: how long each took, in milliseconds; the process's own processor time at the end of each, in
    seconds; what failed, and how many items were found.
    """

    latencies: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    items: int = 0


async def ask_all(retriever: EvidenceRetriever, questions: Iterable[str], load: Load, *, callers: int) -> None:
    """All questions by so many callers, each asking the next when it has its pack."""
    everything, waiting = frozenset(retriever.catalogue.projects), iter(questions)

    async def caller() -> None:
        for question in waiting:
            started = time.perf_counter()
            try:
                pack = await retriever.retrieve(EvidenceRequest(question), everything)
                load.items += len(pack.evidence)
            except HybridRetrievalError as error:
                load.failures.append(f"{type(error).__name__}: {error.message}")
            load.latencies.append((time.perf_counter() - started) * 1000)
            load.processor.append(time.process_time())

    async with anyio.create_task_group() as group:
        for _ in range(callers):
            group.start_soon(caller)


def distinct_questions(words: Sequence[str], count: int, seed: int = SEED) -> list[str]:
    """So many questions about these words, no two alike."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret about it
    questions: dict[str, None] = {}
    while len(questions) < count:
        a, b, c = chance.sample(words, 3)
        questions[chance.choice(FORMS).format(a=a, b=b, c=c)] = None
    return list(questions)


def resident_mb() -> float:
    """This process's resident set now, without garbage."""
    gc.collect()
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


async def generate(data: Path, config: HybridRetrievalConfig, chunks: int) -> None:
    """An index of about so many generated chunks, with vectors of the hash embedder under the model's name."""
    source = FakeSource(config.vector.dimension)
    with tempfile.TemporaryDirectory() as folder:
        write_projects(Path(folder), -(-chunks // CHUNKS_A_PROJECT), SEED)
        parts = indexing_parts(config.graph, source, Bm25Sparse())
        indexer = Indexer(DataFolder.open_or_create(data), parts, config, profile="embedded")
        await indexer.run(IndexRequest((Path(folder),), each=True), holder="benchmarks/load_evidence.py")


async def words_of(data: Path, config: HybridRetrievalConfig, most: int = 4000) -> tuple[int, list[str]]:
    """How many chunks an index has, and identifiers that stand in some of its files, the same every time."""
    chance, words = random.Random(SEED), set[str]()  # noqa: S311 - nothing secret about it
    folder = DataFolder.open(data)
    with folder.reading() as generation:
        store = await open_vector_store(config.vector, generation.vectors_path, folder.namespace)
        projects = generation.manifest.projects
        files = [(project.name, file.path) for project in projects for file in project.files]
        for name, path in chance.sample(files, len(files)):
            for chunk in await store.file_chunks(name, [path], permission=frozenset({name})):
                words.update(_WORD.findall(chunk.text))
            if len(words) >= most:
                break
        await store.close()
    return sum(project.chunks for project in projects), sorted(words)


async def measure(
    data: Path, config: HybridRetrievalConfig, dense: Callable[[], OpenableDense], *, questions: int, calls: int
) -> dict[str, Any]:
    """Everything about one index. dense: makes an embedder that remembers nothing yet."""
    chunks, words = await words_of(data, config)
    asked = distinct_questions(words, questions)
    embedding = {"alone": await _embedding(Alone(dense()), asked), "together": await _embedding(dense(), asked)}
    alone, _ = await _run(data, config, Alone(dense()), asked, questions)
    together, more = await _run(data, config, dense(), asked, calls)
    return {
        "chunks": chunks,
        "questions": questions,
        "callers": CALLERS,
        "calls": calls,
        "failures": len(alone.failures) + len(together.failures),
        "failed": sorted({*alone.failures, *together.failures})[:5],
        "cold": {"alone": _times(alone, questions), "together": _times(together, questions)},
        "embedding_s": {way: round(seconds, 2) for way, seconds in embedding.items()},
        "embedding_gain": round(embedding["alone"] / embedding["together"], 2),
        **more,
    }


async def _embedding(dense: OpenableDense, questions: Sequence[str]) -> float:
    """Seconds of embedding all questions, so many waiting at a time, and nothing else."""
    await dense.warm_up()
    waiting = iter(questions)

    async def caller() -> None:
        for question in waiting:
            await dense.embed_queries([question])

    started = time.perf_counter()
    async with anyio.create_task_group() as group:
        for _ in range(CALLERS):
            group.start_soon(caller)
    return time.perf_counter() - started


async def _run(
    data: Path, config: HybridRetrievalConfig, dense: OpenableDense, questions: Sequence[str], calls: int
) -> tuple[Load, dict[str, Any]]:
    """So many calls with these questions, again and again; and what they cost in memory, and found in the caches."""
    load, tenth = Load(), max(1, calls // 10)
    waiting = islice(chain.from_iterable(repeat(questions)), calls)
    async with open_evidence(data, config=config, dense=dense) as retriever:
        await ask_all(retriever, islice(waiting, tenth), load, callers=CALLERS)
        first = resident_mb()
        await ask_all(
            retriever, islice(waiting, max(0, len(questions) - tenth)), load, callers=CALLERS
        )  # all still cold
        await ask_all(retriever, waiting, load, callers=CALLERS)
        last = resident_mb()
        packs, queries = retriever.memory.packs, retriever.memory.queries
        return load, {
            "items_a_pack": round(load.items / calls, 1),
            "memory": {
                "first_tenth_mb": round(first, 1),
                "last_tenth_mb": round(last, 1),
                "ratio": round(last / first, 3),
            },
            "cache": {"packs": [packs.hits, packs.misses], "queries": [queries.hits, queries.misses]},
        }


def _times(load: Load, calls: int) -> dict[str, float]:
    """Of the first calls. Callers are never idle: the whole took the sum divided by their number."""
    latencies, processor = load.latencies[:calls], load.processor[:calls]
    whole = sum(latencies) / CALLERS / 1000
    return {
        "cpu_ms_a_call": round((processor[-1] - processor[0]) / max(1, len(processor) - 1) * 1000, 1),
        "p50_ms": round(p50(latencies), 1),
        "p95_ms": round(p95(latencies), 1),
        "calls_per_s": round(len(latencies) / whole, 1),
    }


def page(document: Mapping[str, Any]) -> str:
    """The document for people."""
    rows = [(f"cold {name} {key}", value) for name, times in document["cold"].items() for key, value in times.items()]
    rows += [(key, value) for key, value in document.items() if key != "cold"]
    return "\n".join(f"{key:28}  {value}" for key, value in rows)


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Evidence packs under load.")
    parser.add_argument("--data-dir", type=Path, help="an index of the embedded profile (default: a generated one)")
    parser.add_argument("--chunks", type=int, default=CHUNKS, help=f"of the generated one (default {CHUNKS})")
    parser.add_argument("--questions", type=int, default=2000, help="distinct ones (default 2000)")
    parser.add_argument("--calls", type=int, default=10_000, help="of all together (default 10000)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    config = load_config()
    source = dense_source(config.vector)

    async def run() -> dict[str, Any]:
        with tempfile.TemporaryDirectory() as folder:
            data = given.data_dir or Path(folder) / "data"
            if given.data_dir is None:
                await generate(data, config, given.chunks)
            return await measure(
                data, config, partial(LocalDense, source), questions=given.questions, calls=given.calls
            )

    document = anyio.run(run)
    document["calibration"] = {"cpu_probe_ms": round(cpu_probe_ms(), 1), "load_average": round(os.getloadavg()[0], 1)}
    show(json.dumps(document) if given.json else page(document))


if __name__ == "__main__":
    main()
