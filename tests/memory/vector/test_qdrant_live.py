"""The contracts on a real server, where HYBRID_RETRIEVAL_TEST_QDRANT_URL names one (with _API_KEY where it wants one); in a
collection of their own, removed after.
"""

from __future__ import annotations

import os
import uuid

import pytest

from configs.settings import QdrantSettings
from memory.vector import FakeVectorStore, QdrantGenerationStore, QdrantVectorStore
from memory.vector.qdrant_calls import connect
from memory.vector.qdrant_points import PointsOfGeneration
from memory.vector.qdrant_schema import examine
from tests.contracts.vector_store import BOTH, VECTORS, VectorStoreContract, dense, fuse, make_chunk, make_point, sparse
from tests.memory.vector.generations import GenerationContract

URL = os.environ.get("HYBRID_RETRIEVAL_TEST_QDRANT_URL", "")
KEY = "HYBRID_RETRIEVAL_TEST_QDRANT_API_KEY"

pytestmark = [
    pytest.mark.skipif(not URL, reason="HYBRID_RETRIEVAL_TEST_QDRANT_URL names no server"),
    pytest.mark.enable_socket,
]


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server answers in real time


@pytest.fixture(scope="module")
async def settings():
    """A collection that nobody has, with the key that the tests were given for the server."""
    name = f"hybrid_retrieval_test_{uuid.uuid4().hex}"
    settings = QdrantSettings(url=URL, collection=name, api_key_env=KEY if os.environ.get(KEY) else None)
    client = connect(settings)
    if await client.collection_exists(name):
        pytest.fail(f"{URL} has a collection {name}, which is not the tests' to fill and to remove")
    yield settings
    await client.delete_collection(name)
    await client.close()


@pytest.fixture(scope="module")
def opened(settings):
    async def opened(namespace, number):
        generation = PointsOfGeneration(namespace, number)
        return await QdrantGenerationStore.open_generation(
            settings, vectors=VECTORS, generation=generation, create=True
        )

    return opened


class TestQdrantVectorStoreOnAServer(VectorStoreContract):
    @pytest.fixture
    async def store(self, settings):
        namespace = uuid.uuid4().hex
        store = await QdrantVectorStore.open(settings, vectors=VECTORS, namespace=namespace, create=True)
        yield store
        await store.close()

    async def test_it_says_the_same_as_the_fake(self, store):
        fake = FakeVectorStore()
        points = [
            make_point(make_chunk(start=n), {n % 7: 1 + n / 10, n % 3 + 20: 0.5}, docs=[1, n, n % 5, 2])
            for n in range(60)
        ]
        for each in (store, fake):
            await each.upsert(points)
        queries = [sparse(1, 20, 22), dense([1, 2, 3, 4], 20), fuse(sparse(1, 20, limit=60), dense([1, 2, 3, 4], 30))]
        ours, theirs = [await each.query_batch(queries, permission=BOTH) for each in (store, fake)]
        for hits, expected in zip(ours, theirs, strict=True):
            assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in expected]
            assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=2e-6)

    async def test_nothing_is_missing_in_a_collection_that_was_made_here(self, store, settings):
        assert [finding for finding in await examine(settings, VECTORS) if not finding.ok] == []


class TestQdrantGenerationStoreOnAServer(VectorStoreContract):
    @pytest.fixture
    async def store(self, opened):
        store = await opened(uuid.uuid4().hex, 3)
        yield store
        await store.close()

    async def test_nothing_is_missing_to_tell_generations_apart(self, store, settings):
        assert [finding for finding in await examine(settings, VECTORS, generations=True) if not finding.ok] == []


class TestGenerationsOnAServer(GenerationContract):
    """With the module's `opened`."""
