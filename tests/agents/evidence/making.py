"""Chunks, candidates and a small library for the evidence's tests."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import replace

from agents.evidence import (
    CataloguedProject,
    EvidenceCatalogue,
    EvidenceMemory,
    EvidenceParts,
    EvidenceRequest,
    EvidenceRetriever,
)
from agents.evidence.pack import item_of
from agents.evidence.request import settle_request
from configs.settings import EvidenceSettings
from memory.embedders import FakeDenseEmbedder, FakeSparseEmbedder
from memory.vector import DENSE_CODE, DENSE_DOCS, Chunk, FakeVectorStore, Hit, Point

SETTINGS = EvidenceSettings(search="fused", quota=0.3, max_tokens=16_000)
"""Those of profile spec."""
EVERYONE = frozenset({"kit", "guide"})


def make_chunk(path="src/a.py", start=1, end=10, text=None, **changes) -> Chunk:
    """Code of project kit where the path ends in .py, a document of project guide otherwise."""
    code = path.endswith(".py")
    text = "\n".join(f"line {n} of {path}" for n in range(start, end + 1)) if text is None else text
    fields = {
        "project": "kit" if code else "guide",
        "repo": "google/kit" if code else "google/guide",
        "commit": "c0ffee",
        "corpus": "code" if code else "docs",
        "lang": "python" if code else "markdown",
        "chunk_kind": "code" if code else "doc",
        "symbol": "",
        "section": "",
        "header": path,
    } | changes
    return Chunk(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{fields['project']}/{path}:{start}-{end}")),
        path=path,
        start_line=start,
        end_line=end,
        text=text,
        text_hash=hashlib.sha256(text.encode()).hexdigest(),
        **fields,
    )


def item(path="src/a.py", start=1, end=10, rank=1, **changes):
    return item_of(Hit(make_chunk(path, start, end, **changes), 1 / (60 + rank)), rank)


def items(*paths):
    """Candidates ranked from 1, each of its own file."""
    return [item(path, rank=rank) for rank, path in enumerate(paths, start=1)]


ROWS = [
    make_chunk("src/tool.py", 1, 4, "class FunctionTool:\n    def schema(self):\n        return 1\n", symbol="FunctionTool"),
    make_chunk("src/agent.py", 1, 3, "class SequentialAgent:\n    def run(self, state):\n        pass", symbol="SequentialAgent"),
    make_chunk("src/agent.py", 5, 7, "class LoopAgent:\n    def run(self, state):\n        pass", symbol="LoopAgent"),
    make_chunk("tests/test_tool.py", 1, 2, "def test_schema():\n    FunctionTool().schema()", chunk_kind="test"),
    make_chunk("docs/tools.md", 1, 3, "A FunctionTool has a schema.\n\nParameters are required."),
    make_chunk("docs/agents.md", 1, 2, "A sequential agent shares its state.\nLoops end."),
    make_chunk("docs/agents.md", 4, 4, "A loop agent runs again.", commit="beef"),
]  # fmt: skip


def catalogue(generation="g1", rows=ROWS) -> EvidenceCatalogue:
    files: dict[str, dict] = {}
    repos = {}
    for chunk in rows:
        files.setdefault(chunk.project, {})[chunk.path] = chunk.corpus
        repos[chunk.project] = chunk.repo
    return EvidenceCatalogue(generation, {name: CataloguedProject(repos[name], of) for name, of in files.items()})


async def points(rows=ROWS):
    dense, sparse = FakeDenseEmbedder(), FakeSparseEmbedder()
    vectors = await dense.embed_documents([chunk.text for chunk in rows])
    return [
        Point(chunk, sparse.embed_document(chunk.text), {field_of(chunk): vector.tolist()})
        for chunk, vector in zip(rows, vectors, strict=True)
    ]


def field_of(chunk):
    return DENSE_DOCS if chunk.corpus == "docs" else DENSE_CODE


class WatchedStore(FakeVectorStore):
    """Remembers the batches it was asked."""

    def __init__(self):
        super().__init__()
        self.batches = []

    async def query_batch(self, queries, *, permission):
        self.batches.append(list(queries))
        return await super().query_batch(queries, permission=permission)


class CountedDense(FakeDenseEmbedder):
    """Remembers what it was asked; as a model of another name, or with a failure."""

    def __init__(self, model="fake-docs", failure=None):
        super().__init__()
        self.model = model
        self.failure = failure
        self.asked = []

    async def embed_queries(self, texts):
        self.asked += texts
        if self.failure is not None:
            raise self.failure
        return await super().embed_queries(texts)


class CountedSparse(FakeSparseEmbedder):
    def __init__(self, failure=None):
        self.failure = failure
        self.asked = []

    def embed_query(self, text):
        self.asked.append(text)
        if self.failure is not None:
            raise self.failure
        return super().embed_query(text)


async def retriever(rows=ROWS, settings=SETTINGS, *, store=None, generation="g1", memory=None, profile="test", **parts):
    """A retriever on a fake store with these rows, and its parts."""
    store = store or WatchedStore()
    await store.upsert(await points(rows))
    given = {"docs": CountedDense("fake-docs"), "code": CountedDense("fake-code"), "sparse": CountedSparse()} | parts
    made = EvidenceParts(store, **given)
    memory = memory or EvidenceMemory.of(settings)
    return EvidenceRetriever(made, catalogue(generation, rows), settings, profile=profile, memory=memory), made


def request(query="How does a FunctionTool get its schema?", intent="CONCEPTUAL", **changes) -> EvidenceRequest:
    return EvidenceRequest(query, intent, **{"top_k": 12} | changes)


def settled(query="a question", intent="CONCEPTUAL", rows=ROWS, permission=EVERYONE, **changes):
    return settle_request(EvidenceRequest(query, intent, **changes), catalogue(rows=rows), permission)


def with_settings(**changes) -> EvidenceSettings:
    return replace(SETTINGS, **changes)
