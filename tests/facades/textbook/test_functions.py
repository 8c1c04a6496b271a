from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from facades import textbook
from facades.textbook.pipeline import check_retrieval
from memory.clock import VirtualClock
from memory.embedders import FakeDenseEmbedder
from memory.errors import ConfigError, InvalidInputError, StoreError
from memory.vector import FakeVectorStore
from tests.facades.shelves import TEXTBOOK, filled

QUESTION = "What is a digital twin?"


@pytest.fixture
def in_use():
    store, embedder = asyncio.run(filled("textbook", TEXTBOOK))
    textbook.use(textbook.Textbook(environ={}, embedder=embedder, store=store))
    yield
    textbook.use(None)


@pytest.fixture
def keyless(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COHERE_API_KEY", raising=False)
    textbook.use(None)
    return tmp_path


@pytest.mark.specification("002 §1 embed_query", "002 §2 search_qdrant", "002 §4 retrieve")
def test_the_functions_are_one_after_the_other_what_retrieve_does(in_use):
    embedding = textbook.embed_query(QUESTION)
    results = textbook.search_qdrant(embedding, k=3)
    response = textbook.retrieve(QUESTION, k=3)
    assert {**textbook.format_results(results, QUESTION, 3), "timestamp": ""} == {**response, "timestamp": ""}
    assert response["total_results"] == 3
    assert len(textbook.search_qdrant(embedding)) == textbook.retrieve(QUESTION)["k"] == 5


async def test_their_twins_give_the_same():
    store, embedder = await filled("textbook", TEXTBOOK)
    textbook.use(textbook.Textbook(environ={}, embedder=embedder, store=store))
    points = await textbook.asearch_qdrant(await textbook.aembed_query(QUESTION))
    response = await textbook.aretrieve(QUESTION)
    textbook.use(None)
    assert [row["relevance_score"] for row in response["results"]] == [point.score for point in points]
    assert len(points) == 5


@pytest.mark.specification("002 §1 embed_query", "002 §4 retrieve")
@pytest.mark.parametrize(
    ("call", "twin"),
    [
        (lambda: textbook.embed_query(QUESTION), "aembed_query"),
        (lambda: textbook.search_qdrant([0.0] * TEXTBOOK), "asearch_qdrant"),
        (lambda: textbook.retrieve(QUESTION), "aretrieve"),
        (textbook.test_retrieval, "check_retrieval"),
    ],
)
@pytest.mark.parametrize("in_use", [True, False])
async def test_in_a_running_loop_the_twin_is_named(call, twin, in_use):
    textbook.use(await ready() if in_use else None)
    with pytest.raises(InvalidInputError) as met:
        call()
    textbook.use(None)
    assert met.value.hint == f"Await {twin} instead."
    assert twin in textbook.__all__


@pytest.mark.specification("002 §1 embed_query")
def test_without_a_key_the_variable_is_named(keyless):
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        textbook.embed_query(QUESTION)


@pytest.mark.specification("002 §4 error conditions")
def test_without_a_key_retrieve_answers_and_the_log_names_the_variable(keyless, caplog):
    with caplog.at_level(logging.WARNING):
        response = textbook.retrieve(QUESTION)
    assert (response["error"], response["code"]) == ("Embedding service unavailable", "SERVICE_UNAVAILABLE")
    assert "COHERE_API_KEY is not set" in caplog.text


@pytest.mark.specification("002 §4 error conditions")
def test_a_wrong_setting_is_not_the_failure_of_cohere(keyless, caplog):
    (keyless / ".env").write_text("COHERE_API_KEY=x\nHYBRID_RETRIEVAL_VECTOR__QDRANT__TIMEOUT_MS=abc\n")
    with caplog.at_level(logging.WARNING):
        response = textbook.retrieve(QUESTION)
    assert (response["error"], response["code"]) == ("An unexpected error occurred", "INTERNAL_ERROR")
    assert "'abc' is not a whole number" in caplog.text


@pytest.mark.specification("002 §4 error conditions", "002 sample empty query error")
def test_without_a_key_a_wrong_request_is_still_that(keyless):
    assert textbook.retrieve("", k=5)["error"] == "Query cannot be empty"
    assert textbook.retrieve("x", k=500)["error"] == "k must be positive integer between 1 and 100"


@pytest.mark.specification("002 §1 embed_query", "002 §1 validation")
@pytest.mark.parametrize("query", ["", "  ", "x" * 9000])
def test_without_a_key_an_empty_question_is_still_a_value_error(keyless, query):
    with pytest.raises(ValueError, match="Query"):
        textbook.embed_query(query)


@pytest.mark.specification("002 §1 validation", "002 §2 search_qdrant")
@pytest.mark.parametrize(
    ("chars", "dimension", "longest", "numbers"),
    [("10", "256", 10, 256), ("9000", "1024", 9000, 1024), ("x", "1", 8000, TEXTBOOK)],
)
def test_without_a_key_the_bounds_are_those_that_are_set(keyless, monkeypatch, chars, dimension, longest, numbers):
    monkeypatch.setenv("HYBRID_RETRIEVAL_MAX_QUERY_CHARS", chars)
    monkeypatch.setenv("HYBRID_RETRIEVAL_VECTOR__DIMENSION", dimension)
    for call in (lambda: textbook.embed_query("x" * longest), lambda: textbook.search_qdrant([0.0] * numbers)):
        with pytest.raises(ConfigError):
            call()
    with pytest.raises(ValueError, match="exceeds maximum length"):
        textbook.embed_query("x" * (longest + 1))
    with pytest.raises(ValueError, match=f"3 numbers, the model's have {numbers}"):
        textbook.search_qdrant([0.0] * 3)
    assert textbook.retrieve("x" * (longest + 1))["code"] == "INVALID_INPUT"


@pytest.mark.specification("002 §2 search_qdrant")
@pytest.mark.parametrize(
    ("embedding", "k", "said"),
    [
        ([0.0] * TEXTBOOK, 0, "k must be a positive integer"),
        ([0.0] * 3, 5, "3 numbers, the model's have 768"),
        (None, 5, "The embedding is None"),
    ],
)
def test_without_a_key_a_wrong_search_is_still_a_value_error(keyless, embedding, k, said):
    with pytest.raises(ValueError, match=said):
        textbook.search_qdrant(embedding, k)
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        textbook.search_qdrant([0.0] * TEXTBOOK)


def test_the_key_comes_out_of_the_file_of_the_current_folder(keyless, tmp_path):
    (tmp_path / ".env").write_text("COHERE_API_KEY=k\n", encoding="utf-8")
    assert textbook.retrieve("")["error"] == "Query cannot be empty"
    with pytest.raises(ValueError, match="cannot be empty"):
        textbook.embed_query("")
    textbook.use(None)


async def ready(store_class=None):
    store, embedder = await filled("textbook", TEXTBOOK)
    if store_class is not None:
        store.__class__ = store_class
    return textbook.Textbook(environ={}, embedder=embedder, store=store, clock=VirtualClock())


@pytest.mark.specification(
    "002 §5 happy path",
    "002 §5 empty query",
    "002 §5 no matches",
    "002 §5 known query",
    "002 §5 metadata accuracy",
    "002 §5 text integrity",
)
def test_the_integration_test_passes_on_the_example():
    textbook.use(asyncio.run(ready()))
    textbook.test_retrieval()
    textbook.use(None)


class Asked(textbook.Textbook):
    """Keeps its questions."""

    questions: tuple[str, ...] = ()

    async def aembed_query(self, query):
        self.questions += (query,)
        return await super().aembed_query(query)

    async def aretrieve(self, query, k=5):
        self.questions += (query,)
        return await super().aretrieve(query, k)


@pytest.mark.specification("002 §5 happy path", "002 §5 known query")
async def test_what_it_asks_is_in_the_specification_or_in_the_collection(tmp_path):
    page = f"What is a digital twin? {' '.join(f'w{n}' for n in range(150))}"
    (tmp_path / "twin.md").write_text(page, encoding="utf-8")
    store, embedder = await filled("textbook", TEXTBOOK, tmp_path)
    asked = Asked(environ={}, embedder=embedder, store=store)
    best = (await asked.asearch_qdrant(await asked.aembed_query("What is a digital twin?"), 1))[0].payload
    asked.questions = ()
    await check_retrieval(asked)
    words = " ".join(best["text_content"].split()[:100])
    assert words.endswith(" w94")
    assert asked.questions == ("What is a digital twin?", "What is a digital twin?", "", words)


async def test_no_question_of_it_is_longer_than_one_may_be(tmp_path):
    page = f"What is a digital twin? {' '.join('w' * 200 for _ in range(90))}"
    (tmp_path / "twin.md").write_text(page, encoding="utf-8")
    store, embedder = await filled("textbook", TEXTBOOK, tmp_path)
    asked = Asked(environ={}, embedder=embedder, store=store)
    await check_retrieval(asked)
    assert max(map(len, asked.questions)) == asked.max_query_chars == 8000


class Lies(FakeVectorStore):
    """Changes what the second and later searches say of a chunk."""

    lie = staticmethod(lambda hit: hit)

    async def query_batch(self, queries, *, permission):
        self.asked = getattr(self, "asked", 0) + 1
        answers = await super().query_batch(queries, permission=permission)
        return answers if self.asked == 1 else [[self.lie(hit) for hit in hits] for hits in answers]


class OtherAddress(Lies):
    lie = staticmethod(lambda hit: replace(hit, chunk=replace(hit.chunk, path="elsewhere")))


class OtherNumber(Lies):
    lie = staticmethod(lambda hit: replace(hit, extra={**hit.extra, "chunk_index": 77}))


class OtherText(Lies):
    lie = staticmethod(lambda hit: replace(hit, chunk=replace(hit.chunk, text=f"{hit.chunk.text}!")))


class Empty(Lies):
    async def query_batch(self, queries, *, permission):
        return [[] for _ in queries]


class Forgets(Lies):
    """Finds nothing from the third search on."""

    async def query_batch(self, queries, *, permission):
        answers = await super().query_batch(queries, permission=permission)
        return answers if self.asked < 3 else [[] for _ in queries]


class Breaks(Lies):
    """Is gone from the third search on."""

    async def query_batch(self, queries, *, permission):
        answers = await super().query_batch(queries, permission=permission)
        if self.asked < 3:
            return answers
        raise StoreError("Gone.")


@pytest.mark.parametrize(
    ("store", "failed"),
    [
        (Empty, "1 happy path"),
        (Forgets, "4 known query"),
        (Breaks, "4 known query"),
        (OtherAddress, "5 metadata accuracy"),
        (OtherNumber, "5 metadata accuracy"),
        (OtherText, "6 text integrity"),
    ],
)
@pytest.mark.specification(
    "002 §5 happy path", "002 §5 known query", "002 §5 metadata accuracy", "002 §5 text integrity"
)
async def test_a_store_that_is_wrong_fails_the_check_that_looks_there(store, failed):
    with pytest.raises(AssertionError, match=f"^{failed}: "):
        await check_retrieval(await ready(store))


class Unnumbered(FakeVectorStore):
    """Points of somebody else's, which have no number in their page."""

    async def query_batch(self, queries, *, permission):
        answers = await super().query_batch(queries, permission=permission)
        return [[replace(hit, extra={**hit.extra, "chunk_index": None}) for hit in hits] for hits in answers]


@pytest.mark.specification("002 §5 metadata accuracy")
async def test_points_without_a_number_pass():
    await check_retrieval(await ready(Unnumbered))


@pytest.mark.parametrize(
    ("store", "said"),
    [
        (Empty, r"^1 happy path: 'What is a digital twin\?' gave \{'query': "),
        (Forgets, r"^4 known query: the words of \S+_0 gave \[\]$"),
        (OtherAddress, r"^5 metadata accuracy: \[\('elsewhere', '\S+_0'\), .* is not \[\('module-02.*\]$"),
        (OtherText, r"^6 text integrity: a text is not the stored one$"),
    ],
)
async def test_a_failed_check_says_what_it_saw(store, said):
    with pytest.raises(AssertionError, match=said):
        await check_retrieval(await ready(store))


class Accepts(textbook.Textbook):
    """Answers an empty query, and finds something in nothing."""

    async def aretrieve(self, query, k=5):
        return await super().aretrieve(query or "x", k)


class Invents(textbook.Textbook):
    def on(self, store):
        return self


@pytest.mark.parametrize(("kind", "failed"), [(Accepts, "2 empty query"), (Invents, "3 no matches")])
@pytest.mark.specification("002 §5 empty query", "002 §5 no matches")
async def test_a_pipeline_that_is_wrong_fails_the_check_that_looks_there(kind, failed):
    store, embedder = await filled("textbook", TEXTBOOK)
    with pytest.raises(AssertionError, match=f"^{failed}: "):
        await check_retrieval(kind(environ={}, embedder=embedder, store=store))


async def test_an_embedder_that_fails_is_told_as_it_is():
    class Gone(FakeDenseEmbedder):
        async def embed_queries(self, texts):
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        await check_retrieval(textbook.Textbook(environ={}, embedder=Gone(TEXTBOOK), store=FakeVectorStore()))
