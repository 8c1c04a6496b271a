"""What an indexer works with: where the stores of a generation in the making are opened, the models, and who reads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import anyio.to_thread

from configs.settings import IndexingSettings
from indexing.images import PictureModels
from indexing.isolation import Readers, ReadingProcesses
from memory.embedders import DenseSource, EmbeddingWorkers, SparseEmbedder, Workers
from memory.graph.port import GraphStore
from memory.vector.port import VectorStore

_Both: TypeAlias = "tuple[EmbeddingWorkers, Readers]"


class StageStores(Protocol):
    """Opens the stores of a generation in the making; `copied` says whether they are there already. keeps_deleted: what
    is deleted stays in the vector store's files until they are written anew.
    """

    keeps_deleted: bool

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:
        """The vector store at `path`, created with these named vectors where it is new."""
        ...

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        """The graph store at `path`."""
        ...

    async def holds(self, graph_path: Path) -> bool:
        """Whether the graph that belongs at this path is there. Raises StoreError when that can't be known."""
        ...

    async def sweep(self, graph_path: Path) -> None:
        """Remove the graphs that neither this generation nor one beside it refers to (decision record 0080)."""
        ...


@dataclass(frozen=True, slots=True)
class IndexingParts:
    """What an indexer works with: the stores' doors and the models. code: of code, where it is another than the
    documents'; pictures: without it they are skipped as binary; weights: the fingerprints of the models' files, by
    model; readers: who looks at the files of a run; workers: who embeds its texts, of so many processes where they are
    of this machine; call: where a repository is fetched and a part of the graph resolved, a function and its arguments.
    """

    stores: StageStores
    dense: DenseSource
    sparse: SparseEmbedder
    code: DenseSource | None = None
    pictures: PictureModels | None = None
    weights: Mapping[str, str] = field(default_factory=dict)
    readers: Callable[[IndexingSettings], AbstractAsyncContextManager[Readers]] = ReadingProcesses
    workers: Callable[[int], AbstractAsyncContextManager[EmbeddingWorkers]] = Workers
    call: Callable[..., Awaitable[Any]] = anyio.to_thread.run_sync


class Hands:
    """An indexer's workers and readers. Within `staying` a run finds those of the one before, with what they loaded."""

    def __init__(self, parts: IndexingParts, settings: IndexingSettings) -> None:
        self._parts = parts
        self._settings = settings
        self._staying: AsyncExitStack | None = None
        self._there: tuple[str, _Both] | None = None

    @asynccontextmanager
    async def staying(self) -> AsyncIterator[None]:
        """What the runs of this block start ends with the block."""
        async with AsyncExitStack() as stack:
            self._staying = stack
            try:
                yield
            finally:
                self._staying = self._there = None

    @asynccontextmanager
    async def of_run(self, recipe: str) -> AsyncIterator[_Both]:
        """Those of one run. recipe: what the index is made with; a reader knows the rules that it began with."""
        async with AsyncExitStack() as own:
            if self._staying is None:
                yield await self._started(own)
                return
            if self._there is None or self._there[0] != recipe:
                self._there = None
                await self._staying.aclose()
                self._there = recipe, await self._started(self._staying)
            yield self._there[1]

    async def _started(self, stack: AsyncExitStack) -> _Both:
        workers = await stack.enter_async_context(self._parts.workers(self._settings.workers))
        return workers, await stack.enter_async_context(self._parts.readers(self._settings))
