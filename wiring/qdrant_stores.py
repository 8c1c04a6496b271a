"""A generation whose vectors are on a Qdrant server (decision record 0024).

In place of the shard's folder a file names the collection. What a run is about to write goes into a journal first, and
is settled after it was published: what a killed run did is undone, or finished, by the next one.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from configs.settings import VectorSettings
from memory.errors import ConfigError, DataFolderError, StoreError
from memory.generation import DataFolder, Disk
from memory.generation.announcing import announce
from memory.generation.announcing import check_place as check_announced
from memory.generation.current import ANNOUNCED, Pointer, numbers_in
from memory.graph import GraphStore
from memory.vector import QdrantGenerationStore
from memory.vector.port import DENSE_CODE, DENSE_DOCS, IMAGE, VectorStore
from memory.vector.qdrant_depot import QdrantDepot
from memory.vector.qdrant_on_cluster import PointsByCluster
from memory.vector.qdrant_points import PointsOfGeneration
from wiring.breaking import Guarded
from wiring.embedded_stores import check_place

if TYPE_CHECKING:
    from indexing.ports import StageStores
    from memory.cluster import Cluster

_JOURNAL: Final = "qdrant.journal"


class QdrantStores:
    """Vectors on a server, the graph where `stores` have it. cluster: writes the points, if any is given.

    Raises ConfigError for others' collection.
    """

    keeps_deleted = False

    def __init__(self, settings: VectorSettings, stores: StageStores, cluster: Cluster | None = None) -> None:
        server = settings.qdrant
        if server.payload or server.vectors or server.constants:
            raise ConfigError(
                "vector.qdrant",
                "the settings",
                "payload, vectors and constants are for a collection that others filled, which only evidence packs read.",  # noqa: E501 - a table
                "Leave them out, and give an index a collection of our names: vector.qdrant.collection.",
            )
        self._settings = settings
        self._stores = stores
        self._cluster = cluster

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> VectorStore:  # noqa: ARG002 - the server has what there is
        """The points of the generation after the published one; the stage remembers their collection, and that it was
        begun, since settling when it is opened once more would undo what it has.
        """
        place, collection = Path(path), self._settings.qdrant.collection
        check_place(self._settings, place)
        if place.exists():
            named = _check_collection(place, collection)
        else:
            named = {"collection": collection}
            place.write_text(json.dumps(named), encoding="utf-8")
        journal = QdrantJournal.beside(place)

        async def opening() -> VectorStore:
            generation = PointsOfGeneration(namespace, journal.current + 1)
            if named.get("begun") != generation.number:
                if self._settings.qdrant.followers_s:
                    async with self._depot() as depot:
                        await check_announced(namespace, depot)  # before hours of work
                await self._settle(journal)
                journal.write(Begun(collection, namespace, generation.number))
                place.write_text(json.dumps(named | {"begun": generation.number}), encoding="utf-8")  # noqa: ASYNC240 - a line
            store = await QdrantGenerationStore.open_generation(
                self._settings.qdrant, vectors=vectors, generation=generation, create=True
            )
            if self._cluster is None:
                return store
            return cast("VectorStore", PointsByCluster(store, self._settings.qdrant, generation, self._cluster))

        return cast("VectorStore", Guarded(None, opening))

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> GraphStore:
        return self._stores.open_graph(path, namespace, copied=copied)

    async def open_published(self, path: Path, namespace: str) -> QdrantGenerationStore:
        """The points of a published generation. Raises DataFolderError when they are elsewhere, and StoreError."""
        _check_collection(path, self._settings.qdrant.collection)
        vectors = dict.fromkeys((DENSE_DOCS, DENSE_CODE), self._settings.dimension)
        if self._settings.image_model:
            vectors[IMAGE] = self._settings.image_dimension
        generation = PointsOfGeneration(namespace, int(path.parent.name))
        return await QdrantGenerationStore.open_generation(
            self._settings.qdrant, vectors=vectors, generation=generation
        )

    async def holds(self, graph_path: Path) -> bool:
        """Whether the graph is there. Asked where nothing has changed; what an earlier run left is settled now."""
        await self._announce(graph_path)
        await self._settle(QdrantJournal.beside(graph_path))
        return await self._stores.holds(graph_path)

    async def sweep(self, graph_path: Path) -> None:
        """Remove what no generation has any more. A server that is down meanwhile keeps it until the next run."""
        await self._announce(graph_path)
        await self._stores.sweep(graph_path)
        with suppress(StoreError):
            await self._settle(QdrantJournal.beside(graph_path))

    async def _announce(self, graph_path: Path) -> None:
        """Have servers that follow read the published generation; first of all, since they may read what is removed."""
        root = QdrantJournal.beside(graph_path).root
        if not self._settings.qdrant.followers_s:
            (root / ANNOUNCED).unlink(missing_ok=True)
            return
        async with self._depot() as depot:
            await announce(root, DataFolder.open(root).namespace, depot, time.time())

    @asynccontextmanager
    async def _depot(self) -> AsyncIterator[QdrantDepot]:
        depot = QdrantDepot.of(self._settings.qdrant)
        try:
            yield depot
        finally:
            await depot.close()

    async def _settle(self, journal: QdrantJournal) -> None:
        begun = journal.read()
        if begun is None:
            return
        current, oldest = journal.current, journal.oldest
        settings = replace(self._settings.qdrant, collection=begun.collection)
        generation = PointsOfGeneration(begun.namespace, current)
        with suppress(DataFolderError):  # where the collection is gone, nothing is left of it
            store = await QdrantGenerationStore.open_generation(settings, vectors={}, generation=generation)
            try:
                await store.settle(current=current, oldest=oldest)
            finally:
                await store.close()
        if oldest == current:  # else somebody still reads what has its end
            journal.clear()


def _check_collection(place: Path, asked: str) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    if (named := written["collection"]) != asked:
        raise DataFolderError(
            f"The vectors of this index are in the collection {named!r}; the settings name {asked!r}.",
            f"Set vector.qdrant.collection to {named!r}, or index into another data folder.",
        )
    return written


@dataclass(frozen=True, slots=True)
class Begun:
    """The generation that a run began to write, of which index, and in which collection."""

    collection: str
    namespace: str
    generation: int


@dataclass(frozen=True, slots=True)
class QdrantJournal:
    """The journal of one data folder, and what that says beside it: the generations that are there."""

    root: Path

    @classmethod
    def beside(cls, part: Path) -> QdrantJournal:
        """The journal of the data folder in which this is a part of a generation."""
        return cls(part.parent.parent.parent)

    @property
    def current(self) -> int:
        """The published generation; 0 before the first."""
        pointer = Pointer.read(self.root)
        return pointer.number if pointer else 0

    @property
    def oldest(self) -> int:
        """The first generation that is still kept for a reader; 0 before the first."""
        return min(numbers_in(self.root), default=0)

    def read(self) -> Begun | None:
        """What was begun and is not settled."""
        try:
            return Begun(**json.loads((self.root / _JOURNAL).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def write(self, begun: Begun) -> None:
        """Lasts before anything is done."""
        Disk().write(self.root / _JOURNAL, [json.dumps(asdict(begun))])

    def clear(self) -> None:
        (self.root / _JOURNAL).unlink(missing_ok=True)
