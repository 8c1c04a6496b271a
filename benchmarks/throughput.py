"""How fast indexing is beside the bare embedder, and how its memory grows with the number of projects.

    .venv/bin/python benchmarks/throughput.py [--distribution NAME] [--rounds N] [--json]

Speed: one installed distribution is indexed into an empty folder with the default model, then the very texts of its
chunks go through the bare embedder (the same worker processes; nothing read, nothing stored), taking turns in this run.
Memory: generated projects, 20 and then 200, each time indexed by a process of its own with the shipped hash embedder;
what is compared is the peak of the resident set.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, report
from configs import HybridRetrievalConfig, load_config
from indexing import Indexer, IndexRequest
from indexing.chunks import embedded_text
from memory.embedders import Bm25Sparse, EncoderSource, embed_bulk
from memory.embedders.fake import FakeSource
from memory.generation import DataFolder
from memory.vector import EdgeVectorStore
from wiring.models import dense_source
from wiring.stores import indexing_parts

DISTRIBUTION = "httpx"
FEW, MANY = 20, 200
FILES = 12
WORDS = ("order", "invoice", "ledger", "parcel", "refund", "basket", "tariff", "voucher", "account", "shipment")
MODULE = '''"""Keeps the {a}s of project {project}."""


class {A}{B}:
    """One {a} with its {b}; see {c}."""

    def {b}_of(self, {c}: str) -> str:
        """The {b} that belongs to this {c}, number {number}."""
        return f"{a}-{{{c}}}-{number}"


def close_{a}_{b}(keeper: {A}{B}, {c}: str) -> str:
    return keeper.{b}_of({c}).upper()
'''


async def index_into(
    data: Path, request: IndexRequest, source: EncoderSource, config: HybridRetrievalConfig
) -> tuple[float, int]:
    """Seconds and chunks of one run into this folder."""
    indexer = Indexer(
        DataFolder.open_or_create(data),
        indexing_parts(config.graph, source, Bm25Sparse()),
        config,
        profile="embedded",
    )
    started = time.perf_counter()
    report = await indexer.run(request, holder="benchmarks/throughput.py")
    return time.perf_counter() - started, sum(project.record.chunks for project in report.projects)


async def _texts(data: Path) -> list[str]:
    """What was embedded for the chunks in this index."""
    folder = DataFolder.open(data)
    with folder.reading() as generation:
        store = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
        chunks = [
            chunk
            for project in generation.manifest.projects
            for chunk in await store.file_chunks(
                project.name, [file.path for file in project.files], permission=frozenset({project.name})
            )
        ]
        await store.close()
    return [embedded_text(chunk) for chunk in chunks]


async def speed(distribution: str, rounds: int, config: HybridRetrievalConfig, source: EncoderSource) -> dict[str, Any]:
    """Chunks a second of indexing and of the embedder alone, and their ratio."""
    indexed = embedded = 0.0
    chunks = 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder) / "data"
            seconds, chunks = await index_into(data, IndexRequest((), distributions=(distribution,)), source, config)
            indexed += seconds
            texts = await _texts(data)
        started = time.perf_counter()
        await embed_bulk(texts, source, workers=config.indexing.workers)
        embedded += time.perf_counter() - started
    return {
        "distribution": distribution,
        "rounds": rounds,
        "chunks": chunks,
        "indexing_chunks_per_s": round(chunks * rounds / indexed, 1),
        "embedder_chunks_per_s": round(chunks * rounds / embedded, 1),
        "ratio": round(embedded / indexed, 3),
    }


def write_projects(folder: Path, count: int, seed: int = 7) -> None:
    """Projects of twelve modules and a page each, no two files alike."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret about it
    for number in range(count):
        project = folder / f"project{number:03}"
        project.mkdir(parents=True)
        (project / "README.md").write_text(f"# project{number:03}\n\nKeeps {chance.choice(WORDS)}s, number {number}.\n")
        for file in range(FILES):
            a, b, c = chance.sample(WORDS, 3)
            module = MODULE.format(
                a=a, b=b, c=c, A=a.title(), B=b.title(), project=number, number=number * FILES + file
            )
            (project / f"{a}_{b}_{file}.py").write_text(module)


async def peak_mb(count: int) -> float:
    """Megabytes at the peak of this process, having indexed so many generated projects."""
    config = load_config()
    with tempfile.TemporaryDirectory() as folder:
        write_projects(Path(folder) / "projects", count)
        request = IndexRequest((Path(folder) / "projects",), each=True)
        await index_into(Path(folder) / "data", request, FakeSource(config.vector.dimension), config)
    return resident_peak_mb()


def resident_peak_mb() -> float:
    """This process's own peak; getrusage's may be that of the process it was forked from."""
    status = Path("/proc/self/status").read_text("utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def memory() -> dict[str, Any]:
    """The peaks of the command's largest process, and of the indexer's own without a model, with their ratios."""
    command = [(_commanded(count), _alone(count)) for count in (FEW, MANY)]
    (few, few_alone), (many, many_alone) = command
    return {
        "projects": [FEW, MANY],
        "command_peak_mb": [round(few, 1), round(many, 1)],
        "command_ratio": round(many / few, 3),
        "indexer_peak_mb": [round(few_alone, 1), round(many_alone, 1)],
        "indexer_ratio": round(many_alone / few_alone, 3),
    }


def _commanded(count: int) -> float:
    """`hybrid-retrieval index` as users run it, the embedding workers among its processes; what `time -v` would say."""
    with tempfile.TemporaryDirectory() as folder:
        write_projects(Path(folder) / "projects", count)
        program = Path(sys.executable).with_name("hybrid-retrieval")
        index = [program, "index", "--each", f"{folder}/projects", "--data-dir", f"{folder}/data", "--quiet"]
        watch = f"import resource, subprocess; subprocess.run({list(map(str, index))!r}, check=True, stdout=-3); "
        return printed("-c", watch + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)")


def _alone(count: int) -> float:
    return printed(__file__, "--peak-of", str(count))


def printed(*arguments: str) -> float:
    """The number that a Python process of its own prints."""
    run = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)  # noqa: S603 - our own
    return float(run.stdout)


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Speed and memory of indexing.")
    parser.add_argument("--distribution", default=DISTRIBUTION, help=f"what to index (default {DISTRIBUTION})")
    parser.add_argument("--rounds", type=int, default=1, help="turns of indexing and embedding (default 1)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--peak-of", type=int, metavar="N", help="only print the peak of indexing N projects")
    given = parser.parse_args(arguments)
    if given.peak_of:
        show(str(anyio.run(peak_mb, given.peak_of)))
        return
    config = load_config()
    document = {
        "speed": anyio.run(speed, given.distribution, given.rounds, config, dense_source(config.vector)),
        "memory": memory(),
        "calibration": {"cpu_probe_ms": round(cpu_probe_ms(), 1)},
    }
    show(json.dumps(document) if given.json else report(document))


if __name__ == "__main__":
    main()
