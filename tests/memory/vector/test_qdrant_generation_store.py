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
from memory.vector.qdrant_checks import connected, examine
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
        with EdgeHttpFront(str(tmp_path / "old"), version="1.18.0") as front:
            settings = QdrantSettings(url=front.url, collection=COLLECTION)
            client, _ = await connected(settings, VECTORS, {}, create=True, generations=True)
            version = Unfusing("1.19.0")
            store = QdrantGenerationStore(client, settings, generation=PointsOfGeneration("n", 1), version=version)
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


ONE, TWO, THREE = make_chunk(start=1), make_chunk(start=10), make_chunk(path="other.md", start=20)


def writes(front):
    """What was written since, as call and number of points."""
    calls = [
        (one.path.partition("?")[0].removeprefix(f"/collections/{COLLECTION}/points"), one.body) for one in front.seen
    ]
    reads = ("/query/batch", "/count", "/scroll")
    return [(call, len(body.get("points", []))) for call, body in calls if call not in reads and "/" not in call[1:]]


@pytest.fixture
async def pair(front):
    """Generation 1, which is published, and 2 in the making."""
    namespace = uuid.uuid4().hex
    old, new = await opened(front, namespace, 1), await opened(front, namespace, 2)
    await old.upsert([make_point(chunk, {KEY: 1.0}, docs=[1, chunk.start_line, 0, 0]) for chunk in (ONE, TWO, THREE)])
    front.seen.clear()
    yield old, new
    await old.close()
    await new.close()


async def starts(store):
    queries = [everything(), sparse(KEY, EMAIL), dense([1, 0, 0, 0]), fuse(sparse(KEY, EMAIL), dense([1, 0, 0, 0]))]
    found = [{hit.chunk.start_line for hit in hits} for hits in await store.query_batch(queries, permission=BOTH)]
    assert await store.count(permission=BOTH) == len(found[0])
    return found


async def test_nobody_sees_the_next_generation_before_it_is_asked_for(pair):
    old, new = pair
    before = await starts(old)
    scores = await old.query_batch([sparse(KEY)], permission=BILLING)
    await new.delete_files("billing", ["other.md"])
    changed, added = replace(ONE, commit="beef"), make_chunk(path="new.md", start=30)
    await new.upsert([make_point(changed, {EMAIL: 1.0}, docs=[0, 1, 0, 0]), make_point(added, docs=[1, 1, 0, 0])])
    assert await starts(old) == before == [{1, 10, 20}] * 4
    assert await old.query_batch([sparse(KEY)], permission=BILLING) == scores  # its IDF too
    [chunk] = [one for one in await old.file_chunks("billing", [ONE.path], permission=BOTH) if one.start_line == 1]
    assert chunk.commit == "c0ffee"
    assert 20 not in (await starts(new))[0]
    assert 30 in (await starts(new))[0]


async def test_settling_after_it_was_published_and_after_it_was_not(pair, front):
    old, new = pair
    await new.delete_project("billing")
    await new.upsert([make_point(make_chunk(path="new.md", start=30), docs=[1, 0, 0, 0])])
    front.seen.clear()
    await new.settle(current=1, oldest=1)  # a killed run
    assert writes(front) == [("/delete", 0), ("/payload", 0), ("/delete", 0)]
    assert await starts(old) == await starts(new) == [{1, 10, 20}] * 4
    await new.delete_files("billing", [ONE.path])
    await new.settle(current=2, oldest=1)  # published, and somebody reads the first one
    assert ((await starts(old))[0], (await starts(new))[0]) == ({1, 10, 20}, {20})
    await new.settle(current=2, oldest=2)
    assert ((await starts(old))[0], (await starts(new))[0]) == ({20}, {20})


async def test_vectors_for_a_published_point_are_a_new_point_s(pair, front):
    old, new = pair
    late, own = make_chunk(path="late.md", start=40), make_chunk(path="own.md", start=50)
    beside = {"made": "then"}
    await old.upsert([replace(make_point(late, {UUID: 2.0}), extra=beside)])
    await new.upsert([make_point(own, {UUID: 1.0})])
    before = await starts(old)
    front.seen.clear()
    await new.set_dense({late.id: {DENSE_DOCS: [2, 0, 0, 0]}, own.id: {DENSE_DOCS: [3, 4, 0, 0]}})
    assert writes(front) == [("/vectors", 1), ("", 1), ("/payload", 0)]
    assert await starts(old) == before
    query = dense([1, 0, 0, 0], 1, with_vectors=(DENSE_DOCS, SPARSE_LEXICAL))
    [[hit]] = await new.query_batch([query], permission=BOTH)
    assert (hit.chunk, hit.score, hit.sparse.values, hit.extra) == (late, 1.0, (2.0,), beside)
    assert (await starts(new))[0] == {1, 10, 20, 40, 50}


async def test_more_vectors_than_one_request_holds(pair, front):
    old, new = pair
    chunks = [make_chunk(path="many.md", start=number) for number in range(100, 350)]
    await old.upsert([make_point(chunk) for chunk in chunks])
    front.seen.clear()
    await new.set_dense({chunk.id: {DENSE_DOCS: [1, 0, 0, 0]} for chunk in chunks})
    assert writes(front) == [("", 200), ("/payload", 0), ("", 50), ("/payload", 0)]
    assert await new.count(permission=BOTH) == 253
    assert await old.count(permission=BOTH) == 253


async def test_what_is_not_there_is_named(pair):
    _, new = pair
    gone = make_chunk(path="gone.md")
    with pytest.raises(StoreError, match=f"no point for 1 of the chunks, such as {gone.id}"):
        await new.set_dense({ONE.id: {DENSE_DOCS: [1, 0, 0, 0]}, gone.id: {DENSE_DOCS: [1, 0, 0, 0]}})


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
