from __future__ import annotations

import logging

import pytest
from qdrant_client import AsyncQdrantClient
from qdrant_client.models import PointStruct, ScoredPoint

from configs import load_config
from facades.library import InvalidRequestError
from facades.textbook import Textbook, asearch_qdrant, format_results, use
from memory.clock import VirtualClock
from memory.embedders import FakeDenseEmbedder
from memory.errors import ConfigError, DataFolderError, ModelError, StoreError
from memory.vector import DENSE_DOCS, FakeVectorStore, Point, SparseVector, VectorQuery
from tests.facades.shelves import TEXTBOOK, fill_server, filled
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.model_api import ModelApi, dimension, refused_url, status

TWIN = "What is a digital twin in robotics?"
AT = "2025-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server answers in real time


@pytest.fixture
async def textbook():
    store, embedder = await filled("textbook", TEXTBOOK)
    return Textbook(environ={}, embedder=embedder, store=store, clock=VirtualClock())


class FailingEmbedder(FakeDenseEmbedder):
    def __init__(self, error):
        super().__init__(TEXTBOOK)
        self.error = error

    async def embed_queries(self, texts):
        raise self.error


def failing(error):
    return Textbook(environ={}, embedder=FailingEmbedder(error), store=FakeVectorStore(), clock=VirtualClock())


@pytest.mark.specification("002 §4 success response", "002 §5 text integrity", "002 sample successful query")
async def test_retrieve_embeds_searches_and_formats(textbook):
    response = await textbook.aretrieve(TWIN, k=3)
    assert (response["query"], response["k"], response["total_results"], response["timestamp"]) == (TWIN, 3, 3, AT)
    best = response["results"][0]
    assert best["url"] == "module-02-simulation/digital-twin.md"
    assert "A digital twin is a virtual representation of a physical robot" in best["chunk_text"]
    assert best["chunk_id"].endswith("_0")
    scores = [row["relevance_score"] for row in response["results"]]
    assert scores == sorted(scores, reverse=True)
    points = await textbook.asearch_qdrant(await textbook.aembed_query(TWIN), 3)
    assert scores == [point.score for point in points]
    assert response == format_results(points, TWIN, 3, now=VirtualClock().now())
    again = await textbook.asearch_qdrant(iter(await textbook.aembed_query(TWIN)), 3)  # which can be read once
    assert again == points


@pytest.mark.specification("002 §2 search_qdrant", "002 §4 retrieve")
async def test_k_is_five_unless_it_is_said(textbook):
    assert (await textbook.aretrieve(TWIN))["total_results"] == 5
    points = await textbook.asearch_qdrant(await textbook.aembed_query(TWIN))
    assert len(points) == 5
    assert {point.version for point in points} == {0}  # the store tells none


@pytest.mark.specification("002 §4 error conditions", "002 sample empty query error", "002 §4 retrieve")
@pytest.mark.parametrize(
    ("query", "k", "error", "code"),
    [
        ("", 5, "Query cannot be empty", "INVALID_INPUT"),
        ("x" * 8001, 5, "Query exceeds maximum length", "INVALID_INPUT"),
        ("x", 0, "k must be positive integer between 1 and 100", "INVALID_INPUT"),
        ("x", 2.5, "k must be positive integer between 1 and 100", "INVALID_INPUT"),
        ("x", 101, "k must be positive integer between 1 and 100", "INVALID_INPUT"),
    ],
)
async def test_a_wrong_request_is_answered_without_asking_anybody(query, k, error, code):
    never = failing(AssertionError("asked"))
    assert await never.aretrieve(query, k) == {"error": error, "code": code, "timestamp": AT}


@pytest.mark.specification("002 §4 retrieve", "002 §4 error conditions")
async def test_the_longest_question_and_the_most_results(textbook):
    assert (await textbook.aretrieve("x" * 8000))["total_results"] == 5
    assert (await textbook.aretrieve(TWIN, k=100))["k"] == 100


@pytest.mark.specification("002 §4 error conditions")
@pytest.mark.parametrize(
    ("error", "said", "code"),
    [
        (
            ModelError("It refuses 'x'.", "Correct COHERE_API_KEY."),
            "Embedding service unavailable",
            "SERVICE_UNAVAILABLE",
        ),
        (TimeoutError(), "Embedding service unavailable", "SERVICE_UNAVAILABLE"),
        (RuntimeError("it refuses 'x'"), "An unexpected error occurred", "INTERNAL_ERROR"),
    ],
)
async def test_an_embedder_that_fails(error, said, code, caplog):
    with caplog.at_level(logging.WARNING):
        response = await failing(error).aretrieve("x")
    assert response == {"error": said, "code": code, "timestamp": AT}
    assert type(error).__name__ in caplog.text
    assert ("Correct COHERE_API_KEY." in caplog.text) is isinstance(error, ModelError)
    assert "refuses" not in caplog.text
    assert [record.name for record in caplog.records] == ["hybrid_retrieval"]


@pytest.mark.specification("002 §4 error conditions", "002 §2 search_qdrant")
async def test_a_store_that_is_gone(textbook, caplog):
    store = FakeVectorStore()
    await store.close()
    with caplog.at_level(logging.WARNING):
        response = await textbook.on(store).aretrieve(TWIN)
    assert response == {"error": "Database service unavailable", "code": "SERVICE_UNAVAILABLE", "timestamp": AT}
    assert "The vector store is closed" in caplog.text
    with pytest.raises(StoreError, match="closed"):
        await textbook.on(store).asearch_qdrant(await textbook.aembed_query(TWIN))


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification("002 §2 search_qdrant", "002 §4 error conditions")
async def test_a_server_that_is_not_there():
    environ, embedder = {"QDRANT_URL": refused_url()}, FakeDenseEmbedder(TEXTBOOK)
    textbook = Textbook(environ=environ, embedder=embedder, clock=VirtualClock())
    assert (await textbook.aretrieve(TWIN))["error"] == "Database service unavailable"
    with pytest.raises(StoreError):
        await textbook.asearch_qdrant([0.0] * TEXTBOOK)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification("002 §1 model", "002 §2 collection")
async def test_another_collection_may_be_named_and_one_of_another_dimension_is_refused(tmp_path):
    with EdgeHttpFront(str(tmp_path / "shard"), collection="rag_embeddings") as front:
        await fill_server(front.url, "cohere-textbook", "textbook", 1024)
        for collection, said in (("pages", "pages"), ("rag_embeddings", "has 1024 dimensions, the model 768")):
            environ = {"QDRANT_URL": front.url, "HYBRID_RETRIEVAL_VECTOR__QDRANT__COLLECTION": collection}
            textbook = Textbook(environ=environ, embedder=FakeDenseEmbedder(TEXTBOOK))
            with pytest.raises(DataFolderError, match=said):
                await textbook.asearch_qdrant([0.0] * TEXTBOOK)
            await textbook.aclose()


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification("002 §2 collection")
async def test_so_may_it_by_a_configuration_that_is_used(tmp_path):
    with EdgeHttpFront(str(tmp_path / "shard"), collection="rag_embeddings") as front:
        await fill_server(front.url, "cohere-textbook", "textbook", TEXTBOOK)
        for collection in ("rag_embeddings", "pages"):
            named = [f"vector.qdrant.url={front.url}", f"vector.qdrant.collection={collection}"]
            config = load_config("cohere-textbook", overrides=named)
            use(given := Textbook(config, {}, embedder=FakeDenseEmbedder(TEXTBOOK)))
            if collection == "pages":
                with pytest.raises(DataFolderError, match="there is no 'pages'"):
                    await asearch_qdrant([0.1] * TEXTBOOK)
            else:
                assert len(await asearch_qdrant([0.1] * TEXTBOOK)) == 5
            use(None)
            await given.aclose()


@pytest.mark.specification("002 §3 field mapping")
async def test_a_point_without_a_number_does_not_end_a_search():
    store, embedder = await filled("textbook", TEXTBOOK)
    everything = VectorQuery("", None, 1)
    [[hit]] = await store.query_batch([everything], permission=frozenset({"textbook"}))
    bare = FakeVectorStore()
    vector = (await embedder.embed_documents([hit.chunk.text]))[0].tolist()
    await bare.upsert([Point(hit.chunk, SparseVector((), ()), {DENSE_DOCS: vector})])
    response = await Textbook(environ={}, embedder=embedder, store=bare).aretrieve("x")
    assert [row["chunk_text"] for row in response["results"]] == [hit.chunk.text]
    assert "_" not in response["results"][0]["chunk_id"]


@pytest.mark.specification("002 sample no matches", "002 §2 no matches")
async def test_nothing_is_found_in_an_empty_collection(textbook):
    empty = textbook.on(FakeVectorStore())
    assert await empty.aretrieve("xyzzy frobozz magic word", k=5) == {
        "query": "xyzzy frobozz magic word",
        "k": 5,
        "results": [],
        "total_results": 0,
        "timestamp": AT,
    }
    assert await empty.asearch_qdrant(await empty.aembed_query("x")) == []


@pytest.mark.specification("002 §2 no matches")
async def test_nothing_is_found_below_the_least_score():
    store, embedder = await filled("textbook", TEXTBOOK)
    config = load_config("cohere-textbook", overrides=["vector.min_score=0.99"])
    textbook = Textbook(config, {}, embedder=embedder, store=store)
    assert (await textbook.aretrieve("xyzzy frobozz magic word"))["results"] == []


@pytest.mark.specification("002 §1 embed_query")
async def test_an_embedding_is_768_numbers(textbook):
    vector = await textbook.aembed_query("What is a digital twin?")
    assert len(vector) == 768
    assert {type(number) for number in vector} == {float}


@pytest.mark.specification("002 §1 validation")
@pytest.mark.parametrize(("query", "said"), [("", "cannot be empty"), ("x" * 8001, "exceeds maximum length")])
async def test_a_query_that_is_none_is_a_value_error_before_the_model_is_asked(query, said):
    with pytest.raises(ValueError, match=said) as raised:
        await failing(AssertionError("asked")).aembed_query(query)
    assert isinstance(raised.value, InvalidRequestError)


@pytest.mark.specification("002 §1 validation", "002 §4 error conditions")
async def test_a_setting_says_what_is_too_long():
    short = Textbook(environ={"HYBRID_RETRIEVAL_MAX_QUERY_CHARS": "9"}, embedder=FakeDenseEmbedder(TEXTBOOK))
    assert len(await short.aembed_query("x" * 9)) == TEXTBOOK
    with pytest.raises(ValueError, match="exceeds maximum length"):
        await short.aembed_query("x" * 10)
    assert (await short.aretrieve("x" * 10))["error"] == "Query exceeds maximum length"


@pytest.mark.specification("002 §2 search_qdrant", "002 §2 ordered", "002 §2 payload")
async def test_points_come_best_first_with_their_payload(textbook):
    points = await textbook.asearch_qdrant(await textbook.aembed_query(TWIN), k=3)
    assert len(points) == 3
    assert all(isinstance(point, ScoredPoint) for point in points)
    assert points[0].score >= points[1].score >= points[2].score
    assert {"text_content", "source_url", "chunk_index"} <= set(points[0].payload)


@pytest.mark.specification("002 §5 text integrity", "002 §2 payload")
async def test_texts_are_the_stored_ones_to_the_letter():
    store, embedder = await filled("textbook", TEXTBOOK)
    [hits] = await store.query_batch([VectorQuery("", None, 100)], permission=frozenset({"textbook"}))
    textbook = Textbook(environ={}, embedder=embedder, store=store)
    response = await textbook.aretrieve(TWIN, k=100)
    points = await textbook.asearch_qdrant(await textbook.aembed_query(TWIN), k=100)
    stored = sorted(hit.chunk.text for hit in hits)
    assert sorted(row["chunk_text"] for row in response["results"]) == stored
    assert sorted(point.payload["text_content"] for point in points) == stored
    assert {(p.payload["source_url"], p.payload["text_content"]) for p in points} == {
        (hit.chunk.path, hit.chunk.text) for hit in hits
    }


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification("002 §2 payload")
async def test_a_field_that_a_point_lacks_is_an_empty_text_and_what_is_no_text_is_given_as_one(tmp_path):
    with EdgeHttpFront(str(tmp_path / "shard"), collection="rag_embeddings") as front:
        await fill_server(front.url, "cohere-textbook", "textbook", TEXTBOOK)
        client = AsyncQdrantClient(url=front.url, check_compatibility=False)
        vector = [1.0] + [0.0] * (TEXTBOOK - 1)
        theirs = {"text_content": 12, "chunk_index": 7}
        await client.upsert("rag_embeddings", [PointStruct(id=1, vector=vector, payload=theirs)])
        await client.close()
        config = load_config("cohere-textbook", overrides=[f"vector.qdrant.url={front.url}"])
        textbook = Textbook(config, {}, embedder=FakeDenseEmbedder(TEXTBOOK))
        [point] = await textbook.asearch_qdrant(vector, k=1)
        await textbook.aclose()
    assert point.id == 1
    assert point.payload == {"text_content": "12", "source_url": "", "chunk_index": 7}


@pytest.mark.specification("002 §2 fewer")
async def test_there_may_be_fewer_than_k():
    store, embedder = await filled("textbook", TEXTBOOK)
    textbook = Textbook(environ={}, embedder=embedder, store=store)
    points = await textbook.asearch_qdrant(await textbook.aembed_query(TWIN), k=1000)
    assert 10 < len(points) == await store.count(permission=frozenset({"textbook"})) < 50


@pytest.mark.specification("002 §2 search_qdrant")
@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400, "0.5", None])
async def test_what_is_no_finite_number_is_a_value_error(textbook, number):
    embedding = await textbook.aembed_query(TWIN)
    with pytest.raises(ValueError, match="no finite number"):
        await textbook.asearch_qdrant([number, *embedding[1:]], 5)


@pytest.mark.specification("002 §2 search_qdrant")
@pytest.mark.parametrize("k", [0, -3, True, 2.5])
async def test_a_k_that_is_no_count_is_a_value_error(textbook, k):
    with pytest.raises(ValueError, match="k must be a positive integer"):
        await textbook.asearch_qdrant([0.0] * TEXTBOOK, k)


@pytest.mark.specification("002 §2 search_qdrant")
async def test_an_embedding_of_another_length_is_a_value_error(textbook):
    with pytest.raises(ValueError, match="3 numbers, the model's have 768"):
        await textbook.asearch_qdrant([0.0] * 3)


@pytest.mark.specification("002 §1 model", "002 §2 collection")
def test_the_profile_names_the_model_and_the_collection():
    vector = load_config("cohere-textbook").vector
    assert (vector.provider, vector.dense_model, vector.dimension) == ("cohere", "multilingual-22-12", 768)
    assert (vector.store, vector.qdrant.collection) == ("qdrant", "rag_embeddings")


def test_a_missing_key_is_met_when_it_is_made():
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        Textbook(environ={})


@pytest.mark.allow_hosts(["127.0.0.1"])
class TestWithTheApi:
    @pytest.fixture
    def api(self):
        with ModelApi(key="k", dimensions={"multilingual-22-12": 768}) as api:
            yield api

    @pytest.fixture
    async def asking(self, api):
        store, _ = await filled("textbook", TEXTBOOK)
        config = load_config("cohere-textbook", overrides=[f"hosted.base_url={api.cohere_url}"])
        textbook = Textbook(config, {"COHERE_API_KEY": "k"}, store=store, clock=VirtualClock())
        yield textbook
        await textbook.aclose()

    @pytest.mark.specification("002 §1 input type", "002 §1 model")
    async def test_the_model_is_asked_for_a_search_query(self, api, asking):
        assert (await asking.aretrieve(TWIN, 1))["results"][0]["url"].endswith("digital-twin.md")
        [call] = api.seen
        assert (call.body["input_type"], call.body["model"]) == ("search_query", "multilingual-22-12")
        assert call.body["texts"] == [TWIN]

    @pytest.mark.specification("002 §1 model")
    async def test_a_setting_changes_the_model(self, api):
        store, _ = await filled("textbook", TEXTBOOK)
        environ = {
            "COHERE_API_KEY": "k",
            "HYBRID_RETRIEVAL_HOSTED__BASE_URL": api.cohere_url,
            "HYBRID_RETRIEVAL_VECTOR__DENSE_MODEL": "embed-multilingual-v2.0",
        }
        asking = Textbook(environ=environ, store=store)
        await asking.aretrieve(TWIN)
        await asking.aclose()
        assert [call.body["model"] for call in api.seen] == ["embed-multilingual-v2.0"]

    @pytest.mark.specification("002 §1 retries")
    async def test_it_is_tried_again_before_it_is_unavailable(self, api, asking):
        api.plan(status(500), status(429, retry_after="1"))
        assert "results" in await asking.aretrieve(TWIN)
        assert len(api.seen) == 3
        api.plan(*[status(500)] * 4)
        assert (await asking.aretrieve(TWIN))["error"] == "Embedding service unavailable"
        assert len(api.seen) == 7

    @pytest.mark.specification("002 §1 embed_query")
    async def test_embed_query_raises_after_its_retries(self, api, asking):
        api.plan(*[status(503)] * 4)
        with pytest.raises(ModelError, match=r"could not embed: planned 503 \(503\)"):
            await asking.aembed_query(TWIN)

    async def test_another_dimension_is_unavailable(self, api, asking):
        api.plan(dimension(1024))
        assert (await asking.aretrieve(TWIN))["code"] == "SERVICE_UNAVAILABLE"
