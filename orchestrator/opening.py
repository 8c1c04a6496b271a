"""From settings to the real parts: stores, models, agents, on one data folder (design §5, §11)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import GraphRetrievalAgent, HybridSearch, LocalRetrievalAgent, VectorRetrievalAgent
from configs import HybridRetrievalConfig, load_config
from memory.embedders import Bm25Sparse, DenseEmbedder, LocalDense
from memory.errors import ConfigError
from memory.files import ChunkedFiles, CurrentFiles, ProjectFolder, WholeFiles, is_stale
from memory.generation import DataFolder, Generation, Manifest
from memory.graph import GraphStore, KgliteGraphStore
from memory.vector import EdgeVectorStore, VectorStore
from orchestrator.hybrid import HybridRetrievalOrchestrator
from orchestrator.models import dense_source, open_dense

if TYPE_CHECKING:
    from indexing import Indexer

__all__ = ["ManifestCatalogue", "open_graph", "open_indexer", "open_orchestrator"]

_LEFT_OPEN: list[VectorStore] = []


@dataclass(frozen=True, slots=True)
class ManifestCatalogue:
    """The indexed projects of one generation, as the door asks for them; `folder` is where the caller stands."""

    manifest: Manifest
    folder: Path | None = None

    def projects(self) -> frozenset[str]:
        """The names of all indexed projects."""
        return self.manifest.names

    def has_changed(self, project: str, path: str) -> bool:
        """Whether the file on disk differs from what was indexed; one that is not indexed has."""
        record = self.manifest.project(project)
        known = next((file for file in record.files if file.path == path), None) if record else None
        return record is None or known is None or is_stale(Path(record.root), path, known.hash)

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """For each of these the commit that was indexed and the one that is checked out now."""
        from indexing import read_repository  # noqa: PLC0415 - a look at the disk that only metrics need

        records = [record for name in projects if (record := self.manifest.project(name)) is not None]
        return {
            record.name: {"indexed": record.commit, "head": read_repository(Path(record.root)).commit}
            for record in records
        }

    def in_hand(self) -> str | None:
        """The indexed project that the caller's folder is or lies in; the innermost."""
        records = [record for record in self.manifest.projects if not record.distribution]
        inside = [record for record in records if self.folder is not None and self.folder.is_relative_to(record.root)]
        return max(inside, key=lambda record: len(record.root)).name if inside else None

    def folders(self) -> dict[str, ProjectFolder]:
        """Each project's files on disk, with what was indexed of them."""
        return {
            record.name: ProjectFolder(Path(record.root), {file.path: file.hash for file in record.files})
            for record in self.manifest.projects
        }


class EmbeddedStores:
    """Qdrant Edge and kglite at a generation's paths."""

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        """The shard, created where it is new."""
        if copied:
            return EdgeVectorStore.open(path, namespace=namespace)
        return EdgeVectorStore.create(path, vectors=vectors, namespace=namespace)

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        """The graph's file, created where it is new."""
        return (KgliteGraphStore.open if copied else KgliteGraphStore.create)(path, namespace=namespace)


def open_indexer(data_dir: Path, config: HybridRetrievalConfig, *, profile: str) -> Indexer:
    """The indexer of a data folder, which is made when it is missing. Raises DataFolderError and ModelError."""
    from indexing import Indexer, IndexingParts  # noqa: PLC0415 - parsers and grammars that a question does not need

    folder = DataFolder.open_or_create(data_dir)
    parts = IndexingParts(EmbeddedStores(), dense_source(config.vector), Bm25Sparse())
    return Indexer(folder, parts, config, profile=profile)


@asynccontextmanager
async def _open_generation(data_dir: Path) -> AsyncIterator[tuple[DataFolder, Generation]]:
    folder = DataFolder.open(data_dir)
    with folder.reading() as generation:
        yield folder, generation


@asynccontextmanager
async def open_graph(data_dir: Path) -> AsyncIterator[tuple[GraphStore, frozenset[str]]]:
    """The graph of the current generation and the projects it holds."""
    async with _open_generation(data_dir) as (folder, generation):
        store = KgliteGraphStore.open(generation.graph_path, namespace=folder.namespace)
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
    async with AsyncExitStack() as stack:
        folder, generation = await stack.enter_async_context(_open_generation(Path(data_dir)))
        generation.manifest.check(config.vector.dense_model, config.vector.dimension)
        dense = dense or open_dense(config.vector)
        dense.load_ahead()
        graph = KgliteGraphStore.open(generation.graph_path, namespace=folder.namespace)
        stack.push_async_callback(graph.close)
        vectors = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
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
    folders = catalogue.folders()
    read: dict[tuple[str, str], list[str] | None] = {}

    def files(permission: frozenset[str]) -> WholeFiles:
        return CurrentFiles(ChunkedFiles(vectors, permission, read), folders, permission)

    search = HybridSearch(vectors, dense, Bm25Sparse(), config.vector)
    parts = _agents(config, graph, search, folders, files)
    return HybridRetrievalOrchestrator(
        config=config, catalogue=catalogue, files=files, graph_in_process=True, **parts, **options
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
