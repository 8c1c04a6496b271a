"""How long one changed file takes until it can be asked about, as `index --watch` brings it in.

    .venv/bin/python benchmarks/change.py PATH... [--rounds N] [--json]

Each PATH is copied and indexed as a project, with the shipped hash embedder. Then the code file with most relations of
the project with most relations is edited, that project's README, and a file comes and goes. What is printed is the time
until it can be asked about, a run's wall time and processor time, and how much of the wall each stage took; resolving
and its facts, and removing the generation before, are in `rest`.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import shutil
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import anyio

from benchmarks.calibration import cpu_probe_ms
from configs import IndexingSettings, load_config
from indexing import Indexer, IndexRequest
from indexing.isolation import Readers, ReadingProcesses
from memory.disk import Disk
from memory.embedders import Bm25Sparse
from memory.embedders.fake import FakeSource
from memory.generation import DataFolder
from memory.graph import GraphStore
from memory.vector import VectorStore
from wiring.embedded_stores import EmbeddedStores
from wiring.stores import indexing_parts

EDITS: Mapping[str, Callable[[str], str]] = {
    "same facts": lambda text: text.replace("\n", " \n", 1),
    "changed facts": lambda text: "\n" + text,
}
SENTENCE = "\nOne more sentence about `{name}`.\n"


@dataclass
class Stages:
    """Seconds of wall by stage, added up by who stands before a part; ended: when each was last over."""

    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    ended: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add what the block takes."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.ended[stage] = time.perf_counter()
            self.seconds[stage] += self.ended[stage] - started

    def before(self, part: Any, stage: str) -> Any:
        """The part, whose calls are timed."""
        return _Timed(part, stage, self)


class _Timed:
    def __init__(self, part: Any, stage: str, stages: Stages) -> None:
        self._part, self._stage, self._stages = part, stage, stages

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if inspect.iscoroutinefunction(found):

            async def waited(*given: Any, **named: Any) -> Any:
                with self._stages.timed(self._stage):
                    return await found(*given, **named)

            return waited

        def called(*given: Any, **named: Any) -> Any:
            with self._stages.timed(self._stage):
                return found(*given, **named)

        return called if callable(found) else found


@dataclass
class TimedStores(EmbeddedStores):
    """The embedded stores, timed."""

    stages: Stages

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        with self.stages.timed("vectors"):
            store = super().open_vectors(path, vectors, namespace, copied=copied)
        return cast("VectorStore", self.stages.before(store, "vectors"))

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        return cast("GraphStore", self.stages.before(super().open_graph(path, namespace, copied=copied), "graph"))


def _indexer(data: Path, stages: Stages) -> Indexer:
    config = load_config()

    @asynccontextmanager
    async def readers(settings: IndexingSettings) -> AsyncIterator[Readers]:
        async with ReadingProcesses(settings) as processes:
            yield cast("Readers", stages.before(processes, "reading"))

    parts = indexing_parts(config.graph, FakeSource(config.vector.dimension), Bm25Sparse())
    folder = DataFolder.open_or_create(data, disk=cast("Disk", stages.before(Disk(), "disk")))
    return Indexer(folder, replace(parts, stores=TimedStores(stages), readers=readers), config, profile="embedded")


async def measured(paths: Sequence[Path], rounds: int) -> dict[str, Any]:
    """What each kind of change takes."""
    stages = Stages()
    with tempfile.TemporaryDirectory() as folder:
        org, data = Path(folder) / "org", Path(folder) / "data"
        for path in paths:
            shutil.copytree(path, org / path.name, symlinks=True)
        indexer = _indexer(data, stages)
        async with indexer.staying():
            report = await indexer.run(IndexRequest((org,), each=True), holder="benchmarks/change.py")
            largest = max(report.projects, key=lambda one: one.record.relations).record
            code = Path(largest.root, _busiest(data, largest.name))
            runs: defaultdict[str, list[dict[str, float]]] = defaultdict(list)
            for _ in range(rounds):
                for kind in _changes(code, Path(largest.root)):
                    runs[kind].append(await _run(indexer, largest.name, stages))
    return {
        "chunks": sum(one.record.chunks for one in report.projects),
        "project": {"name": largest.name, "chunks": largest.chunks, "relations": largest.relations},
        "file": code.name,
        "seconds": {
            kind: {name: round(statistics.median(one[name] for one in some), 2) for name in some[0]}
            for kind, some in runs.items()
        },
    }


def _busiest(data: Path, project: str) -> str:
    """The file that proves most relations."""
    with DataFolder.open(data).reading() as generation:
        relations = generation.statements.inside(project)
    return Counter(relation.path for relation in relations).most_common(1)[0][0]


def _changes(code: Path, root: Path) -> Iterator[str]:
    """Makes one change after the other, whose kind it yields."""
    for kind, edit in EDITS.items():
        code.write_text(edit(code.read_text("utf-8")), "utf-8")
        yield kind
    readme = root / "README.md"
    readme.write_text(
        readme.read_text("utf-8") + SENTENCE.format(name=code.stem) if readme.exists() else "# It\n", "utf-8"
    )
    yield "README"
    new = code.with_name(f"another_{code.name}")
    shutil.copy(code, new)
    yield "new file"
    new.unlink()
    yield "deleted file"


async def _run(indexer: Indexer, project: str, stages: Stages) -> dict[str, float]:
    gc.collect()
    gc.disable()  # as `--watch` does
    stages.seconds.clear()
    started, cpu = time.perf_counter(), time.process_time()
    await indexer.run(IndexRequest(known=[project]), holder="benchmarks/change.py")
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    gc.enable()
    own = {stage: stages.seconds[stage] for stage in ("reading", "vectors", "graph", "disk")}
    # the pointer to the generation is written last, and then the generation before is removed
    asked = stages.ended["disk"] - started
    return {"asked": asked, "wall": wall, "cpu": cpu, **own, "rest": wall - sum(own.values())}


def page(document: Mapping[str, Any]) -> str:
    """The document for people."""
    project = document["project"]
    whole = f"{document['chunks']} chunks; {document['file']} of {project['name']}"
    lines = [f"{whole}, {project['relations']} relations in {project['chunks']}"]
    for kind, seconds in document["seconds"].items():
        lines.append(f"{kind:14}" + "".join(f"  {name} {value:5.2f}" for name, value in seconds.items()))
    return "\n".join([*lines, f"calibration cpu_probe_ms {document['calibration']['cpu_probe_ms']}"])


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="What one changed file takes.")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a project's folder")
    parser.add_argument("--rounds", type=int, default=3, help="each change so often; the median counts (default 3)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    document = anyio.run(measured, given.paths, given.rounds)
    document["calibration"] = {"cpu_probe_ms": round(cpu_probe_ms(), 1)}
    show(json.dumps(document) if given.json else page(document))


if __name__ == "__main__":
    main()
