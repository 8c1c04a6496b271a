"""`PointsByCluster`: a generation's points on a server that tasks on a Ray cluster write.

A task may be run again where its node died: a point's id is made of its generation and its chunk. The key of the server
comes from each node's own environment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import anyio

from memory.vector.qdrant_generation_store import QdrantGenerationStore

if TYPE_CHECKING:
    from configs.settings import QdrantSettings
    from memory.cluster import Cluster
    from memory.vector.port import DenseVector, Point
    from memory.vector.qdrant_points import PointsOfGeneration


class PointsByCluster:
    """A vector store. What is read and deleted goes from here; `upsert` and `set_dense` are tasks.

    Raises what the store raises, and UnavailableError where no node could finish a task.
    """

    def __init__(
        self, store: QdrantGenerationStore, settings: QdrantSettings, generation: PointsOfGeneration, cluster: Cluster
    ) -> None:
        self._store = store
        self._place = settings, generation
        self._cluster = cluster

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def upsert(self, points: Sequence[Point]) -> None:
        await self._written("upsert", points)

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        await self._written("set_dense", vectors)

    async def _written(self, method: str, things: Any) -> None:
        self._store.check_open()
        await self._cluster.call(_run, *self._place, method, things)


def _run(settings: QdrantSettings, generation: PointsOfGeneration, method: str, things: Any) -> None:
    """On a node: the store's method, with what there is to write."""
    anyio.run(_write, settings, generation, method, things)


async def _write(settings: QdrantSettings, generation: PointsOfGeneration, method: str, things: Any) -> None:
    store = await QdrantGenerationStore.open_generation(settings, vectors={}, generation=generation)
    try:
        await getattr(store, method)(things)
    finally:
        await store.close()
