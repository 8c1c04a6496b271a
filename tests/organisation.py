"""A made-up organisation on the disk, indexed into real stores with the embedder that needs no model."""

from __future__ import annotations

import atexit
import pickle
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from configs import HybridRetrievalConfig
from indexing import Indexer, IndexingParts, IndexReport, IndexRequest
from indexing.isolation import InProcess
from memory.copying import copy_tree
from memory.embedders import Bm25Sparse, FakeDenseEmbedder, FakeSource
from memory.generation import DataFolder, Disk, ProjectRecord
from memory.graph import FakeGraphStore, GraphStore
from memory.statements import Segment
from memory.vector import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    EdgeVectorStore,
    FakeVectorStore,
    VectorQuery,
    VectorStore,
)
from memory.vector.edge_files import Room
from memory.vector.edge_sealing import Sealing, new_shard
from memory.vocabulary import ProjectTerms
from orchestrator import HybridRetrievalOrchestrator
from wiring.embedded_stores import EmbeddedStores
from wiring.opening import Parts, open_graph

DEFAULT = HybridRetrievalConfig()
CONFIG = replace(
    DEFAULT, vector=replace(DEFAULT.vector, dense_model=FakeSource().model, dimension=FakeSource().dimension)
)


VOLATILE = ("generation", "request_id", "seconds", "started_at")


class Unsynced(Disk):
    """A disk that need not survive the machine: a rename is enough."""

    def write(self, path: Path, lines: Iterable[str]) -> None:
        path.write_text("".join(lines), encoding="utf-8")

    def write_bytes(self, path: Path, content: bytes) -> None:
        path.write_bytes(content)

    def publish(self, stage: Path, target: Path) -> None:
        stage.rename(target)


class FiledVectors(FakeVectorStore):
    """The fake vector store, kept in a file between two runs."""

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self._path = Path(path)
        if self._path.is_file():
            self._points = pickle.loads(self._path.read_bytes())  # noqa: S301 - written below

    async def close(self) -> None:
        self._path.write_bytes(pickle.dumps(self._points))
        await super().close()


class FiledGraph(FakeGraphStore):
    """The fake graph store, kept in a file between two runs."""

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self._path = Path(path)
        if self._path.is_file():
            self._batch = pickle.loads(self._path.read_bytes())  # noqa: S301 - written below

    async def close(self) -> None:
        beside = self._path.with_suffix(".new")
        beside.write_bytes(pickle.dumps(self._batch))
        beside.replace(self._path)  # a generation's graph shares its files with the one before


class FiledStores(EmbeddedStores):
    """Both, for an indexer: what the real engines do, in a hundredth of their time."""

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> FiledVectors:
        return FiledVectors(path)

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> FiledGraph:
        return FiledGraph(path)


class PreparedStores(EmbeddedStores):
    """The real engines; a new shard is a copy of an empty one, which waits for the disk a tenth as long."""

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        if not copied:
            copy_tree(_empty_shard(tuple(vectors.items())), Path(path))
        return super().open_vectors(path, vectors, namespace, copied=True)


@cache
def _empty_shard(vectors: tuple[tuple[str, int], ...]) -> Path:
    """Of these names and dimensions, for the life of this process."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    new_shard(Path(folder), dict(vectors), Sealing(), Room()).close()
    return Path(folder)


FILES = {
    "harbour": {
        "CLAUDE.md": "# harbour\n\nEvery mooring needs a pilot on board.\n",
        "pyproject.toml": '[project]\nname = "harbour"\nversion = "1.0"\ndependencies = ["lighthouse>=2"]\n',
        "harbour/mooring.py": (
            "from lighthouse.beacon import Beacon\n\n\n"
            "class MooringDesk:\n"
            '    """Gives ships their berth."""\n\n'
            "    def __init__(self) -> None:\n"
            "        self.beacon = Beacon()\n\n"
            "    def assign(self, ship: str) -> str:\n"
            "        return self.beacon.signal(ship)\n"
        ),
    },
    "lighthouse": {
        "README.md": "# lighthouse\n\nThe Beacon signals ships at night, three flashes each.\n",
        "pyproject.toml": '[project]\nname = "lighthouse"\nversion = "2.1"\n',
        "lighthouse/beacon.py": (
            'class Beacon:\n    """Signals ships."""\n\n    def signal(self, ship: str) -> str:\n        return f"{ship}: ***"\n'
        ),
    },
}


def write(root: Path, files: Mapping[str, Mapping[str, str]] = FILES) -> Path:
    """The projects' folders below `root`; returns it."""
    for project, texts in files.items():
        for path, text in texts.items():
            file = root / project / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return root


def indexer(
    data: Path,
    config: HybridRetrievalConfig = CONFIG,
    *,
    stores: Any = None,
    source: Any = None,
    disk: Disk | None = None,
    readers: Any = InProcess,
    **options: Any,
) -> Indexer:
    """An indexer of real stores; `stores`, `source` and `disk` stand in where a test wants trouble."""
    parts = IndexingParts(stores or PreparedStores(), source or FakeSource(), Bm25Sparse(), readers=readers)
    return Indexer(
        DataFolder.open_or_create(data, disk=disk or Unsynced()), parts, config, profile="embedded", **options
    )


async def index(data: Path, *folders: Path, **request: Any) -> IndexReport:
    """One run over these folders."""
    return await indexer(data).run(IndexRequest(folders, **request), holder="a test")


@asynccontextmanager
async def opened(data: Path, **options: Any) -> AsyncIterator[HybridRetrievalOrchestrator]:
    """The orchestrator on what was indexed; it waits for every agent, so that answers are the same every time."""
    options = {"config": CONFIG, "embedder": FakeDenseEmbedder(), "wait_for_mays": True, **options}
    async with HybridRetrievalOrchestrator.open(data, **options) as orchestrator:
        yield orchestrator


async def ask(data: Path, question: str, context: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The answer's JSON."""
    async with opened(data) as orchestrator:
        return (await orchestrator.retrieve(question, context)).to_dict()


@asynccontextmanager
async def opened_files(data: Path) -> AsyncIterator[tuple[HybridRetrievalOrchestrator, GraphStore]]:
    """The same on what `FiledStores` hold, and their graph."""
    with DataFolder.open(data).reading() as generation:
        vectors, graph = FiledVectors(generation.vectors_path), FiledGraph(generation.graph_path)
        dense = FakeDenseEmbedder()
        parts = Parts.of(generation, vectors, graph, dense)
        yield HybridRetrievalOrchestrator.of(parts, CONFIG, wait_for_mays=True), graph


async def exported(data: Path) -> tuple[list[Any], list[Any]]:
    """Every entity and every edge."""
    async with open_graph(data) as (store, indexed):
        return await store.all_entities(permission=indexed.projects()), await store.all_edges(
            permission=indexed.projects()
        )


async def points(data: Path) -> list[dict[str, Any]]:
    """Every chunk with its vectors."""
    folder = DataFolder.open(data)
    with folder.reading() as generation:
        store = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
        found = await points_of(store, generation.manifest.names)
        await store.close()
    return found


async def points_of(store: VectorStore, projects: frozenset[str]) -> list[dict[str, Any]]:
    """Every chunk of an open store, with its vectors."""
    everything = VectorQuery("", None, 100_000, (), (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL))
    [hits] = await store.query_batch([everything], permission=projects)
    return [
        {
            "chunk": hit.chunk,
            "dense": {name: list(map(float, v)) for name, v in hit.dense.items()},
            "sparse": hit.sparse,
        }
        for hit in hits
    ]


def stated(data: Path) -> dict[str, Any]:
    """By project: every statement with its terms, and in how many chunks of each file a word occurs."""
    with DataFolder.open(data).reading() as generation:
        everyone = generation.manifest.names
        return {
            name: {
                "statements": _statements(generation.statements.segment(name), everyone),
                "words": {
                    path: (one.chunks, dict(sorted(one.counts.items())))
                    for path, one in sorted(generation.vocabulary.files(name).items())
                },
                "total": [array.tolist() for array in _counts(generation.vocabulary.project(name))],
            }
            for name in sorted(everyone)
        }


def _statements(segment: Segment, everyone: frozenset[str]) -> list[Any]:
    weights: list[dict[int, float]] = [{} for _ in segment.audience]
    for term in segment.terms.tolist():
        for row, weight in zip(*(column.tolist() for column in segment.postings(term)), strict=True):
            weights[row][term] = weight
    return [
        (segment.relation(row, everyone), sorted(segment.audiences[audience]), bool(segment.test[row]), weights[row])
        for row, audience in enumerate(segment.audience.tolist())
    ]


def _counts(terms: ProjectTerms) -> tuple[Any, ...]:
    return terms.terms, terms.counts, np.array(terms.chunks)


def recorded(data: Path) -> list[dict[str, Any]]:
    """What the manifest says of each project, but for when its files were looked at."""

    def row(project: ProjectRecord) -> dict[str, Any]:
        files = [(file.path, file.hash, file.lines, file.chunks, file.awaiting) for file in project.files]
        counts = (project.entities, project.relations, dict(project.not_recognised))
        return {"name": project.name, "files": files, "skipped": list(project.skipped), "counts": counts}

    with DataFolder.open(data).reading() as generation:
        return [row(project) for project in generation.manifest.projects]


def plain(value: Any) -> Any:
    """The JSON without what differs each time (docs/design.md#equal-answers)."""
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if key not in VOLATILE and not key.endswith("_ms")}
        return {key: plain(one) for key, one in kept.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def differences(one: Any, other: Any) -> list[str]:
    """Where two values are not equal, numbers within 1e-4, and what stands there; the first ten."""
    return list(islice(_differences(one, other, ""), 10))


def _differences(one: Any, other: Any, at: str) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _differences(one[key], other[key], f"{at}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            yield from _differences(mine, theirs, f"{at}[{place}]")
    elif not (one == other or (isinstance(one, float) and isinstance(other, float) and abs(one - other) <= 1e-4)):
        yield f"{at}: {one!r} | {other!r}"
