"""The contracts on points that tasks write; `tests/indexing/test_on_cluster.py` has nodes that run them."""

from __future__ import annotations

import pickle
import uuid
from functools import partial

import anyio.to_thread
import pytest

from configs.settings import QdrantSettings
from memory.errors import StoreError
from memory.vector import DENSE_DOCS, QdrantGenerationStore
from memory.vector.qdrant_on_cluster import PointsByCluster
from memory.vector.qdrant_points import PointsOfGeneration
from tests.contracts.vector_store import VECTORS, VectorStoreContract, make_chunk, make_point
from tests.memory.vector.edge_http_front import COLLECTION
from tests.memory.vector.generations import GenerationContract

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


class Here:
    """A cluster that is this process; what goes to a task and comes back is pickled, as between nodes."""

    async def call(self, function, *arguments):
        there = pickle.loads(pickle.dumps((function, *arguments)))  # noqa: S301 - our own
        try:
            return await anyio.to_thread.run_sync(*there)
        except StoreError as error:
            raise pickle.loads(pickle.dumps(error)) from error  # noqa: S301 - our own


async def opened(front, namespace, number):
    settings = QdrantSettings(url=front.url, collection=COLLECTION, retries=0)
    generation = PointsOfGeneration(namespace, number)
    store = await QdrantGenerationStore.open_generation(
        settings, vectors=VECTORS, generation=generation, create=True, environ={}
    )
    return PointsByCluster(store, settings, generation, Here())


class TestPointsByCluster(VectorStoreContract):
    @pytest.fixture
    async def store(self, front):
        store = await opened(front, uuid.uuid4().hex, 3)
        yield store
        await store.close()


class TestGenerationsByCluster(GenerationContract):
    @pytest.fixture
    def opened(self, front):
        return partial(opened, front)


async def test_what_the_server_refuses_a_task_is_an_error_here(front):
    store = await opened(front, uuid.uuid4().hex, 1)
    with pytest.raises(StoreError, match="no point for 1 of the chunks"):
        await store.set_dense({make_chunk().id: {DENSE_DOCS: [1, 0, 0, 0]}})
    front.planned += [(200, {}, b"{}"), (500, {}, b"{}")]
    with pytest.raises(StoreError):
        await store.upsert([make_point(make_chunk())])
    front.planned.clear()
    await store.close()
