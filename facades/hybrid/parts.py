"""What a `HybridRetriever` works with, and how it is opened from a data folder (003)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from agents import GraphRetrievalAgent
from agents.ports import GraphAgent
from configs import HybridRetrievalConfig
from memory.embedders import DenseEmbedder, ImageEmbedder, LocalDense, SparseEmbedder
from memory.generation import Manifest
from memory.rerankers import Reranker
from memory.vector import VectorStore
from wiring.catalogue import ManifestCatalogue
from wiring.local_models import image_text_source, open_images, open_sparse
from wiring.models import Models, OpenableDense, open_models
from wiring.opening import Provided, open_parts

__all__ = ["RetrieverParts", "open_retriever_parts"]


@dataclass(frozen=True, slots=True)
class RetrieverParts:
    """Stores and models that are open. docs and code may be one embedder; image_texts: questions in the pictures'
    space.

    projects: all that is indexed; written: when a file that was indexed was last changed, by project and path.
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
        yield RetrieverParts(
            store=parts.vectors,
            projects=manifest.names,
            docs=parts.dense,
            code=parts.code or parts.dense,
            sparse=parts.sparse or open_sparse(vector),
            graph=GraphRetrievalAgent(
                parts.graph, config.graph, config.scope, max_observations=config.max_observations_per_agent
            ),
            reranker=parts.reranker,
            images=images,
            image_texts=image_texts,
            written=_written(manifest),
        )


def _written(manifest: Manifest) -> dict[tuple[str, str], str]:
    return {
        (project.name, file.path): datetime.fromtimestamp(file.mtime_ns // 10**9, UTC).isoformat()
        for project in manifest.projects
        for file in project.files
    }
