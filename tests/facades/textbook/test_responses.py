from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from qdrant_client.models import ScoredPoint

from facades.textbook import format_results
from facades.textbook.responses import (
    DATABASE_DOWN,
    EMBEDDING_DOWN,
    EMPTY_QUERY,
    INVALID_K,
    TOO_LONG,
    UNEXPECTED,
    timestamp,
    wrong_query,
    wrong_request,
)
from memory.query import is_count

NOW = datetime(2025, 12, 22, 10, 30, tzinfo=UTC)


def point(id_=123456789, score=0.94, **payload):
    stored = {"text_content": "A digital twin.", "source_url": "https://book/twin", "chunk_index": 0, "more": 1}
    return ScoredPoint(id=id_, version=3, score=score, payload=stored | payload)


@pytest.mark.specification(
    "002 §3 output schema", "002 §3 field mapping", "002 sample successful query", "002 §3 format_results"
)
def test_the_response_is_the_specification_s_to_the_key():
    found = [point(), point(score=0.87, text_content="Twins test.", chunk_index=1)]
    response = format_results(found, "What is a digital twin in robotics?", 3, now=NOW)
    assert response == {
        "query": "What is a digital twin in robotics?",
        "k": 3,
        "results": [
            {
                "chunk_text": "A digital twin.",
                "url": "https://book/twin",
                "chunk_id": "123456789_0",
                "relevance_score": 0.94,
            },
            {
                "chunk_text": "Twins test.",
                "url": "https://book/twin",
                "chunk_id": "123456789_1",
                "relevance_score": 0.87,
            },
        ],
        "total_results": 2,
        "timestamp": "2025-12-22T10:30:00Z",
    }
    assert list(response) == ["query", "k", "results", "total_results", "timestamp"]


@pytest.mark.specification("002 sample no matches")
def test_nothing_found_is_a_response_with_no_results():
    response = format_results([], "xyzzy frobozz magic word", 5, now=NOW)
    assert (response["results"], response["total_results"], response["k"]) == ([], 0, 5)


def test_the_timestamp_is_this_moment_by_default():
    before = datetime.now(UTC).replace(microsecond=0)
    made = datetime.strptime(format_results([], "q", 5)["timestamp"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert before <= made <= datetime.now(UTC)


def test_a_timestamp_is_in_utc_whatever_its_zone():
    assert timestamp(NOW.astimezone(timezone(timedelta(hours=5)))) == "2025-12-22T10:30:00Z"


@pytest.mark.specification("002 §3 field mapping")
def test_a_point_without_a_number_has_its_id():
    bare = point()
    del bare.payload["chunk_index"]
    assert format_results([bare], "q", 1)["results"][0]["chunk_id"] == str(bare.id)


@pytest.mark.specification("002 §3 field mapping")
@pytest.mark.parametrize("key", ["text_content", "source_url"])
def test_a_point_without_a_text_or_an_address_is_a_key_error(key):
    bare = point()
    del bare.payload[key]
    with pytest.raises(KeyError, match=key):
        format_results([bare], "q", 5)


def test_a_point_without_a_payload_is_too():
    with pytest.raises(KeyError, match="text_content"):
        format_results([ScoredPoint(id=1, version=0, score=0.5)], "q", 5)


@pytest.mark.specification("002 §4 error conditions", "002 §4 error response")
@pytest.mark.parametrize(
    ("condition", "code", "message"),
    [
        (EMPTY_QUERY, "INVALID_INPUT", "Query cannot be empty"),
        (TOO_LONG, "INVALID_INPUT", "Query exceeds maximum length"),
        (INVALID_K, "INVALID_INPUT", "k must be positive integer between 1 and 100"),
        (EMBEDDING_DOWN, "SERVICE_UNAVAILABLE", "Embedding service unavailable"),
        (DATABASE_DOWN, "SERVICE_UNAVAILABLE", "Database service unavailable"),
        (UNEXPECTED, "INTERNAL_ERROR", "An unexpected error occurred"),
    ],
)
def test_the_table_of_error_conditions_word_for_word(condition, code, message):
    assert condition.response(NOW) == {"error": message, "code": code, "timestamp": "2025-12-22T10:30:00Z"}


@pytest.mark.parametrize("query", ["", "  \n\t", "\x00\x07", None, 42, ["q"]])
def test_what_says_nothing_is_empty(query):
    assert wrong_query(query, 10) is EMPTY_QUERY


@pytest.mark.parametrize(("query", "wrong"), [("x" * 10, None), ("x" * 11, TOO_LONG), (" " * 11, TOO_LONG)])
def test_the_limit_is_taken_as_it_stands(query, wrong):
    assert wrong_query(query, 10) is wrong


@pytest.mark.parametrize(
    ("k", "wrong"),
    [
        *((k, None) for k in (1, 5, 100)),
        *((k, INVALID_K) for k in (0, -1, 101, 2.0, "5", None, True)),
    ],
)
def test_k_is_a_whole_number_from_1_to_100(k, wrong):
    assert wrong_request("q", k, 10) is wrong


def test_the_question_is_looked_at_first():
    assert wrong_request("", 0, 10) is EMPTY_QUERY


def test_a_search_alone_has_no_largest_k():
    assert [is_count(k) for k in (1, 1000, 0, False)] == [True, True, False, False]
