"""Which engines hold a generation: Qdrant Edge or kglite in its folder, a Qdrant or a Neo4j server."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from configs.settings import GraphSettings, VectorSettings
from memory.graph import GraphStore, KgliteGraphStore
from memory.imports import brought_by
from memory.vector import EdgeVectorStore, VectorStore
from wiring.embedded_stores import EmbeddedStores, check_place

if TYPE_CHECKING:
    from indexing import IndexingParts
    from indexing.images import PictureModels
    from indexing.ports import StageStores
    from memory.cluster import Cluster
    from memory.embedders import DenseSource, SparseEmbedder
    from wiring.neo4j_stores import Neo4jStores
    from wiring.qdrant_stores import QdrantStores


def indexing_parts(
    settings: GraphSettings,
    dense: DenseSource,
    sparse: SparseEmbedder,
    *,
    vector: VectorSettings | None = None,
    code: DenseSource | None = None,
    pictures: PictureModels | None = None,
    weights: Mapping[str, str] | None = None,
    cluster: Cluster | None = None,
) -> IndexingParts:
    """What an indexer works with, by `graph.store` and `vector.store`, which is `edge` without `vector`. code: of code
    chunks, where it is another than the documents'; pictures: None leaves them out; weights: the fingerprints of the
    models' files; cluster: reads, embeds, and writes the points of a server.
    """
    from indexing import IndexingParts  # noqa: PLC0415 - parsers and grammars that a question does not need

    stores: StageStores = EmbeddedStores()
    if settings.store == "neo4j":
        stores = _on_neo4j(settings)
    if vector is not None and vector.store == "qdrant":
        stores = _on_qdrant(vector, stores, cluster)
    parts = IndexingParts(stores, dense, sparse, code=code, pictures=pictures, weights=weights or {})
    return parts if cluster is None else on_cluster(parts, cluster)


def on_cluster(parts: IndexingParts, cluster: Cluster) -> IndexingParts:
    """The same with a cluster that reads files and embeds texts, in place of processes of this machine."""
    from indexing.isolation.cluster_readers import ClusterReaders  # noqa: PLC0415 - only for who has one
    from memory.embedders.cluster_workers import ClusterWorkers  # noqa: PLC0415 - the same

    return replace(
        parts,
        readers=lambda settings: ClusterReaders(settings, cluster),
        workers=lambda _count: ClusterWorkers(cluster),
        call=cluster.call,
    )


def open_graph_store(settings: GraphSettings, path: Path, namespace: str) -> GraphStore:
    """The graph of a published generation, by `graph.store`. Raises StoreError."""
    if settings.store == "neo4j":
        return _on_neo4j(settings).open_published(path)
    return KgliteGraphStore.open(path, namespace=namespace, timeout_ms=settings.query_timeout_ms)


async def open_vector_store(settings: VectorSettings, path: Path, namespace: str) -> VectorStore:
    """The vectors of a published generation, by `vector.store`. Raises DataFolderError and StoreError."""
    check_place(settings, path)
    if settings.store == "qdrant":
        return await _on_qdrant(settings, EmbeddedStores()).open_published(path, namespace)
    return EdgeVectorStore.read(path, namespace=namespace)


def _on_neo4j(settings: GraphSettings) -> Neo4jStores:
    from wiring.neo4j_stores import Neo4jStores  # noqa: PLC0415 - the embedded engines do without it

    return Neo4jStores(settings, password=os.environ.get(settings.neo4j.password_env))


def _on_qdrant(settings: VectorSettings, stores: StageStores, cluster: Cluster | None = None) -> QdrantStores:
    with brought_by("qdrant", "An index on a Qdrant server"):
        from wiring.qdrant_stores import QdrantStores  # noqa: PLC0415 - the embedded engine does without it

    return QdrantStores(settings, stores, cluster)
