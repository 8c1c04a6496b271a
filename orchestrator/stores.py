"""Which engines hold a generation: Qdrant Edge for the vectors; for the graph kglite in its folder, or a Neo4j server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from configs.settings import GraphSettings
from memory.graph import GraphStore, KgliteGraphStore
from memory.vector import EdgeVectorStore, VectorStore

if TYPE_CHECKING:
    from indexing import IndexingParts
    from indexing.images import PictureModels
    from memory.embedders import DenseSource, SparseEmbedder
    from orchestrator.neo4j_stores import Neo4jStores

__all__ = ["EmbeddedStores", "indexing_parts", "open_graph_store"]


class EmbeddedStores:
    """Qdrant Edge and kglite at a generation's paths."""

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        """The shard, created where it is new."""
        if copied:
            return EdgeVectorStore.open(path, namespace=namespace)
        return EdgeVectorStore.create(path, vectors=vectors, namespace=namespace)

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        """The graph's file, created where it is new."""
        there = copied and Path(path).exists()  # the copy may be of a generation whose graph is on a server
        return (KgliteGraphStore.open if there else KgliteGraphStore.create)(path, namespace=namespace)


def indexing_parts(
    settings: GraphSettings,
    dense: DenseSource,
    sparse: SparseEmbedder,
    *,
    code: DenseSource | None = None,
    pictures: PictureModels | None = None,
) -> IndexingParts:
    """What an indexer works with, by `graph.store`. code: of code chunks, where it is another than the documents'; pictures:
    None leaves them out.
    """
    from indexing import IndexingParts  # noqa: PLC0415 - parsers and grammars that a question does not need

    if settings.store == "neo4j":
        stores = _on_server(settings)
        return IndexingParts(stores, dense, sparse, stores, code=code, pictures=pictures)
    return IndexingParts(EmbeddedStores(), dense, sparse, code=code, pictures=pictures)


def open_graph_store(settings: GraphSettings, path: Path, namespace: str) -> GraphStore:
    """The graph of a published generation, by `graph.store`. Raises StoreError."""
    if settings.store == "neo4j":
        return _on_server(settings).open_published(path)
    return KgliteGraphStore.open(path, namespace=namespace)


def _on_server(settings: GraphSettings) -> Neo4jStores:
    from orchestrator.neo4j_stores import Neo4jStores  # noqa: PLC0415 - the embedded engines do without it

    return Neo4jStores(settings, password=os.environ.get(settings.neo4j.password_env))
