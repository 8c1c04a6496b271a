"""What a `HybridRetriever` works with, how it is opened from a data folder, and what a retrieval returns (003 §4, §5).

No vector ever leaves with `Document` or `RetrievalResult` (003 §9).
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agents import GraphRetrievalAgent, HybridSearch
from agents.ports import GraphAgent
from configs import HybridRetrievalConfig
from memory.embedders import DenseEmbedder, ImageEmbedder, LocalDense, SparseEmbedder
from memory.generation import Manifest
from memory.observations import GraphObservation
from memory.rerankers import Reranker
from memory.vector import VectorStore
from memory.vector.port import Hit
from wiring.catalogue import ManifestCatalogue
from wiring.local_models import image_text_source, open_images, open_sparse
from wiring.models import Models, OpenableDense, open_models
from wiring.opening import Provided, open_parts

MOST_RESULTS: Final = 100
"""How many documents may be asked for."""
Written = Mapping[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class RetrieverParts:
    """Stores and models that are open. docs and code may be one embedder; image_texts: questions in the pictures'
    space.

    projects: all that is indexed; written: when a file that was indexed was last changed, by project and path;
    embedded: the share (0..1) of the chunks that have their vectors.
    """

    store: VectorStore
    projects: frozenset[str]
    docs: DenseEmbedder
    code: DenseEmbedder
    sparse: SparseEmbedder
    graph: GraphAgent | None = None
    reranker: Reranker | None = None
    images: ImageEmbedder | None = None
    image_texts: DenseEmbedder | None = None
    written: Mapping[tuple[str, str], str] = field(default_factory=dict)
    embedded: float = 1.0


@asynccontextmanager
async def open_retriever_parts(
    data_dir: Path, config: HybridRetrievalConfig, *, dense: Models | OpenableDense | None = None
) -> AsyncIterator[RetrieverParts]:
    """The parts of the current generation, every model loaded; closed at the end.

    dense: the embedders, where they are not to be made from the settings.

    Raises DataFolderError, StoreError, ModelError and ConfigError.
    """
    vector = config.vector
    models = Models.of(dense or open_models(vector, config.hosted))
    async with open_parts(data_dir, config, Provided(models)) as parts:
        assert isinstance(parts.catalogue, ManifestCatalogue)
        manifest = parts.catalogue.manifest
        manifest.check_beside(vector.sparse_model, vector.image_model or "", vector.image_dimension)
        images, source = open_images(vector), image_text_source(vector)
        image_texts = LocalDense(source) if source else None
        for model in (images, image_texts):
            if model is not None:
                await model.warm_up()
        sparse = parts.sparse or open_sparse(vector)
        search = HybridSearch(
            parts.vectors, parts.dense, sparse, vector, statements=parts.statements, vocabulary=parts.vocabulary
        )
        yield RetrieverParts(
            store=parts.vectors,
            projects=manifest.names,
            docs=parts.dense,
            code=parts.code or parts.dense,
            sparse=sparse,
            graph=GraphRetrievalAgent(
                parts.graph,
                config.graph,
                config.scope,
                max_observations=MOST_RESULTS,
                statements=search.statements,
            ),
            reranker=parts.reranker,
            images=images,
            image_texts=image_texts,
            written=_written(manifest),
            embedded=manifest.embedded_share(manifest.names),
        )


def _written(manifest: Manifest) -> dict[tuple[str, str], str]:
    return {
        (project.name, file.path): datetime.fromtimestamp(file.mtime_ns // 10**9, UTC).isoformat()
        for project in manifest.projects
        for file in project.files
    }


@dataclass(frozen=True, slots=True)
class Document:
    """A found piece of a file, or what the graph says. `score` is 0..1; `embeddings` is the contract's key, always
    None.

    metadata: `source` (PROJECT/PATH), `page` (None: files here have lines), `chunk_id`, `timestamp` (of the file that
    was indexed, ISO 8601) as the contract has them; then `project path repo commit start_line end_line corpus
    chunk_kind lang symbol section routes`, or of the graph `relations locations hops`.
    """

    id: str
    content: str
    metadata: Mapping[str, Any]
    score: float = 0.0
    embeddings: None = None


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """The documents, best first, and what was done (003 §3, outputs).

    strategy_used: hybrid where GraphRAG fell back, and `fallback_reason` says why; tokens_processed: of the question
    and of the texts that a reranker read, by estimate; notes: everything that was done other than asked.
    """

    documents: list[Document]
    scores: list[float]
    strategy_used: str
    latency_ms: float
    tokens_processed: int
    reranked: bool = False
    fallback_reason: str | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"notes": list(self.notes)}


def document_of(hit: Hit, score: float, written: Written) -> Document:
    chunk = hit.chunk
    metadata = {
        "source": f"{chunk.project}/{chunk.path}",
        "page": None,
        "chunk_id": chunk.id,
        "timestamp": written.get((chunk.project, chunk.path)),
        "project": chunk.project,
        "path": chunk.path,
        "repo": chunk.repo,
        "commit": chunk.commit,
        "start_line": chunk.start_line or None,
        "end_line": chunk.end_line or None,
        "corpus": chunk.corpus,
        "chunk_kind": chunk.chunk_kind,
        "lang": chunk.lang,
        "symbol": chunk.symbol,
        "section": chunk.section,
        "routes": list(hit.routes),
    }
    return Document(chunk.id, chunk.text, metadata, score)


def graph_document(observation: GraphObservation, written: Written) -> Document:
    """What the graph says, with the lines that prove it; its id is a UUIDv5 of the text."""
    first = observation.locations[0] if observation.locations else None
    id_ = str(uuid.uuid5(uuid.NAMESPACE_URL, f"hybrid-retrieval:graph:{observation.content}"))
    metadata = {
        "source": f"{first.project}/{first.path}" if first else f"graph:{observation.engine}",
        "page": None,
        "chunk_id": id_,
        "timestamp": written.get((first.project, first.path)) if first else None,
        "project": first.project if first else None,
        "path": first.path if first else None,
        "start_line": first.start_line if first else None,
        "end_line": first.end_line if first else None,
        "observation_type": observation.observation_type,
        "hops": observation.hop_depth,
        "entities": [f"{entity.project}/{entity.name}" for entity in observation.entities],
        "relations": [
            {"source": one.source.name, "type": one.type, "target": one.target.name, "status": one.status}
            for one in observation.relationships
        ],
        "locations": [asdict(location) for location in observation.locations],
    }
    return Document(id_, observation.content, metadata, observation.confidence)
