"""A retriever on fakes: five texts and two pictures of two projects."""

from __future__ import annotations

from dataclasses import replace

from configs import HybridRetrievalConfig
from facades.hybrid_retriever import FusionParameters, HybridRetriever, RetrieverParts
from memory.embedders import FakeDenseEmbedder, FakeImageEmbedder, FakeSparseEmbedder
from memory.entities import Entity, Relationship
from memory.observations import GraphObservation, Location
from memory.vector import DENSE_CODE, DENSE_DOCS, IMAGE, FakeVectorStore, Point, SparseVector
from tests.contracts.vector_store import make_chunk
from tests.memory.embedders.test_images import picture

ALL = FusionParameters(min_score_threshold=0.0)
TEXTS = [
    ("physics", "docs/quantum.md", "quantum computing applications in chemistry"),
    ("physics", "docs/bits.md", "computing with ordinary bits"),
    ("physics", "docs/tides.md", "tides follow the moon"),
    ("physics", "src/gate.py", "class QuantumGate: turns a qubit"),
    ("garden", "README.md", "a red rose grows in may"),
]
PICTURES = [("garden", "img/rose.png", "red"), ("garden", "img/lake.png", "blue")]


async def filled_store():
    """The texts in the vectors of their corpus and, if documents, in the pictures' space; the pictures in theirs alone."""
    dense, sparse, images = FakeDenseEmbedder(), FakeSparseEmbedder(), FakeImageEmbedder()
    store = FakeVectorStore()
    points = []
    for project, path, text in TEXTS:
        code = path.endswith(".py")
        [vector] = (await dense.embed_documents([text])).tolist()
        kind = {"corpus": "code", "chunk_kind": "code"} if code else {}
        vectors = {DENSE_CODE: vector} if code else {DENSE_DOCS: vector, IMAGE: vector}
        chunk = make_chunk(project, path, 1, text=text, **kind)
        points.append(Point(chunk, sparse.embed_document(text), vectors))
    for project, path, colour in PICTURES:
        [vector] = (await images.embed_images([picture(colour)])).tolist()
        chunk = make_chunk(project, path, 0, end_line=0, chunk_kind="image", lang="image", text=f"a picture: {colour}")
        points.append(Point(chunk, SparseVector((), ()), {IMAGE: vector}))
    await store.upsert(points)
    return store


async def parts(**changes):
    dense = FakeDenseEmbedder()
    made = RetrieverParts(
        store=await filled_store(),
        projects=frozenset({"physics", "garden"}),
        docs=dense,
        code=dense,
        sparse=FakeSparseEmbedder(),
        written={("physics", "docs/quantum.md"): "2025-08-19T10:00:00+00:00"},
    )
    return replace(made, **changes)


async def retriever(*, config=None, fusion=ALL, **changes):
    options = {name: changes.pop(name) for name in list(changes) if name in _OPTIONS}
    given = await parts(**changes)
    return HybridRetriever(config=config or HybridRetrievalConfig(), parts=given, fusion=fusion, **options)


_OPTIONS = ("allowed_projects", "graphrag_min_confidence", "embeddings_per_minute", "clock")


def paths(result):
    return [document.metadata["path"] for document in result.documents]


class Graph:
    """Says what it was given, or raises it; counts its calls."""

    def __init__(self, *said):
        self.said = said
        self.contexts = []

    async def retrieve(self, query, context):
        self.contexts.append(context)
        if self.said and isinstance(self.said[0], Exception):
            raise self.said[0]
        return list(self.said)

    async def find_scope(self, entities, context=None):
        raise NotImplementedError


def relation(confidence, project="physics", path="src/gate.py", content="QuantumGate uses Qubit"):
    gate, qubit = (Entity(name, "class", project) for name in ("QuantumGate", "Qubit"))
    return GraphObservation(
        content=content,
        entities=[gate, qubit],
        relationships=[Relationship(gate, "USES", qubit)],
        source_projects=[project],
        hop_depth=1,
        confidence=confidence,
        observation_type="relationship",
        locations=(Location(project, path, 3, 4),),
    )
