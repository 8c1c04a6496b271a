from __future__ import annotations

import asyncio
import logging

import pytest

from facades import textbook
from memory.errors import ConfigError, InvalidInputError
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


@pytest.mark.specification("002 §1 embed_query", "002 §2 search_qdrant", "002 §4 retrieve")
def test_the_functions_are_one_after_the_other_what_retrieve_does(in_use):
    embedding = textbook.embed_query(QUESTION)
    results = textbook.search_qdrant(embedding, k=3)
    response = textbook.retrieve(QUESTION, k=3)
    assert {**textbook.format_results(results, QUESTION, 3), "timestamp": ""} == {**response, "timestamp": ""}
    assert response["total_results"] == 3


async def test_their_twins_give_the_same():
    store, embedder = await filled("textbook", TEXTBOOK)
    textbook.use(textbook.Textbook(environ={}, embedder=embedder, store=store))
    points = await textbook.asearch_qdrant(await textbook.aembed_query(QUESTION))
    response = await textbook.aretrieve(QUESTION)
    textbook.use(None)
    assert [row["relevance_score"] for row in response["results"]] == [point.score for point in points]
    assert len(points) == 5


async def test_in_a_running_loop_the_twin_is_named():
    with pytest.raises(InvalidInputError, match="Await aretrieve instead"):
        textbook.retrieve(QUESTION)


def test_without_a_key_the_variable_is_named(keyless):
    with pytest.raises(ConfigError, match="COHERE_API_KEY is not set"):
        textbook.embed_query(QUESTION)


@pytest.mark.specification("002 §4 error conditions")
def test_without_a_key_retrieve_answers_and_the_log_names_the_variable(keyless, caplog):
    with caplog.at_level(logging.WARNING):
        response = textbook.retrieve(QUESTION)
    assert (response["error"], response["code"]) == ("Embedding service unavailable", "SERVICE_UNAVAILABLE")
    assert "COHERE_API_KEY is not set" in caplog.text


@pytest.mark.specification("002 sample empty query error")
def test_without_a_key_a_wrong_request_is_still_that(keyless):
    assert textbook.retrieve("", k=5)["error"] == "Query cannot be empty"
    assert textbook.retrieve("x", k=500)["error"] == "k must be positive integer between 1 and 100"


@pytest.mark.specification("002 §1 embed_query", "002 §1 validation")
@pytest.mark.parametrize("query", ["", "  ", "x" * 9000])
def test_without_a_key_an_empty_question_is_still_a_value_error(keyless, query):
    with pytest.raises(ValueError, match="Query"):
        textbook.embed_query(query)


def test_the_key_comes_out_of_the_file_of_the_current_folder(keyless, tmp_path):
    (tmp_path / ".env").write_text("COHERE_API_KEY=k\n", encoding="utf-8")
    assert textbook.retrieve("")["error"] == "Query cannot be empty"
    with pytest.raises(ValueError, match="cannot be empty"):
        textbook.embed_query("")
    textbook.use(None)
