"""The contract on one generation of an index, and what each generation's reader sees of the next one's making."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from configs.settings import QdrantSettings
from memory.errors import StoreError
from memory.vector import DENSE_DOCS, SPARSE_LEXICAL, QdrantGenerationStore
from memory.vector.mapping import FieldMapping
from memory.vector.qdrant_calls import QdrantCalls
from memory.vector.qdrant_generations import PointsOfGeneration
from memory.vector.qdrant_schema import QdrantSchema
from memory.vector.qdrant_server import ServerVersion
from tests.contracts.vector_store import (
    BILLING,
    BOTH,
    EMAIL,
    KEY,
    UUID,
    VECTORS,
    VectorStoreContract,
    dense,
    everything,
    fuse,
    make_chunk,
    make_point,
    sparse,
)
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    with EdgeHttpFront(str(tmp_path_factory.mktemp("front"))) as front:
        yield front


async def opened(front, namespace, number):
    settings = QdrantSettings(url=front.url, collection=COLLECTION)
    generation = PointsOfGeneration(namespace, number)
    return await QdrantGenerationStore.open_generation(
        settings, vectors=VECTORS, generation=generation, create=True, environ={}
    )


class TestQdrantGenerationStoreOverAnEdgeFront(VectorStoreContract):
    @pytest.fixture
    async def store(self, front):
        store = await opened(front, uuid.uuid4().hex, 3)
        yield store
        await store.close()


class TestQdrantGenerationStoreOnAServerThatFusesNothing(VectorStoreContract):
    @pytest.fixture
    async def store(self, tmp_path):
        with EdgeHttpFront(str(tmp_path / "old"), version="1.19.0") as front:
            store = await opened(front, "n", 1)
            store._version = ServerVersion("1.15.0")
            yield store
            await store.close()


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect:UserWarning")
@pytest.mark.filterwarnings("ignore:Local mode performs exact:UserWarning")
class TestQdrantGenerationStoreOnTheClientsLocalMode(VectorStoreContract):
    @pytest.fixture
    async def store(self):
        from qdrant_client import AsyncQdrantClient  # noqa: PLC0415 - a second that other tests need not wait

        client, settings = AsyncQdrantClient(":memory:"), QdrantSettings()
        await QdrantSchema(settings, FieldMapping(), VECTORS, generations=True).make(client, QdrantCalls(settings))
        generation = PointsOfGeneration("n", 2)
        store = QdrantGenerationStore(client, settings, generation=generation, version=ServerVersion("1.20.0"))
        yield store
        await store.close()
