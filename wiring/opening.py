"""From settings to the open parts of one data folder: its stores, its models, its projects' files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import anyio.to_thread

from configs import GraphSettings, HybridRetrievalConfig
from memory.embedders import DenseEmbedder, SparseEmbedder
from memory.errors import IndexLockedError, InvalidInputError
from memory.generation import DataFolder, Generation
from memory.graph import GraphStore
from memory.statements import StatementIndex, Statements
from memory.vector import EdgeVectorStore, VectorStore
from memory.vocabulary import Vocabulary, Words
from wiring.breaking import behind, breaker_of, opened_behind
from wiring.catalogue import Catalogue, ManifestCatalogue
from wiring.embedded_stores import check_place
from wiring.local_models import check_weights, open_sparse, picture_models, warm_cross_encoder, weights
from wiring.models import Models, dense_sources, embedder_source, models_at_hand
from wiring.stores import indexing_parts, open_graph_store, open_vector_store

if TYPE_CHECKING:
    from indexing import Indexer, IndexReport
    from memory.cluster import Cluster
    from memory.graph import Neo4jGraphStore
    from memory.rerankers import Reranker

_LEFT_OPEN: list[VectorStore] = []


def open_indexer(
    data_dir: Path,
    config: HybridRetrievalConfig,
    *,
    profile: str,
    embedder: DenseEmbedder | None = None,
    cluster: Cluster | None = None,
) -> Indexer:
    """The indexer of a data folder, which is made when it is missing.

    Args:
        profile: The name that the index remembers its settings by.
        embedder: What texts are embedded with, in place of the settings' model.
        cluster: Where files are read and texts embedded, in place of processes of this machine.

    Raises:
        DataFolderError, ModelError: The folder or a model can't be used.
    """
    from indexing import Indexer  # noqa: PLC0415 - parsers and grammars that a question does not need

    if embedder is None:
        docs, code = dense_sources(config.vector, config.hosted)
        fingerprints = weights(config.vector)
    else:
        docs = code = one = embedder_source(embedder)
        vector = replace(config.vector, dense_model=one.model, dense_code_model=None, dimension=one.dimension)
        config, fingerprints = replace(config, vector=vector), {}
    folder = DataFolder.open_or_create(data_dir)
    _check_vectors(config, folder, weighed=embedder is None)
    parts = indexing_parts(
        config.graph,
        docs,
        open_sparse(config.vector),
        vector=config.vector,
        code=code,
        pictures=picture_models(config.vector),
        weights=fingerprints,
        cluster=cluster,
    )
    return Indexer(folder, parts, config, profile=profile)


async def bring_up_to_date(
    data_dir: Path,
    config: HybridRetrievalConfig,
    projects: Collection[str],
    *,
    profile: str,
    holder: str,
    embedder: DenseEmbedder | None = None,
) -> IndexReport:
    """Index what has changed of these projects; the arguments are those of `open_indexer` and of its run.

    Raises:
        InvalidInputError: There are no projects.
        IndexLockedError: Another run has the data folder; whose it is the caller need not be allowed to know. A run
            raises more.
    """
    if not projects:
        raise InvalidInputError("No indexed project may be seen here.", "Index one, or allow one here.")
    from indexing import IndexRequest  # noqa: PLC0415 - parsers and grammars that a question does not need

    indexer = open_indexer(data_dir, config, profile=profile, embedder=embedder)
    try:
        return await indexer.run(IndexRequest(known=sorted(projects)), holder=holder)
    except IndexLockedError:
        raise IndexLockedError from None


def _check_vectors(config: HybridRetrievalConfig, folder: DataFolder, *, weighed: bool) -> None:
    """Raises DataFolderError for vectors elsewhere than the settings say, ModelError for those of other files."""
    if folder.has_index:
        with folder.reading() as current:
            check_place(config.vector, current.vectors_path)
            if weighed:
                check_weights(current.manifest, config.vector)


@asynccontextmanager
async def open_graph(
    data_dir: Path, settings: GraphSettings | None = None
) -> AsyncIterator[tuple[GraphStore, ManifestCatalogue]]:
    """The graph of the current generation and the projects that it holds."""
    folder = DataFolder.open(data_dir)
    with folder.reading() as generation:
        store = open_graph_store(settings or GraphSettings(), generation.graph_path, folder.namespace)
        try:
            yield store, ManifestCatalogue(generation.manifest, stored=generation.is_copy)
        finally:
            await store.close()


@dataclass(frozen=True, slots=True)
class Parts:
    """What questions are answered from, all of it open: stores, models, and the projects' folders. code: the embedder
    of code, where it is another than the documents'; sparse: where it is not to be made from the settings; statements:
    the relations in words; vocabulary: how rare words are; reranker: what has the last word on the order, where there
    is one.
    """

    catalogue: Catalogue
    vectors: VectorStore
    graph: GraphStore
    dense: DenseEmbedder
    code: DenseEmbedder | None = None
    sparse: SparseEmbedder | None = None
    statements: Statements | None = None
    vocabulary: Words | None = None
    reranker: Reranker | None = None

    @classmethod
    def of(
        cls,
        generation: Generation,
        vectors: VectorStore,
        graph: GraphStore,
        dense: DenseEmbedder,
        code: DenseEmbedder | None = None,
        sparse: SparseEmbedder | None = None,
        *,
        words_only: bool = False,
        reranker: Reranker | None = None,
    ) -> Parts:
        """A generation's, with its stores and models, which are open and stay the caller's."""
        stored = generation.is_copy
        folder = None if stored else _working_folder()
        catalogue = ManifestCatalogue(generation.manifest, folder, words_only=words_only, stored=stored)
        statements = StatementIndex(generation.statements.segment)
        vocabulary = Vocabulary(generation.vocabulary.project)
        return cls(catalogue, vectors, graph, dense, code, sparse, statements, vocabulary, reranker)


def _working_folder() -> Path | None:
    """Where the caller is; None where that folder was removed, as a server's may be."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None


@dataclass(frozen=True, slots=True)
class Provided:
    """Parts that the caller opened, in place of the settings' own. Stores and a reranker stay the caller's."""

    embedder: Models | DenseEmbedder | None = None
    vectors: VectorStore | None = None
    graph: GraphStore | None = None
    reranker: Reranker | None = None


@asynccontextmanager
async def open_parts(
    data_dir: Path,
    config: HybridRetrievalConfig,
    provided: Provided = Provided(),
    *,
    one_question: bool = False,
) -> AsyncIterator[Parts]:
    """The stores and the models of a data folder, open before the first question's clock starts and closed after the
    last.

    one_question: the process ends after it, which closes what it opened. Raises DataFolderError, StoreError and
    ModelError for what can't be opened.
    """
    async with AsyncExitStack() as stack:
        folder = DataFolder.open(data_dir)
        generation = stack.enter_context(folder.reading())
        models = Models.of(provided.embedder or models_at_hand(config.vector, config.hosted))
        of_settings = provided.embedder is None or isinstance(provided.embedder, Models)
        if of_settings:
            generation.manifest.check(config.vector.dense_models, config.vector.dimension)
        else:
            generation.manifest.check(models.docs.model, models.docs.dimension)
        generation.manifest.check_beside(config.vector.sparse_model)
        stack.push_async_callback(models.close)
        models.load_ahead()
        vectors, graph = await _open_stores(config, provided, generation, folder.namespace)
        if provided.graph is None:
            stack.push_async_callback(graph.close)
        if one_question and isinstance(vectors, EdgeVectorStore):
            _LEFT_OPEN.append(vectors)  # closing takes 0.15 s, since the engine syncs even what was not written
        elif provided.vectors is None:
            stack.push_async_callback(vectors.close)
        await models.warm_up()
        if of_settings:
            check_weights(generation.manifest, config.vector)
        sparse = open_sparse(config.vector)
        if (load := getattr(sparse, "load", None)) is not None:  # BM25 has nothing to load
            await anyio.to_thread.run_sync(load, abandon_on_cancel=True)
        yield Parts.of(
            generation,
            vectors,
            graph,
            models.docs,
            models.code,
            sparse,
            words_only=models.words_only,
            reranker=provided.reranker or models.reranker or await warm_cross_encoder(config.vector),
        )


async def _open_stores(
    config: HybridRetrievalConfig, provided: Provided, generation: Generation, namespace: str
) -> tuple[VectorStore, GraphStore]:
    with ThreadPoolExecutor(1) as beside:  # the graph loads without the interpreter's lock, the shard holds it
        opened = beside.submit(
            lambda: provided.graph or open_graph_store(config.graph, generation.graph_path, namespace)
        )
        opening = partial(open_vector_store, config.vector, generation.vectors_path, namespace)
        vectors = provided.vectors
        if vectors is None:
            vectors = await opened_behind(breaker_of(config.vector), opening)
        if provided.graph is not None:
            return vectors, provided.graph
        graph, breaker, within = opened.result(), breaker_of(config.graph), config.graph.neo4j.warm_up_ms
        if breaker is not None and not breaker.is_open and within:
            await cast("Neo4jGraphStore", graph).warm_up(within)  # not through its breaker: no question was asked yet
        return vectors, behind(breaker, graph)
