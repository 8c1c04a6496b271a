"""Evidence packs on a data folder: what `hybrid-retrieval evidence` and the ADK tool open (000)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agents.evidence import CataloguedProject, EvidenceCatalogue, EvidenceMemory, EvidenceParts, EvidenceRetriever
from agents.evidence.files import UnchangedFiles
from configs import HybridRetrievalConfig, load_config
from indexing.chunks.kinds import corpus_of, language_of
from memory.embedders import Bm25Sparse, DenseEmbedder, LocalDense
from memory.errors import ConfigError
from memory.files import ProjectFolder, WholeFiles
from memory.generation import DataFolder, Manifest
from memory.rerankers import Reranker
from memory.vector import VectorStore
from orchestrator.models import open_dense

__all__ = ["catalogue_of", "evidence_retriever", "open_evidence"]


@asynccontextmanager
async def open_evidence(
    data_dir: str | Path,
    profile: str = "embedded",
    config: HybridRetrievalConfig | None = None,
    *,
    dense: LocalDense | None = None,
    reranker: Reranker | None = None,
    memory: EvidenceMemory | None = None,
) -> AsyncIterator[EvidenceRetriever]:
    """A retriever on the current generation, its model loaded; closed at the end.

    dense: the embedder, where it is not to be made from the settings; memory: packs and query vectors that outlive this
    retriever. Raises DataFolderError, StoreError, ModelError and ConfigError.
    """
    config = config or load_config(profile, error=ConfigError)
    folder = DataFolder.open(Path(data_dir))
    with folder.reading() as generation:
        generation.manifest.check(config.vector.dense_model, config.vector.dimension)
        dense = dense or open_dense(config.vector)
        dense.load_ahead()
        store = await _open_store(config, generation.vectors_path, folder.namespace)
        try:
            await dense.warm_up()
            name = f"{folder.namespace}/{generation.number}"
            yield evidence_retriever(
                generation.manifest, name, store, dense, config, profile=profile, reranker=reranker, memory=memory
            )
        finally:
            await store.close()


def evidence_retriever(
    manifest: Manifest,
    generation: str,
    store: VectorStore,
    dense: DenseEmbedder,
    config: HybridRetrievalConfig,
    *,
    profile: str = "embedded",
    reranker: Reranker | None = None,
    memory: EvidenceMemory | None = None,
) -> EvidenceRetriever:
    """The retriever on a store and a model that are open; they stay the caller's. generation: its name in all keys."""
    folders = {record.name: ProjectFolder.of(record) for record in manifest.projects}
    read: dict[tuple[str, str], list[str]] = {}

    def files(permission: frozenset[str]) -> WholeFiles:
        return UnchangedFiles(folders, permission, read)

    parts = EvidenceParts(store, dense, dense, Bm25Sparse(), files, reranker)
    return EvidenceRetriever(parts, catalogue_of(manifest, generation), config.evidence, profile=profile, memory=memory)


def catalogue_of(manifest: Manifest, generation: str) -> EvidenceCatalogue:
    """The repositories and files that a generation holds."""
    projects = {
        record.name: CataloguedProject(
            record.repo or record.name, {file.path: corpus_of(language_of(file.path)) for file in record.files}
        )
        for record in manifest.projects
    }
    return EvidenceCatalogue(generation, projects)


async def _open_store(config: HybridRetrievalConfig, path: Path, namespace: str) -> VectorStore:
    if config.vector.store == "qdrant":
        from memory.vector import QdrantVectorStore  # noqa: PLC0415 - its client takes a second to import

        vectors = dict.fromkeys(("dense_docs", "dense_code"), config.vector.dimension)
        return await QdrantVectorStore.open(config.vector.qdrant, vectors=vectors, namespace=namespace)
    from memory.vector import EdgeVectorStore  # noqa: PLC0415 - only where it is the store

    return EdgeVectorStore.open(path, namespace=namespace)
