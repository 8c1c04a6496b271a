"""Evidence packs on a data folder: what `hybrid-retrieval evidence` and the ADK tool open (000)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from agents import HybridSearch
from agents.evidence import CataloguedProject, EvidenceCatalogue, EvidenceMemory, EvidenceParts, EvidenceRetriever
from agents.evidence.catalogue import UnchangedFiles
from agents.evidence.representations import CachedQueries
from configs import HybridRetrievalConfig, load_config
from configs.settings import QdrantSettings
from extraction.kinds import corpus_of, language_of
from memory.embedders import DenseEmbedder, SparseEmbedder, WordsOnly
from memory.errors import ConfigError
from memory.files import ChunkedFiles, WholeFiles
from memory.generation import DataFolder, Manifest
from memory.imports import brought_by
from memory.rerankers import Reranker
from memory.statements import StatementIndex, Statements
from memory.vector import VectorStore
from memory.vocabulary import Vocabulary, Words
from wiring.breaking import breaker_of, opened_behind
from wiring.catalogue import ManifestCatalogue
from wiring.local_models import check_weights, open_sparse, warm_cross_encoder
from wiring.models import Models, OpenableDense, models_at_hand
from wiring.stores import open_vector_store


@asynccontextmanager
async def open_evidence(
    data_dir: str | Path,
    profile: str = "embedded",
    config: HybridRetrievalConfig | None = None,
    *,
    dense: Models | OpenableDense | None = None,
    memory: EvidenceMemory | None = None,
) -> AsyncIterator[EvidenceRetriever]:
    """A retriever on the current generation, its model loaded; closed at the end.

    dense: the embedder or the models, where they are not to be made from the settings; memory: packs and query vectors
    that outlive this retriever. Raises DataFolderError, StoreError, ModelError and ConfigError.
    """
    config = config or load_config(profile, error=ConfigError)
    folder = DataFolder.open(Path(data_dir))
    with folder.reading() as generation:
        generation.manifest.check(config.vector.dense_models, config.vector.dimension)
        generation.manifest.check_beside(config.vector.sparse_model)
        models = Models.of(dense or models_at_hand(config.vector, config.hosted))
        models.load_ahead()
        foreign = config.vector.store == "qdrant" and not generation.vectors_path.is_file()
        if foreign:  # has none of the fields that files are ranked by
            config = replace(config, evidence=replace(config.evidence, search="fused"))
        store = await _open_store(config, generation.vectors_path, folder.namespace, foreign=foreign)
        try:
            await models.warm_up()
            check_weights(generation.manifest, config.vector)
            yield evidence_retriever(
                generation.manifest,
                f"{folder.namespace}/{generation.number}",
                store,
                models.docs,
                config,
                code=models.code,
                profile=profile,
                reranker=models.reranker or await warm_cross_encoder(config.vector),
                memory=memory,
                statements=StatementIndex(generation.statements.segment),
                vocabulary=Vocabulary(generation.vocabulary.project),
                stored=generation.is_copy,
                foreign=foreign,
            )
        finally:
            await store.close()
            await models.close()


def evidence_retriever(
    manifest: Manifest,
    generation: str,
    store: VectorStore,
    dense: DenseEmbedder,
    config: HybridRetrievalConfig,
    *,
    code: DenseEmbedder | None = None,
    sparse: SparseEmbedder | None = None,
    profile: str = "embedded",
    reranker: Reranker | None = None,
    memory: EvidenceMemory | None = None,
    statements: Statements | None = None,
    vocabulary: Words | None = None,
    stored: bool = False,
    foreign: bool = False,
) -> EvidenceRetriever:
    """The retriever on a store and models that are open; they stay the caller's. generation: its name in all keys;
    code: the embedder of code, where it is another than the documents'; sparse: of words, else that of the settings;
    statements: the relations in words; vocabulary: how rare words are; stored: the projects' folders are on another
    machine; foreign: others write to the store.
    """
    words_only = isinstance(dense, WordsOnly)
    catalogue = ManifestCatalogue(manifest, words_only=words_only, stored=stored)
    read: dict[tuple[str, str], list[str]] = {}
    stored_files: dict[tuple[str, str], list[str] | None] = {}

    def files(permission: frozenset[str]) -> WholeFiles:
        if stored:
            return ChunkedFiles(store, permission, stored_files)
        return UnchangedFiles(catalogue.folders, permission, read)

    sparse = sparse or open_sparse(config.vector)
    memory = memory or EvidenceMemory.of(config.evidence)
    timeout_s = config.evidence.embedding_timeout_ms / 1000
    search = HybridSearch(
        store,
        dense if words_only else CachedQueries(dense, memory.queries, profile, timeout_s),
        sparse,
        config.vector,
        code=None if code is None or code is dense else CachedQueries(code, memory.queries, profile, timeout_s),
        statements=statements,
        vocabulary=vocabulary,
        embedded=catalogue.embedded_share,
        sparse_timeout_s=timeout_s,
    )

    parts = EvidenceParts(store, dense, code or dense, sparse, files, reranker, search, catalogue.folders, foreign)
    return EvidenceRetriever(
        parts,
        _catalogue_of(manifest, generation, config.vector.qdrant, foreign=foreign),
        config.evidence,
        profile=profile,
        memory=memory,
    )


def _catalogue_of(manifest: Manifest, generation: str, server: QdrantSettings, *, foreign: bool) -> EvidenceCatalogue:
    """The repositories and files that a generation holds; what is in a collection that others filled is not known."""
    if foreign:
        has_symbols = server.payload.get("symbol", "symbol") is not None
        return EvidenceCatalogue(generation, dict.fromkeys(manifest.names, CataloguedProject("")), has_symbols)
    projects = {
        record.name: CataloguedProject(
            record.repo or record.name, {file.path: corpus_of(language_of(file.path)) for file in record.files}
        )
        for record in manifest.projects
    }
    return EvidenceCatalogue(generation, projects)


async def _open_store(config: HybridRetrievalConfig, path: Path, namespace: str, *, foreign: bool) -> VectorStore:
    """Foreign: of an index in the data folder, with the settings of a server, the collection that others filled."""
    if foreign:
        with brought_by("qdrant", "An index on a Qdrant server"):
            from memory.vector import QdrantVectorStore  # noqa: PLC0415 - its client takes a second to import

        vectors = dict.fromkeys(("dense_docs", "dense_code"), config.vector.dimension)
        return await QdrantVectorStore.open(config.vector.qdrant, vectors=vectors, namespace=namespace)
    return await opened_behind(breaker_of(config.vector), partial(open_vector_store, config.vector, path, namespace))
