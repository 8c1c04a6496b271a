"""From settings to the real parts: stores, models, agents, on one data folder (design §5, §11)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import anyio.to_thread

from agents import GraphRetrievalAgent, HybridSearch, LocalRetrievalAgent, VectorRetrievalAgent
from configs import GraphSettings, HybridRetrievalConfig, load_config
from memory.embedders import DenseEmbedder, SparseEmbedder
from memory.errors import ConfigError
from memory.files import ChunkedFiles, CurrentFiles, ProjectFolder, WholeFiles
from memory.generation import DataFolder, Generation, Manifest
from memory.graph import GraphStore
from memory.statements import StatementIndex, Statements
from memory.vector import EdgeVectorStore, VectorStore
from memory.vocabulary import Vocabulary, Words
from orchestrator.door import Catalogue
from orchestrator.hybrid import HybridRetrievalOrchestrator
from orchestrator.language_models import open_synthesis
from orchestrator.local_models import open_sparse, picture_models
from orchestrator.models import Models, OpenableDense, dense_sources, open_models
from orchestrator.stores import EmbeddedStores, check_place, indexing_parts, open_graph_store, open_vector_store
from orchestrator.weights import check_weights, weights

if TYPE_CHECKING:
    from indexing import Indexer

__all__ = [
    "EmbeddedStores",
    "FiledCatalogue",
    "ManifestCatalogue",
    "Parts",
    "open_graph",
    "open_indexer",
    "open_orchestrator",
    "open_parts",
    "put_together",
]

_LEFT_OPEN: list[VectorStore] = []


class ManifestCatalogue:
    """The indexed projects of one generation, as the door asks for them.

    folder: where the caller stands. `folders` is each project's files on disk, with what was indexed of them.
    """

    def __init__(self, manifest: Manifest, folder: Path | None = None) -> None:
        self.manifest = manifest
        self.folder = folder
        self._awaiting = manifest.awaiting
        self.folders = {record.name: ProjectFolder.of(record) for record in manifest.projects}

    def projects(self) -> frozenset[str]:
        """The names of all indexed projects."""
        return self.manifest.names

    def has_changed(self, project: str, path: str) -> bool:
        """Whether the file on disk differs from what was indexed; one that is not indexed has."""
        folder = self.folders.get(project)
        return folder is None or folder.has_changed(path)

    def embedded_share(self, projects: Collection[str]) -> float:
        """The share (0..1) of these projects' chunks that have their dense vector."""
        return self.manifest.embedded_share(projects) if self._awaiting else 1.0

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """For each of these the commit that was indexed and the one that is checked out now."""
        from indexing import read_commit  # noqa: PLC0415 - a look at the disk that only metrics need

        records = [record for name in projects if (record := self.manifest.project(name)) is not None]
        return {
            record.name: {
                "indexed": record.commit,
                "head": record.commit if record.distribution else read_commit(Path(record.root)),
            }
            for record in records
        }

    def in_hand(self, visible: frozenset[str]) -> str | None:
        """The project of these that the caller's folder is or lies in; the innermost."""
        records = [one for one in self.manifest.projects if one.name in visible and not one.distribution]
        inside = [record for record in records if self.folder is not None and self.folder.is_relative_to(record.root)]
        return max(inside, key=lambda record: len(record.root)).name if inside else None


def open_indexer(data_dir: Path, config: HybridRetrievalConfig, *, profile: str) -> Indexer:
    """The indexer of a data folder, which is made when it is missing. Raises DataFolderError and ModelError."""
    from indexing import Indexer  # noqa: PLC0415 - parsers and grammars that a question does not need

    docs, code = dense_sources(config.vector, config.hosted)
    folder = DataFolder.open_or_create(data_dir)
    _check_vectors(config, folder)
    parts = indexing_parts(
        config.graph,
        docs,
        open_sparse(config.vector),
        vector=config.vector,
        code=code,
        pictures=picture_models(config.vector),
        weights=weights(config.vector),
    )
    return Indexer(folder, parts, config, profile=profile)


def _check_vectors(config: HybridRetrievalConfig, folder: DataFolder) -> None:
    """Raises DataFolderError where the index has its vectors elsewhere than the settings say, ModelError where they were made
    with other files.
    """
    if folder.has_index:
        with folder.reading() as current:
            check_place(config.vector, current.vectors_path)
            check_weights(current.manifest, config.vector)


@asynccontextmanager
async def _open_generation(data_dir: Path) -> AsyncIterator[tuple[DataFolder, Generation]]:
    folder = DataFolder.open(data_dir)
    with folder.reading() as generation:
        yield folder, generation


@asynccontextmanager
async def open_graph(
    data_dir: Path, settings: GraphSettings | None = None
) -> AsyncIterator[tuple[GraphStore, frozenset[str]]]:
    """The graph of the current generation and the projects it holds."""
    async with _open_generation(data_dir) as (folder, generation):
        store = open_graph_store(settings or GraphSettings(), generation.graph_path, folder.namespace)
        try:
            yield store, generation.manifest.names
        finally:
            await store.close()


class FiledCatalogue(Catalogue, Protocol):
    """One that also knows where the projects' files are."""

    @property
    def folders(self) -> Mapping[str, ProjectFolder]:
        """By project."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What questions are answered from, all of it open: stores, models, and the projects' folders. code: the embedder of
    code, where it is another than the documents'; sparse: where it is not to be made from the settings; statements: the
    relations in words; vocabulary: how rare words are.
    """

    catalogue: FiledCatalogue
    vectors: VectorStore
    graph: GraphStore
    dense: DenseEmbedder
    code: DenseEmbedder | None = None
    sparse: SparseEmbedder | None = None
    statements: Statements | None = None
    vocabulary: Words | None = None


@asynccontextmanager
async def open_orchestrator(
    data_dir: str | Path,
    profile: str = "embedded",
    config: HybridRetrievalConfig | None = None,
    *,
    dense: Models | OpenableDense | None = None,
    one_question: bool = False,
    **options: Any,
) -> AsyncIterator[HybridRetrievalOrchestrator]:
    """Everything open before the first question's clock starts, everything closed after the last.

    dense: the embedder, where it is not to be made from the settings. one_question: the process ends after it, which
    closes what it opened. Raises DataFolderError, StoreError and ModelError.
    """
    config = config or load_config(profile, error=ConfigError)
    opened = open_parts(Path(data_dir), config, dense=dense, one_question=one_question)
    async with opened as parts, put_together(parts, config, **options) as orchestrator:
        yield orchestrator


@asynccontextmanager
async def open_parts(
    data_dir: Path,
    config: HybridRetrievalConfig,
    *,
    dense: Models | OpenableDense | None = None,
    one_question: bool = False,
) -> AsyncIterator[Parts]:
    """The stores and the model of a data folder, as `open_orchestrator` puts them together; raises what it raises."""
    async with AsyncExitStack() as stack:
        folder, generation = await stack.enter_async_context(_open_generation(data_dir))
        generation.manifest.check(config.vector.dense_models, config.vector.dimension)
        generation.manifest.check_beside(config.vector.sparse_model)
        models = Models.of(dense or open_models(config.vector, config.hosted))
        stack.push_async_callback(models.close)
        models.load_ahead()
        with ThreadPoolExecutor(1) as beside:  # the graph loads without the interpreter's lock, the shard holds it
            opened = beside.submit(open_graph_store, config.graph, generation.graph_path, folder.namespace)
            vectors = await open_vector_store(config.vector, generation.vectors_path, folder.namespace)
            graph = opened.result()
        stack.push_async_callback(graph.close)
        if one_question and isinstance(vectors, EdgeVectorStore):
            _LEFT_OPEN.append(vectors)  # closing takes 0.15 s, since the engine syncs even what nobody wrote
        else:
            stack.push_async_callback(vectors.close)
        await models.warm_up()
        check_weights(generation.manifest, config.vector)
        sparse = open_sparse(config.vector)
        if (load := getattr(sparse, "load", None)) is not None:  # BM25 has nothing to load
            await anyio.to_thread.run_sync(load, abandon_on_cancel=True)
        catalogue = ManifestCatalogue(generation.manifest, Path.cwd())
        statements = StatementIndex(generation.statements.segment)
        vocabulary = Vocabulary(generation.vocabulary.project)
        yield Parts(catalogue, vectors, graph, models.docs, models.code, sparse, statements, vocabulary)


def assembled(
    generation: Generation,
    vectors: VectorStore,
    graph: GraphStore,
    dense: DenseEmbedder,
    config: HybridRetrievalConfig,
    **options: Any,
) -> HybridRetrievalOrchestrator:
    """The orchestrator on a generation whose stores, and a model, that are open; they stay the caller's."""
    catalogue = ManifestCatalogue(generation.manifest, Path.cwd())
    statements = StatementIndex(generation.statements.segment)
    vocabulary = Vocabulary(generation.vocabulary.project)
    parts = Parts(catalogue, vectors, graph, dense, statements=statements, vocabulary=vocabulary)
    return put_together(parts, config, **options)


def put_together(
    parts: Parts,
    config: HybridRetrievalConfig,
    *,
    around: Callable[[str, Any], Any] = lambda _, agent: agent,
    **options: Any,
) -> HybridRetrievalOrchestrator:
    """The orchestrator on these parts, which stay the caller's. around: what to ask in an agent's place, by its id."""
    vectors, catalogue = parts.vectors, parts.catalogue
    folders = catalogue.folders
    read: dict[tuple[str, str], list[str] | None] = {}

    def files(permission: frozenset[str]) -> WholeFiles:
        return CurrentFiles(ChunkedFiles(vectors, permission, read), folders, permission)

    search = HybridSearch(
        vectors,
        parts.dense,
        parts.sparse or open_sparse(config.vector),
        config.vector,
        code=parts.code,
        statements=parts.statements,
        vocabulary=parts.vocabulary,
        embedded=catalogue.embedded_share,
        has_file=partial(_has_file, folders),
    )
    agents = _agents(config, parts.graph, search, folders, files)
    if "synthesis" not in options:
        options["synthesis"] = open_synthesis(config.synthesis)
    return HybridRetrievalOrchestrator(
        config=config,
        catalogue=catalogue,
        files=files,
        graph_in_process=parts.graph.engine == "kglite",
        unknown=search.unknown_words,
        **{name: around(name, agent) for name, agent in agents.items()},
        **options,
    )


def _has_file(folders: Mapping[str, ProjectFolder], name: str, projects: frozenset[str]) -> bool:
    """Whether a file of these projects is called so, or ends so with its folders."""
    sought = f"/{name.casefold()}"
    return any(
        f"/{path[-len(name) - 1 :]}".casefold().endswith(sought)
        for project in sorted(projects)  # in one order: a recording holds what was asked
        if project in folders
        for path in folders[project].paths
    )


def _agents(
    config: HybridRetrievalConfig,
    graph: GraphStore,
    search: HybridSearch,
    folders: Mapping[str, ProjectFolder],
    files: Callable[[frozenset[str]], WholeFiles],
) -> dict[str, Any]:
    most = config.max_observations_per_agent
    return {
        "local": LocalRetrievalAgent(search, folders, max_observations=most, floor=config.ranking.confidence_floor),
        "graph": GraphRetrievalAgent(
            graph, config.graph, config.scope, max_observations=most, statements=search.statements
        ),
        "vector": VectorRetrievalAgent(
            search,
            files,
            strength=config.scope.strength,
            max_observations=most,
            max_per_file=config.max_per_file,
            context_lines=config.vector.context_lines,
        ),
    }
