"""004's components one after the other are what its pipeline does."""

from __future__ import annotations

import asyncio

import pytest

from configs import load_config
from facades.book import (
    APIError,
    QdrantConnectionError,
    Query,
    QueryEmbedder,
    ResultFormatter,
    RetrievalPipeline,
    VectorRetriever,
)
from memory.clock import VirtualClock
from memory.embedders import FakeDenseEmbedder
from memory.errors import ConfigError, DataFolderError, InvalidInputError, ModelError, StoreError
from memory.vector import FakeVectorStore
from tests.facades.shelves import BOOK, fill_server, filled
from tests.linear import seconds
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.model_api import ModelApi, refused_url, status

QUESTION = "What are behavior trees for task planning?"


@pytest.mark.specification("004 §1 components")
async def test_one_after_the_other():
    store, embedder = await filled("book", BOOK)
    pipeline = RetrievalPipeline("", "", "", embedder=embedder, store=store, clock=VirtualClock())
    vector = await pipeline.embedder.embed(QUESTION)
    hits = await pipeline.retriever.retrieve(vector, 3)
    response = await pipeline.aquery(QUESTION, 3, 0.1)
    assert (len(vector), len(hits)) == (1024, 3)
    assert ResultFormatter.format(hits, Query(QUESTION, VirtualClock().now(), 3, 0.1)) == response
    first = response.results[0]
    strict = ResultFormatter.format(hits, Query(QUESTION, similarity_threshold=first.similarity_score))
    assert strict.results == [first]
    assert isinstance(pipeline.embedder, QueryEmbedder)
    assert isinstance(pipeline.retriever, VectorRetriever)
    with pytest.raises(ValueError, match="empty"):
        await pipeline.embedder.embed(" ")
    for wrong in (-1, 0, 2.5, True, 10**30):
        with pytest.raises(ValueError, match=f"top_k is {wrong}"):
            await pipeline.retriever.retrieve(vector, wrong)


@pytest.mark.specification("004 §8 formatting")
async def test_formatting_ten_results_takes_less_than_ten_milliseconds():
    store, embedder = await filled("book", BOOK)
    pipeline = RetrievalPipeline("", "", "", embedder=embedder, store=store)
    hits = await pipeline.retriever.retrieve(await pipeline.embedder.embed(QUESTION), 10)
    assert ResultFormatter.format(hits, Query(QUESTION, top_k=10)).total_results == 10
    taken = [seconds(lambda: ResultFormatter.format(hits, Query(QUESTION, top_k=10))) for _ in range(20)]
    assert min(taken) * 1000 < 10


LOCAL = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server answers in real time


async def ready(**parts):
    store, embedder = await filled("book", BOOK)
    return RetrievalPipeline("", "", "", **({"embedder": embedder, "store": store, "clock": VirtualClock()} | parts))


@pytest.mark.specification("004 §3 query", "004 §1 flow", "004 §2 RetrievalResponse")
async def test_a_query_is_answered_with_its_parameters():
    response = await (await ready()).aquery(QUESTION, top_k=3, similarity_threshold=0.1)
    assert (response.query_text, response.total_results, len(response.results)) == (QUESTION, 3, 3)
    assert response.parameters == {"top_k": 3, "similarity_threshold": 0.1}
    assert response.timestamp == VirtualClock().now()
    assert response.execution_time_ms == 0.0  # the clock stands still
    assert response.results[0].source_file == "module-04-behaviour/behaviour-trees.md"
    assert response.results[0].section_title.startswith("Behavior trees")
    assert [result.rank for result in response.results] == [1, 2, 3]


@pytest.mark.specification("004 §3 query")
def test_query_is_synchronous():
    pipeline = asyncio.run(ready())
    response = pipeline.query(QUESTION)
    assert response.parameters == {"top_k": 5, "similarity_threshold": 0.0}
    assert response.total_results == 5
    pipeline.close()


@pytest.mark.specification("004 §3 query")
async def test_in_a_running_loop_the_twin_is_named():
    pipeline = await ready()
    with pytest.raises(InvalidInputError, match=r"Await RetrievalPipeline\.aquery instead"):
        pipeline.query(QUESTION)
    with pytest.raises(ValueError, match="empty"):
        pipeline.query("")
    with pytest.raises(InvalidInputError, match=r"Await RetrievalPipeline\.aclose instead"):
        pipeline.close()


@pytest.mark.specification("004 §2 RetrievalResponse")
async def test_time_is_measured_in_milliseconds():
    clock = VirtualClock()

    class Slow(FakeDenseEmbedder):
        async def embed_queries(self, texts):
            await clock.sleep(0.25)
            return await super().embed_queries(texts)

    response = await (await ready(embedder=Slow(BOOK), clock=clock)).aquery(QUESTION)
    assert response.execution_time_ms == 250.0


@pytest.mark.specification("004 §4 ordered", "004 §4 consistency")
async def test_results_fall_and_are_the_same_every_time():
    pipeline = await ready()
    first, second = [(await pipeline.aquery(QUESTION, 10)).results for _ in range(2)]
    assert first == second
    scores = [result.similarity_score for result in first]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.specification("004 §2 threshold", "004 §4 threshold")
async def test_a_threshold_keeps_what_is_as_similar():
    pipeline = await ready()
    scores = [result.similarity_score for result in (await pipeline.aquery(QUESTION, 10)).results]
    strict = await pipeline.aquery(QUESTION, 10, scores[2])
    assert [result.similarity_score for result in strict.results] == [score for score in scores if score >= scores[2]]
    assert 3 <= strict.total_results < 10
    assert (await pipeline.aquery(QUESTION, 10, 1.0)).results == []


@pytest.mark.specification("004 §1 no caching")
async def test_the_same_question_is_embedded_each_time():
    asked = []

    class Counting(FakeDenseEmbedder):
        async def embed_queries(self, texts):
            asked.extend(texts)
            return await super().embed_queries(texts)

    pipeline = await ready(embedder=Counting(BOOK))
    await pipeline.aquery(QUESTION)
    await pipeline.aquery(QUESTION)
    assert asked == [QUESTION, QUESTION]


@pytest.mark.specification("004 §3 errors", "004 §4 disconnected")
async def test_a_store_that_is_gone_is_a_connection_error():
    store = FakeVectorStore()
    await store.close()
    with pytest.raises(ConnectionError, match="The vector store is closed") as raised:
        await (await ready(store=store)).aquery(QUESTION)
    assert isinstance(raised.value, QdrantConnectionError)
    assert isinstance(raised.value.__cause__, StoreError)


@pytest.mark.specification("004 §3 errors")
async def test_a_model_that_fails_is_an_api_error():
    class Gone(FakeDenseEmbedder):
        async def embed_queries(self, texts):
            raise ModelError("Cohere is gone.", "Wait.")

    with pytest.raises(APIError, match=r"Cohere is gone\. Wait\.") as raised:
        await (await ready(embedder=Gone(BOOK))).aquery(QUESTION)
    assert isinstance(raised.value.__cause__, ModelError)


@pytest.mark.specification("004 §3 constructor", "004 §3 errors")
@pytest.mark.parametrize("key", ["", " ", None])
def test_without_a_key_the_variable_is_named_at_once(key):
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        RetrievalPipeline(key, "http://q", None)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ((3, "", ""), "COHERE_API_KEY"),
        (("k", 4, ""), "QDRANT_URL"),
        (("k", "", 5), "QDRANT_API_KEY"),
        (("k", "", "", 6), "collection_name"),
        (("k", "", "", "c", 7), "embedding_model"),
    ],
)
def test_what_is_no_text_is_named(given, name):
    with pytest.raises(ConfigError, match=f"RetrievalPipeline: {name}: is a value of type int, no text"):
        RetrievalPipeline(*given)


@pytest.mark.specification("004 §5 configuration")
def test_without_a_key_in_the_environment_too():
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        RetrievalPipeline.from_env({"QDRANT_URL": "http://q"})


@pytest.mark.specification("004 §5 configuration")
def test_a_file_in_the_folder_is_read_where_no_environment_is_given(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("COHERE_API_KEY=\nQDRANT_URL=nowhere\nQDRANT_COLLECTION=mine\n")
    monkeypatch.chdir(tmp_path)
    for name in ("COHERE_API_KEY", "QDRANT_URL", "QDRANT_COLLECTION"):
        monkeypatch.delenv(name, raising=False)
    store, embedder = FakeVectorStore(), FakeDenseEmbedder(4)
    assert "nowhere" in str(RetrievalPipeline.from_env(embedder=embedder, store=store)._environ)


@pytest.mark.specification("004 §3 query")
async def test_what_no_model_reads_is_not_embedded():
    store, embedder = await filled("book", BOOK)
    pipeline = RetrievalPipeline("", "", "", embedder=embedder, store=store)
    strange, plain = await pipeline.aquery("be\udcffhavior\x00 trees"), await pipeline.aquery("behavior trees")
    assert [one.chunk_id for one in strange.results] == [one.chunk_id for one in plain.results]


async def test_its_clock_and_its_settings_go_along():
    clock = VirtualClock()
    store, embedder = await filled("book", BOOK)
    pipeline = RetrievalPipeline.from_env({}, embedder=embedder, store=store, clock=clock)
    assert (await pipeline.aquery(QUESTION)).timestamp == clock.now()
    config = load_config("cohere-book", overrides=["vector.qdrant.retries=0"])
    hasty = RetrievalPipeline("", "", "", config=config, embedder=embedder, clock=clock).at("http://127.0.0.1:1")
    with pytest.raises(QdrantConnectionError):
        await hasty.aquery(QUESTION)
    await hasty.aclose()
    assert clock.seconds == 0.0  # it did not wait to try again


def test_a_setting_that_is_none_is_the_environment_s():
    with pytest.raises(ConfigError, match="HYBRID_RETRIEVAL_AGENT_TIMEOUT_MS"):
        RetrievalPipeline.from_env({"COHERE_API_KEY": "k", "HYBRID_RETRIEVAL_AGENT_TIMEOUT_MS": "soon"})


@pytest.mark.specification("004 §5 model")
def test_the_profile_names_the_model_and_the_collection():
    vector = load_config("cohere-book").vector
    assert (vector.provider, vector.dense_model, vector.dimension) == ("cohere", "embed-multilingual-v3.0", 1024)
    assert (vector.store, vector.qdrant.collection) == ("qdrant", "physicalai")


@LOCAL
class TestOverHttp:
    @pytest.fixture
    def api(self):
        with ModelApi(key="cohere-key") as api:
            yield api

    @pytest.fixture
    async def front(self, tmp_path):
        with EdgeHttpFront(str(tmp_path / "shard"), collection="physicalai") as front:
            await fill_server(front.url, "cohere-book", "book", BOOK)
            front.seen.clear()
            yield front

    def config(self, api, *overrides):
        return load_config("cohere-book", overrides=[f"hosted.base_url={api.cohere_url}", *overrides])

    @pytest.mark.specification("004 §3 constructor", "004 §1 flow", "004 §1 no caching", "004 §5 model")
    @pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection:UserWarning")
    async def test_keys_address_collection_and_model_go_where_they_belong(self, api, front):
        front.key = "qdrant-key"
        pipeline = RetrievalPipeline("cohere-key", front.url, "qdrant-key", config=self.config(api))
        response = await pipeline.aquery(QUESTION, 3)
        assert (await pipeline.aquery(QUESTION, 3)).results == response.results
        await pipeline.aclose()
        assert response.results[0].source_file == "module-04-behaviour/behaviour-trees.md"
        assert api.paths() == ["embed", "embed"]  # no model writes
        call, again = api.seen  # nothing is remembered
        assert again.body == call.body
        assert (call.key, call.body["model"], call.body["input_type"]) == (
            "cohere-key",
            "embed-multilingual-v3.0",
            "search_query",
        )
        assert front.seen[-1].path == "/collections/physicalai/points/query/batch"
        assert {seen.headers["api-key"] for seen in front.seen} == {"qdrant-key"}
        assert front.config["vectors"] == {"size": 1024, "distance": "Cosine"}

    @pytest.mark.specification("004 §5 configuration", "004 §3 errors", "004 §3 constructor")
    async def test_from_the_environment(self, api, front):
        environ = {
            "COHERE_API_KEY": "cohere-key",
            "QDRANT_URL": front.url,
            "QDRANT_API_KEY": "",
            "QDRANT_COLLECTION": "physicalai",
            "EMBEDDING_MODEL": "embed-multilingual-v3.0-other",
            "HYBRID_RETRIEVAL_HOSTED__BASE_URL": api.cohere_url,
        }
        pipeline = RetrievalPipeline.from_env(environ)
        assert (await pipeline.aquery(QUESTION)).total_results == 5
        await pipeline.aclose()
        assert api.seen[0].body["model"] == "embed-multilingual-v3.0-other"
        assert not any("api-key" in {name.lower() for name in seen.headers} for seen in front.seen)
        elsewhere = RetrievalPipeline.from_env({**environ, "QDRANT_COLLECTION": "other"})
        with pytest.raises(DataFolderError, match="there is no 'other'"):
            await elsewhere.aquery(QUESTION)
        await elsewhere.aclose()

    @pytest.mark.specification("004 §3 errors")
    async def test_cohere_s_failure_is_an_api_error_after_its_retries(self, api, front):
        api.plan(*[status(500)] * 4)
        pipeline = RetrievalPipeline("cohere-key", front.url, "", config=self.config(api), clock=VirtualClock())
        with pytest.raises(APIError, match=r"planned 500 \(500\)"):
            await pipeline.aquery(QUESTION)
        assert len(api.seen) == 4
        assert (await pipeline.aquery(QUESTION)).results
        await pipeline.aclose()

    @pytest.mark.specification("004 §3 errors")
    async def test_a_wrong_key_is_told(self, api, front):
        pipeline = RetrievalPipeline("wrong", front.url, "", config=self.config(api))
        with pytest.raises(APIError, match="refuses the key in COHERE_API_KEY"):
            await pipeline.aquery(QUESTION)
        await pipeline.aclose()

    @pytest.mark.specification("004 §3 errors", "004 §4 disconnected")
    async def test_qdrant_out_of_reach_is_a_connection_error_that_says_where(self, api, front):
        here = RetrievalPipeline("cohere-key", front.url, "", config=self.config(api), clock=VirtualClock())
        away = here.at(refused_url())
        with pytest.raises(ConnectionError, match=r"Qdrant at http://127\.0\.0\.1:\d+ could not answer"):
            await away.aquery(QUESTION)
        assert (await here.aquery(QUESTION)).results
        await away.aclose()
        await here.aclose()
