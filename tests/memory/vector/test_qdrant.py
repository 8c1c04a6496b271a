from __future__ import annotations

import json
import subprocess
import sys
import uuid

import numpy as np
import pytest
import qdrant_edge as edge

import memory.vector
from configs.settings import QdrantSettings
from memory.errors import StoreError
from memory.vector import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    FusedQuery,
    QdrantVectorStore,
    VectorQuery,
    parse_filters,
)
from memory.vector.payload import FieldMapping
from memory.vector.qdrant_calls import QdrantCalls, ServerVersion
from memory.vector.qdrant_schema import QdrantSchema
from tests.contracts.vector_store import (
    BILLING,
    BOTH,
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


async def opened(front, namespace="n", sizes=VECTORS, **settings):
    settings = QdrantSettings(url=front.url, collection=COLLECTION, **settings)
    return await QdrantVectorStore.open(settings, vectors=sizes, namespace=namespace, create=True, environ={})


@pytest.fixture
async def store(front):
    store = await opened(front, uuid.uuid4().hex)
    front.seen.clear()
    yield store
    await store.close()


class TestQdrantVectorStoreOverAnEdgeFront(VectorStoreContract):
    @pytest.fixture
    async def store(self, front):
        store = await opened(front, uuid.uuid4().hex)
        yield store
        await store.close()


@pytest.mark.filterwarnings("ignore:Payload indexes have no effect:UserWarning")
@pytest.mark.filterwarnings("ignore:Local mode performs exact:UserWarning")
class TestQdrantVectorStoreOnTheClientsLocalMode(VectorStoreContract):
    """The client's own re-implementation in Python as an oracle. It raises a KeyError of its own where a server refuses."""

    test_dense_vectors_for_a_point_nobody_added_are_refused = None

    @pytest.fixture
    async def store(self):
        from qdrant_client import AsyncQdrantClient  # noqa: PLC0415 - a second that other tests need not wait

        client, settings = AsyncQdrantClient(":memory:"), QdrantSettings()
        await QdrantSchema(settings, FieldMapping(), VECTORS).make(client, QdrantCalls(settings))
        store = QdrantVectorStore(client, settings, namespace="n", version=ServerVersion("1.20.0"))
        yield store
        await store.close()


async def shop(store):
    """Ranked 1, 10, 20 for DENSE_DOCS [1, 0, 0, 0], and 20, 1 for the word UUID: nothing ties."""
    await store.upsert(
        [
            make_point(make_chunk(start=1), {UUID: 1.0}, docs=[1, 0, 0, 0]),
            make_point(make_chunk(start=10), {KEY: 1.0}, docs=[2, 1, 0, 0]),
            make_point(make_chunk(start=20), {UUID: 2.0}, docs=[1, 1, 0, 0]),
        ]
    )


async def test_a_batch_is_one_request_with_the_fusion_first_and_its_legs_behind_it(store, front):
    await shop(store)
    front.seen.clear()
    query = FusedQuery(
        (
            VectorQuery(DENSE_DOCS, [1.0, 0.0, 0.0, 0.0], 80, hnsw_ef=256, exact=False),
            VectorQuery(
                DENSE_CODE, [0.0, 1.0, 0.0, 0.0], 80, parse_filters({"symbol": "charge"}), hnsw_ef=256, exact=False
            ),
            sparse(UUID, limit=120),
        ),
        limit=40,
        weights=(0.5, 0.3, 0.2),
        conditions=parse_filters({"corpus": "docs"}),
    )
    hits, listed = await store.query_batch([query, everything(2)], permission=BOTH)
    assert (len(hits), len(listed)) == (3, 2)
    (seen,) = front.seen
    assert (seen.method, seen.path) == ("POST", f"/collections/{COLLECTION}/points/query/batch")
    fusion, docs, code, words, everything_ = seen.body["searches"]
    permission = [
        {"key": "namespace", "match": {"value": store_namespace(seen)}},
        {"key": "project", "match": {"any": ["auth", "billing"]}},
    ]
    corpus = {"key": "corpus", "match": {"any": ["docs"]}}
    symbol = {"key": "symbol", "match": {"any": ["charge"]}}
    walked = {"hnsw_ef": 256, "exact": False}
    idf = {"idf": {"corpus": {"must": permission}}}
    assert fusion == {
        "prefetch": [
            {
                "query": [1.0, 0.0, 0.0, 0.0],
                "using": DENSE_DOCS,
                "filter": {"must": permission},
                "params": walked,
                "limit": 80,
            },
            {
                "query": [0.0, 1.0, 0.0, 0.0],
                "using": DENSE_CODE,
                "filter": {"must": [*permission, symbol]},
                "params": walked,
                "limit": 80,
            },
            {
                "query": {"indices": [UUID], "values": [1.0]},
                "using": SPARSE_LEXICAL,
                "filter": {"must": permission},
                "params": idf,
                "limit": 120,
            },
        ],
        "query": {"rrf": {"k": 60, "weights": [0.5, 0.3, 0.2]}},
        "filter": {"must": [*permission, corpus]},
        "limit": 88,
        "with_payload": True,
        "with_vector": False,
    }
    assert "params" not in fusion
    assert [leg["filter"]["must"] for leg in (docs, code, words)] == [
        [*permission, corpus],
        [*permission, corpus, symbol],
        [*permission, corpus],
    ]
    assert [(leg["using"], leg["limit"], leg["params"]) for leg in (docs, code, words)] == [
        (DENSE_DOCS, 88, walked),
        (DENSE_CODE, 88, walked),
        (SPARSE_LEXICAL, 128, idf),
    ]
    assert not any(leg["with_payload"] or leg["with_vector"] for leg in (docs, code, words))
    assert everything_ == {
        "filter": {"must": permission},
        "limit": 2,
        "with_payload": True,
        "with_vector": False,
    }


def store_namespace(seen):
    return seen.body["searches"][0]["filter"]["must"][0]["match"]["value"]


async def test_what_can_find_nothing_is_not_sent(store, front):
    nothing = parse_filters({"path": []})
    queries = [sparse(), dense([1, 0, 0, 0], conditions=nothing), fuse(sparse(), sparse(KEY, conditions=nothing))]
    assert await store.query_batch(queries, permission=BOTH) == [[], [], []]
    await store.delete_files("billing", [])
    await store.set_dense({})
    assert front.seen == []
    await store.query_batch([fuse(sparse(), dense([1, 0, 0, 0]), weights=(2.0, 3.0))], permission=BOTH)
    (seen,) = front.seen
    fusion, leg = seen.body["searches"]
    assert fusion["query"] == {"rrf": {"k": 60, "weights": [3.0]}}
    assert [prefetch["using"] for prefetch in fusion["prefetch"]] == [leg["using"]] == [DENSE_DOCS]


@pytest.mark.specification("000 §2 one call", "000 §10 step 5")
async def test_a_plain_query_cut_inside_a_wide_tie_is_asked_again(store, front):
    await store.upsert([make_point(make_chunk(start=n), docs=[1, 0, 0, 0]) for n in range(1, 31)])
    ids = sorted(make_chunk(start=n).id for n in range(1, 31))
    front.seen.clear()
    plain, other = await store.query_batch([sparse(KEY, limit=3), everything(1)], permission=BOTH)
    assert [hit.chunk.id for hit in plain] == ids[:3]
    assert len(other) == 1
    assert [[search["limit"] for search in seen.body["searches"]] for seen in front.seen] == [[11, 1], [88]]
    front.seen.clear()
    await store.query_batch([fuse(sparse(KEY, limit=80), dense([1, 0, 0, 0], 80), limit=20)], permission=BOTH)
    assert len(front.seen) == 1  # 30 equals, all of them among the 48 that the server was asked for


@pytest.mark.specification("000 §2 one call")
async def test_chunks_that_a_wide_tie_put_on_a_fused_list_are_fetched(store, front):
    chunks = [make_chunk(start=n) for n in range(1, 61)]
    await store.upsert([make_point(chunk, docs=[1, 0, 0, 0]) for chunk in chunks])
    front.seen.clear()
    query = fuse(sparse(KEY, limit=80, with_vectors=(DENSE_DOCS,)), limit=3)
    (hits,) = await store.query_batch([query], permission=BOTH)
    assert [hit.chunk for hit in hits] == sorted(chunks, key=lambda chunk: chunk.id)[:3]
    assert [(hit.score, hit.routes, list(hit.dense)) for hit in hits] == [
        (round(1 / (60 + rank), 6), (SPARSE_LEXICAL,), [DENSE_DOCS]) for rank in range(3)
    ]
    assert len(front.seen) <= 2
    assert front.seen[0].body["searches"][0]["limit"] == 14  # what the engine puts there of 60 equals is chance


async def test_the_server_s_order_stands_where_nothing_ties(store, front):
    await shop(store)
    query = fuse(dense([1, 0, 0, 0]), sparse(UUID), k=2, weights=(0.25, 2.0))
    (hits,) = await store.query_batch([query], permission=BOTH)
    _, _, body = front.answer(front.seen[-1])
    points = json.loads(body)["result"][0]["points"]
    assert [hit.chunk.start_line for hit in hits] == [20, 1, 10]
    assert [(hit.chunk.id, hit.score) for hit in hits] == [(point["id"], round(point["score"], 6)) for point in points]


@pytest.mark.specification("000 §1.2 one request", "000 §5.1 fusion")
@pytest.mark.parametrize(
    ("version", "rest", "sent"),
    [
        ("1.15.4", {}, 2),
        ("1.15.4", {"k": 2}, 3),
        ("1.16.0", {}, 3),
        ("1.16.0", {"weights": (1.0, 2.0)}, 2),
        ("1.17.1", {"weights": (1.0, 2.0)}, 3),
    ],
)
async def test_an_older_server_s_lists_are_fused_here(front, version, rest, sent):
    front.version = version
    try:
        older = await opened(front, uuid.uuid4().hex)
    finally:
        front.version = "1.19.0"
    await shop(older)
    front.seen.clear()
    query = fuse(dense([1, 0, 0, 0]), sparse(UUID), **rest)
    (hits,) = await older.query_batch([query], permission=BOTH)
    await older.close()
    (seen,) = front.seen
    assert len(seen.body["searches"]) == sent
    if rest == {"k": 2}:
        assert seen.body["searches"][0]["query"] == {"fusion": "rrf"}  # of any age
    assert all("idf" not in (search.get("params") or {}) for search in seen.body["searches"])
    k, (one, two) = rest.get("k", 60), rest.get("weights", (1.0, 1.0))
    scores = {
        1: 1 / (k + 1 / one - 1) + 1 / (k + 2 / two - 1),
        20: 1 / (k + 3 / one - 1) + 1 / (k + 1 / two - 1),
        10: 1 / (k + 2 / one - 1),
    }
    expected = sorted(scores, key=lambda line: -scores[line])
    assert [(hit.chunk.start_line, hit.score) for hit in hits] == [(line, round(scores[line], 6)) for line in expected]


@pytest.mark.specification("000 §5.4 in the prefetches")
async def test_search_parameters_act_in_the_prefetch(tmp_path):
    """A poor graph over 1,200 random points: a short list loses neighbours that a long one, or an exact search, finds."""
    size = 32
    drawn = np.random.default_rng(7).normal(size=(1201, size)).tolist()
    wanted = drawn[0]
    points = [make_point(make_chunk(start=n), docs=drawn[n]) for n in range(1, 1201)]
    hnsw = edge.HnswIndexConfig(m=4, ef_construct=8, full_scan_threshold=1)
    with EdgeHttpFront(str(tmp_path / "front"), hnsw=hnsw) as front:
        store = await opened(front, sizes={DENSE_DOCS: size})
        await store.upsert(points)
        front.optimize()

        async def found(**params):
            (hits,) = await store.query_batch([fuse(dense(wanted, **params))], permission=BOTH)
            return {hit.chunk.id for hit in hits}

        exact, narrow, wide = await found(), await found(hnsw_ef=10, exact=False), await found(hnsw_ef=800, exact=False)
        await store.close()
    assert len(exact) == 10
    assert len(exact & narrow) < len(exact & wide)
    assert len(exact & wide) >= 8


FOREIGN = {
    "vectors": {DENSE_DOCS: "", DENSE_CODE: None, SPARSE_LEXICAL: None},
    "payload": {"text": "text_content", "path": "source_url", "namespace": None, "file": None},
    "constants": {"project": "textbook", "corpus": "docs"},
}


async def test_a_collection_of_others_with_one_unnamed_vector(tmp_path):
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        store = await opened(front, sizes={DENSE_DOCS: 4, DENSE_CODE: 4}, **FOREIGN)
        theirs = {"text_content": "Robots walk.", "source_url": "https://book/1", "chunk_index": 3}
        front.shard.update(
            edge.UpdateOperation.upsert_points(
                [edge.Point(7, [1.0, 0.0, 0.0, 0.0], theirs), edge.Point(8, [0.6, 0.8, 0.0, 0.0], {})]
            )
        )
        front.seen.clear()
        mine = frozenset({"textbook", "billing"})
        query = dense([1, 0, 0, 0], with_vectors=(DENSE_DOCS,))
        first, second = (await store.query_batch([query, sparse(KEY)], permission=mine))[0]
        assert (first.chunk.id, first.chunk.project, first.chunk.path) == ("7", "textbook", "https://book/1")
        assert (first.chunk.text, first.score, first.extra) == ("Robots walk.", 1.0, {"chunk_index": 3})
        assert (list(first.dense), second.chunk.text, second.score) == ([DENSE_DOCS], "", 0.6)
        (search,) = front.seen[0].body["searches"]
        assert (search["filter"], "using" in search) == ({"must": []}, False)
        (fused,) = await store.query_batch([fuse(query, sparse(KEY), weights=(0.7, 0.3))], permission=mine)
        assert [(hit.chunk.id, hit.routes) for hit in fused] == [("7", (DENSE_DOCS,)), ("8", (DENSE_DOCS,))]
        by_id = VectorQuery("", None, 5, parse_filters({"id": ["8", str(uuid.uuid4())]}))
        file = dense([1, 0, 0, 0], conditions=parse_filters({"file": ["textbook/https://book/1", "billing/x"]}))
        answers = await store.query_batch([by_id, file], permission=mine)
        assert [[hit.chunk.id for hit in hits] for hits in answers] == [["8"], ["7"]]
        assert [chunk.id for chunk in await store.file_chunks("textbook", ["https://book/1"], permission=mine)] == ["7"]
        assert await store.query_batch([query], permission=BILLING) == [[]]
        assert await store.count(permission=BILLING) == 0
        await store.upsert([make_point(make_chunk("textbook"), docs=[0, 0, 1, 0])])
        await store.delete_project("billing")
        assert await store.count(permission=mine) == 3
        await store.close()


async def test_another_namespace_sees_nothing_of_it(store, front):
    await shop(store)
    stranger = await opened(front, "other")
    assert await stranger.query_batch([everything(), fuse(dense([1, 0, 0, 0]))], permission=BOTH) == [[], []]
    await stranger.delete_project("billing")
    await stranger.close()
    assert await store.count(permission=BILLING) == 3


async def test_a_vector_of_a_wrong_dimension_is_a_store_error(store):
    with pytest.raises(StoreError, match=r"could not search: .*expected dim: 4, got 2"):
        await store.query_batch([dense([1.0, 0.0])], permission=BOTH)


def test_the_client_is_imported_by_who_opens_a_server():
    script = "import sys, memory.vector, configs; assert not {'qdrant_client', 'qdrant_edge'} & set(sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=False)  # noqa: S603 - our own interpreter and text
    assert done.returncode == 0


def test_a_name_the_folder_does_not_have():
    with pytest.raises(AttributeError, match="no attribute 'QdrantCluster'"):
        memory.vector.QdrantCluster  # noqa: B018 - the look is the test
