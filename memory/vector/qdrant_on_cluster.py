"""`PointsByCluster`: a generation's points on a server that tasks on a Ray cluster write.

A task may be run again where its node died: a point's id is made of its generation and its chunk. The key of the server
comes from each node's own environment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
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
        self._store.check_open()
        await self._cluster.call(_upserted, *self._place, points)

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        self._store.check_open()
        await self._cluster.call(_given, *self._place, vectors)


def _upserted(settings: QdrantSettings, generation: PointsOfGeneration, points: Sequence[Point]) -> None:
    """Run on a node."""
    anyio.run(partial(_write, settings, generation, "upsert", points))


def _given(
    settings: QdrantSettings, generation: PointsOfGeneration, vectors: Mapping[str, Mapping[str, DenseVector]]
) -> None:
    """Run on a node."""
    anyio.run(partial(_write, settings, generation, "set_dense", vectors))


async def _write(settings: QdrantSettings, generation: PointsOfGeneration, method: str, things: Any) -> None:
    store = await QdrantGenerationStore.open_generation(settings, vectors={}, generation=generation)
    try:
        await getattr(store, method)(things)
    finally:
        await store.close()
