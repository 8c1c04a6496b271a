"""From settings to the real parts: stores, models, agents, on one data folder (design §5, §11)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import GraphRetrievalAgent, HybridSearch, LocalRetrievalAgent, VectorRetrievalAgent
from configs import GraphSettings, HybridRetrievalConfig, load_config
from memory.embedders import Bm25Sparse, DenseEmbedder, LocalDense
from memory.errors import ConfigError
from memory.files import ChunkedFiles, CurrentFiles, ProjectFolder, WholeFiles
from memory.generation import DataFolder, Generation, Manifest
from memory.graph import GraphStore
from memory.vector import EdgeVectorStore, VectorStore
from orchestrator.hybrid import HybridRetrievalOrchestrator
from orchestrator.models import dense_source, open_dense
from orchestrator.stores import EmbeddedStores, indexing_parts, open_graph_store

if TYPE_CHECKING:
    from indexing import Indexer

__all__ = ["EmbeddedStores", "ManifestCatalogue", "open_graph", "open_indexer", "open_orchestrator"]

_LEFT_OPEN: list[VectorStore] = []


class ManifestCatalogue:
    """The indexed projects of one generation, as the door asks for them.

    folder: where the caller stands. `folders` is each project's files on disk, with what was indexed of them.
    """

    def __init__(self, manifest: Manifest, folder: Path | None = None) -> None:
        self.manifest = manifest
        self.folder = folder
        self.folders = {record.name: ProjectFolder.of(record) for record in manifest.projects}

    def projects(self) -> frozenset[str]:
        """The names of all indexed projects."""
        return self.manifest.names

    def has_changed(self, project: str, path: str) -> bool:
        """Whether the file on disk differs from what was indexed; one that is not indexed has."""
        folder = self.folders.get(project)
        return folder is None or folder.has_changed(path)

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """For each of these the commit that was indexed and the one that is checked out now."""
        from indexing import read_repository  # noqa: PLC0415 - a look at the disk that only metrics need

        records = [record for name in projects if (record := self.manifest.project(name)) is not None]
        return {
            record.name: {"indexed": record.commit, "head": read_repository(Path(record.root)).commit}
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

    _check_vectors(config)
    folder = DataFolder.open_or_create(data_dir)
    parts = indexing_parts(config.graph, dense_source(config.vector), Bm25Sparse())
    return Indexer(folder, parts, config, profile=profile)


def _check_vectors(config: HybridRetrievalConfig) -> None:
    """Raises ConfigError for a store that no index can be written to yet: a question to it would be one to another."""
    if config.vector.store != "edge":
        raise ConfigError(
            "vector.store",
            "the settings",
            f"indexing and questions need the embedded store, not {config.vector.store!r}, which only evidence packs read.",
            "Leave it at edge; docs/qdrant.md says what a Qdrant server is for today.",
        )


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


@asynccontextmanager
async def open_orchestrator(
    data_dir: str | Path,
    profile: str = "embedded",
    config: HybridRetrievalConfig | None = None,
    *,
    dense: LocalDense | None = None,
    one_question: bool = False,
    **options: Any,
) -> AsyncIterator[HybridRetrievalOrchestrator]:
    """Everything open before the first question's clock starts, everything closed after the last.

    dense: the embedder, where it is not to be made from the settings. one_question: the process ends after it, which
    closes what it opened. Raises DataFolderError, StoreError and ModelError.
    """
    config = config or load_config(profile, error=ConfigError)
    _check_vectors(config)
    async with AsyncExitStack() as stack:
        folder, generation = await stack.enter_async_context(_open_generation(Path(data_dir)))
        generation.manifest.check(config.vector.dense_model, config.vector.dimension)
        dense = dense or open_dense(config.vector)
        dense.load_ahead()
        with ThreadPoolExecutor(1) as beside:  # the graph loads without the interpreter's lock, the shard holds it
            opened = beside.submit(open_graph_store, config.graph, generation.graph_path, folder.namespace)
            vectors = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
            graph = opened.result()
        stack.push_async_callback(graph.close)
        if one_question:
            _LEFT_OPEN.append(vectors)  # closing takes 0.15 s, since the engine syncs even what nobody wrote
        else:
            stack.push_async_callback(vectors.close)
        await dense.warm_up()
        yield await stack.enter_async_context(assembled(generation.manifest, vectors, graph, dense, config, **options))


def assembled(
    manifest: Manifest,
    vectors: VectorStore,
    graph: GraphStore,
    dense: DenseEmbedder,
    config: HybridRetrievalConfig,
    **options: Any,
) -> HybridRetrievalOrchestrator:
    """The orchestrator on stores and a model that are open, on what the manifest says they hold; they stay the caller's."""
    catalogue = ManifestCatalogue(manifest, Path.cwd())
    folders = catalogue.folders
    read: dict[tuple[str, str], list[str] | None] = {}

    def files(permission: frozenset[str]) -> WholeFiles:
        return CurrentFiles(ChunkedFiles(vectors, permission, read), folders, permission)

    search = HybridSearch(vectors, dense, Bm25Sparse(), config.vector)
    parts = _agents(config, graph, search, folders, files)
    return HybridRetrievalOrchestrator(
        config=config, catalogue=catalogue, files=files, graph_in_process=graph.engine == "kglite", **parts, **options
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
            graph, config.graph, config.scope, max_observations=most, max_files=config.vector.evidence_files
        ),
        "vector": VectorRetrievalAgent(
            search,
            files,
            strength=config.scope.strength,
            max_observations=most,
            max_per_file=config.max_per_file,
            context_lines=config.vector.context_lines,
        ),
        "knows": search.known_terms,
    }
