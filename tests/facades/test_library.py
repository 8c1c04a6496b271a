"""The environment and the errors of 002 and 004, and the library on which both stand."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from configs import load_config
from facades.library import APIError, InvalidRequestError, Library, QdrantConnectionError, pointed, read_environment
from memory.clock import VirtualClock
from memory.embedders import FakeDenseEmbedder, LocalDense
from memory.errors import ConfigError, DataFolderError, InvalidInputError, ModelError, StoreError
from tests.facades.shelves import BOOK, PAGES, fill_server, filled
from tests.memory.vector.edge_http_front import EdgeHttpFront

LOCAL = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.mark.specification("004 §5 configuration")
def test_a_file_stands_below_the_variables_that_are_set(tmp_path, monkeypatch):
    file = tmp_path / "mine.env"
    file.write_text("COHERE_API_KEY=from-file\nQDRANT_URL='http://q'\nBARE\n# comment\n", encoding="utf-8")
    monkeypatch.setenv("COHERE_API_KEY", "from-environment")
    found = read_environment(file)
    assert (found["COHERE_API_KEY"], found["QDRANT_URL"]) == ("from-environment", "http://q")
    assert "BARE" not in found


@pytest.mark.specification("004 §5 configuration")
def test_the_file_of_the_current_folder_is_read_if_there_is_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "FROM_DOTENV" not in read_environment()
    (tmp_path / ".env").write_text("FROM_DOTENV=1\n", encoding="utf-8")
    assert read_environment()["FROM_DOTENV"] == "1"


def test_a_file_that_was_named_must_be_there(tmp_path):
    with pytest.raises(ConfigError) as met:
        read_environment(tmp_path / "nowhere.env")
    assert met.value.message == f"{tmp_path / 'nowhere.env'}: the environment file: there is none."
    assert met.value.hint == "Name one that is there, or leave it out."


@pytest.mark.specification("004 §5 configuration")
def test_what_the_variables_point_at():
    config = load_config("cohere-book")
    assert pointed(config, {"QDRANT_URL": " ", "QDRANT_API_KEY": ""}) == config
    there = pointed(config, {"QDRANT_URL": "http://q", "QDRANT_API_KEY": "k"}, collection="c", model="m").vector
    assert (there.qdrant.url, there.qdrant.api_key_env, there.qdrant.collection) == ("http://q", "QDRANT_API_KEY", "c")
    assert there.dense_model == "m"
    assert there.qdrant.payload == config.vector.qdrant.payload


@LOCAL
@pytest.mark.specification("002 §2 search_qdrant")
def test_a_vector_may_be_an_array_and_what_is_none_is_refused(tmp_path):
    async def nearest(vector):
        library = Library(config, {}, embedder=FakeDenseEmbedder(BOOK))
        try:
            return await library.nearest(vector, 3)
        finally:
            await library.close()

    with EdgeHttpFront(str(tmp_path / "shard"), collection="physicalai") as front:
        asyncio.run(fill_server(front.url, "cohere-book", "book", BOOK))
        config = pointed(load_config("cohere-book"), {"QDRANT_URL": front.url})
        [vector] = asyncio.run(FakeDenseEmbedder(BOOK).embed_queries(["a digital twin"]))
        found = asyncio.run(nearest(vector.tolist()))
        assert len(found) == 3
        assert asyncio.run(nearest(vector)) == asyncio.run(nearest(tuple(vector.tolist()))) == found
        for wrong, said in ((None, "The embedding is None"), (7, "The embedding is 7"), ("text", "no finite number")):
            with pytest.raises(InvalidRequestError, match=said):
                asyncio.run(nearest(wrong))


@pytest.mark.specification("004 §3 errors")
@pytest.mark.parametrize(
    ("error", "ours", "theirs", "code", "exit_code"),
    [
        (InvalidRequestError, InvalidInputError, ValueError, "invalid_input", 2),
        (QdrantConnectionError, StoreError, ConnectionError, "store", 3),
        (APIError, ModelError, Exception, "model", 3),
    ],
)
def test_each_is_ours_and_what_the_specification_names(error, ours, theirs, code, exit_code):
    raised = error("What.", "Do this.")
    assert isinstance(raised, ours)
    assert isinstance(raised, theirs)
    assert (raised.message, raised.hint, str(raised)) == ("What.", "Do this.", "What. Do this.")
    assert (raised.code, raised.exit_code) == (code, exit_code)


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server answers in real time


def configured(*overrides):
    return load_config("cohere-book", overrides=overrides)


async def test_only_the_one_project_is_searched():
    store, embedder = await filled("book", BOOK)
    library = Library(configured(), {}, embedder=embedder, store=store)
    other = Library(configured('vector.qdrant.constants={"project": "elsewhere"}'), {}, embedder=embedder, store=store)
    vector = await library.embed("Gazebo")
    assert len(await library.nearest(vector, 7)) == 7
    assert await other.nearest(vector, 7) == []


async def test_scores_are_cosines_best_first():
    store, embedder = await filled("book", BOOK)
    library = Library(configured(), {}, embedder=embedder, store=store)
    vector = await library.embed("behavior trees")
    hits = await library.nearest(vector, 5)
    texts = [hit.chunk.text for hit in hits]
    cosines = (await embedder.embed_documents(texts)) @ (await embedder.embed_queries(["behavior trees"]))[0]
    assert [hit.score for hit in hits] == pytest.approx([float(cosine) for cosine in cosines], abs=1e-6)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_a_least_score_leaves_the_rest_out():
    store, embedder = await filled("book", BOOK)
    library = Library(configured("vector.min_score=0.3"), {}, embedder=embedder, store=store)
    free = Library(configured(), {}, embedder=embedder, store=store)
    vector = await library.embed("behavior trees")
    scores = [hit.score for hit in await free.nearest(vector, 20)]
    assert [hit.score for hit in await library.nearest(vector, 20)] == [score for score in scores if score >= 0.3]
    assert min(scores) < 0.3 < max(scores)


async def test_a_vector_of_another_length_is_refused():
    store, embedder = await filled("book", BOOK)
    library = Library(configured(), {}, embedder=embedder, store=store)
    with pytest.raises(InvalidInputError, match="3 numbers; fake-bag-of-words gives 1024"):
        await library.nearest([0.0] * 3, 5)


def test_a_missing_key_is_met_at_once():
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        Library(configured(), {})


def test_a_profile_without_a_project_is_refused():
    with pytest.raises(ConfigError) as met:
        Library(configured("vector.qdrant.constants={}"), {}, embedder=FakeDenseEmbedder(8))
    assert met.value.message == "settings: vector.qdrant.constants: they name no project."
    assert met.value.hint == "Give constants.project."


def test_the_settings_may_name_a_model_of_this_machine():
    config = configured("vector.provider=local", "vector.dense_model=hybrid-retrieval/bge-small-systems")
    library = Library(replace(config, vector=replace(config.vector, dimension=384)), {})
    assert isinstance(library.embedder, LocalDense)
    assert library.dimension == 384


@LOCAL
class TestOnAServer:
    @pytest.fixture
    def front(self, tmp_path):
        with EdgeHttpFront(str(tmp_path / "shard"), collection="physicalai") as front:
            yield front

    def library(self, front, **parts):
        config = configured(f"vector.qdrant.url={front.url}", *parts.pop("overrides", ()))
        return Library(config, {}, embedder=FakeDenseEmbedder(BOOK), clock=VirtualClock(), **parts)

    async def test_the_store_is_opened_by_the_first_search_and_once(self, front):
        await fill_server(front.url, "cohere-book", "book", BOOK)
        front.seen.clear()
        library = self.library(front)
        vector = await library.embed("Gazebo")
        assert front.seen == []
        first = await library.nearest(vector, 50)
        asked = len(front.seen)
        assert await library.nearest(vector, 50) == first
        assert [seen.path for seen in front.seen[asked:]] == ["/collections/physicalai/points/query/batch"]
        await library.close()
        await library.close()

    async def test_one_unnamed_vector_and_no_filter_on_what_they_do_not_have(self, front):
        await fill_server(front.url, "cohere-book", "book", BOOK)
        front.seen.clear()
        library = self.library(front)
        await library.nearest(await library.embed("Gazebo"), 3)
        await library.close()
        [search] = front.seen[-1].body["searches"]
        assert "using" not in search
        assert search["filter"] == {"must": []}
        assert len(search["query"]["nearest"]) == BOOK

    async def test_the_server_finds_what_memory_finds(self, front):
        await fill_server(front.url, "cohere-book", "book", BOOK)
        store, embedder = await filled("book", BOOK)
        memory = Library(configured(), {}, embedder=embedder, store=store)
        library = self.library(front)
        for question in ("Gazebo", "behavior trees", "What is a digital twin?"):
            vector = await library.embed(question)
            there, here = await library.nearest(vector, 8), await memory.nearest(vector, 8)
            assert [hit.chunk.id for hit in there] == [hit.chunk.id for hit in here]
            assert [hit.score for hit in there] == pytest.approx([hit.score for hit in here], abs=1e-5)
            assert [library.payload(hit) for hit in there] == [memory.payload(hit) for hit in here]
        await library.close()

    async def test_a_collection_of_another_dimension_names_both(self, front):
        await fill_server(front.url, "cohere-book", "book", 768)
        library = self.library(front)
        with pytest.raises(DataFolderError, match="the collection has 768 dimensions, the model 1024"):
            await library.nearest(await library.embed("x"), 3)

    async def test_a_server_that_is_out_of_reach_is_tried_again_by_the_next_search(self, front):
        await fill_server(front.url, "cohere-book", "book", BOOK)
        library = self.library(front, overrides=["vector.qdrant.retries=0"])
        front.planned.append((503, {}, b"{}"))
        vector = await library.embed("x")
        with pytest.raises(StoreError):
            await library.nearest(vector, 3)
        assert len(await library.nearest(vector, 3)) == 3
        await library.close()


def test_the_payload_is_under_their_names():
    async def run():
        store, embedder = await filled("book", BOOK)
        library = Library(configured(), {}, embedder=embedder, store=store)
        [hit] = await library.nearest(await library.embed("Gazebo"), 1)
        return hit, library.payload(hit)

    hit, payload = asyncio.run(run())
    assert {name: payload[name] for name in ("content", "source_file", "section_title", "content_hash")} == {
        "content": hit.chunk.text,
        "source_file": hit.chunk.path,
        "section_title": hit.chunk.section,
        "content_hash": hit.chunk.text_hash,
    }
    assert (PAGES / payload["source_file"]).is_file()
    assert not {"project", "text", "path", "namespace", "file", "start_line"} & set(payload)


def test_a_file_that_is_not_utf_8_is_named(tmp_path):
    file = tmp_path / "mine.env"
    file.write_bytes("KEY=Zürich\n".encode("latin-1"))
    with pytest.raises(ConfigError, match="it is not UTF-8") as met:
        read_environment(file)
    assert str(file) in met.value.message
