"""The contracts on one generation of an index and on two, and what goes over the wire for it."""

from __future__ import annotations

import uuid
from functools import partial

import pytest

from configs.settings import QdrantSettings
from memory.vector import DENSE_DOCS, QdrantGenerationStore
from memory.vector.payload import FieldMapping
from memory.vector.qdrant_calls import QdrantCalls, ServerVersion
from memory.vector.qdrant_points import PointsOfGeneration
from memory.vector.qdrant_schema import QdrantSchema, connected, examine
from tests.contracts.vector_store import (
    BOTH,
    KEY,
    VECTORS,
    VectorStoreContract,
    dense,
    fuse,
    make_chunk,
    make_point,
    sparse,
)
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront
from tests.memory.vector.generations import GenerationContract, published

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


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


class TestGenerationsOverAnEdgeFront(GenerationContract):
    @pytest.fixture
    def opened(self, front):
        return partial(opened, front)


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """The front as a server of an older version."""
    with EdgeHttpFront(str(tmp_path_factory.mktemp("old")), version="1.18.0") as front:
        yield front


class TestQdrantGenerationStoreOnAServerThatFusesNothing(VectorStoreContract):
    @pytest.fixture
    async def store(self, old):
        settings = QdrantSettings(url=old.url, collection=COLLECTION)
        client, _ = await connected(settings, VECTORS, {}, create=True, generations=True)
        generation = PointsOfGeneration(uuid.uuid4().hex, 1)
        store = QdrantGenerationStore(client, settings, generation=generation, version=Unfusing("1.19.0"))
        yield store
        await store.close()


class Unfusing(ServerVersion):
    """One whose fusion has neither k nor weights."""

    def fuses(self, k, *, weighted):
        return False


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


def writes(front):
    """What was written since, as call and number of points."""
    calls = [
        (one.path.partition("?")[0].removeprefix(f"/collections/{COLLECTION}/points"), one.body) for one in front.seen
    ]
    reads = ("/query/batch", "/count", "/scroll")
    return [(call, len(body.get("points", []))) for call, body in calls if call not in reads and "/" not in call[1:]]


@pytest.fixture
async def pair(front):
    old, new = await published(partial(opened, front))
    front.seen.clear()
    yield old, new
    await old.close()
    await new.close()


async def test_settling_is_three_requests(pair, front):
    _, new = pair
    await new.delete_project("billing")
    await new.upsert([make_point(make_chunk(path="new.md", start=30), docs=[1, 0, 0, 0])])
    front.seen.clear()
    await new.settle(current=1, oldest=1)
    assert writes(front) == [("/delete", 0), ("/payload", 0), ("/delete", 0)]


async def test_vectors_are_sent_to_own_points_and_with_new_points_of_published_ones(pair, front):
    old, new = pair
    late, own = make_chunk(path="late.md", start=40), make_chunk(path="own.md", start=50)
    await old.upsert([make_point(late)])
    await new.upsert([make_point(own)])
    front.seen.clear()
    await new.set_dense({late.id: {DENSE_DOCS: [2, 0, 0, 0]}, own.id: {DENSE_DOCS: [3, 4, 0, 0]}})
    assert writes(front) == [("/vectors", 1), ("", 1), ("/payload", 0)]


async def test_two_hundred_points_are_a_request(pair, front):
    old, new = pair
    chunks = [make_chunk(path="many.md", start=number) for number in range(100, 350)]
    await old.upsert([make_point(chunk) for chunk in chunks])
    front.seen.clear()
    await new.set_dense({chunk.id: {DENSE_DOCS: [1, 0, 0, 0]} for chunk in chunks})
    assert writes(front) == [("", 200), ("/payload", 0), ("", 50), ("/payload", 0)]


async def test_a_search_without_payload_asks_for_the_chunk_s_id_alone(pair, front):
    old, _ = pair
    await old.query_batch([fuse(sparse(KEY), dense([1, 0, 0, 0]))], permission=BOTH)
    fusion, words, docs = front.seen[-1].body["searches"]
    assert (fusion["with_payload"], words["with_payload"], docs["with_payload"]) == (True, ["chunk"], ["chunk"])
    within = [{"key": "since", "range": {"lte": 1.0}}, {"key": "until", "range": {"gt": 1.0}}]
    assert fusion["filter"]["must"][2:] == within
    assert words["params"]["idf"]["corpus"]["must"][2:] == within


async def test_the_indexes_that_tell_generations_apart(front):
    assert {key: front.indexes[key]["data_type"] for key in ("chunk", "since", "until")} == {
        "chunk": "keyword",
        "since": "integer",
        "until": "integer",
    }
    settings = QdrantSettings(url=front.url, collection=COLLECTION)
    kept = front.indexes.pop("until")
    finding = (await examine(settings, VECTORS, {}, generations=True))[-1]
    front.indexes["until"] = kept
    assert finding.detail == "missing: until"
    schema = '{"type": "integer", "lookup": false, "range": true}'
    assert finding.hint.endswith(f'each of: {{"field_name": "until", "field_schema": {schema}}}')
    assert (await examine(settings, VECTORS, {}))[-1].detail == "all 9"
