from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, asdict, fields
from datetime import UTC, datetime

import pytest

from facades.book import InvalidRequestError, Query, RetrievalResponse, RetrievalResult

AT = datetime(2025, 12, 16, 9, 0, tzinfo=UTC)


@pytest.mark.specification("004 §2 Query")
def test_a_query_has_the_specification_s_fields_and_defaults():
    before = datetime.now(UTC)
    query = Query("What is ROS2?")
    assert (query.query_text, query.top_k, query.similarity_threshold) == ("What is ROS2?", 5, 0.0)
    assert before <= query.timestamp <= datetime.now(UTC)
    with pytest.raises(FrozenInstanceError):
        query.top_k = 3


@pytest.mark.specification("004 §3 errors", "004 §4 empty query")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"query_text": ""}, "empty"),
        ({"query_text": " \n"}, "empty"),
        ({"query_text": None}, "NoneType"),
        ({"query_text": "x" * 8001}, "8001 characters; at most 8000"),
        ({"top_k": 0}, "top_k is 0"),
        ({"top_k": -1}, "top_k is -1"),
        ({"top_k": 2.0}, r"top_k is 2\.0"),
        ({"top_k": True}, "top_k is True"),
        ({"similarity_threshold": -0.1}, r"similarity_threshold is -0\.1"),
        ({"similarity_threshold": 1.01}, r"similarity_threshold is 1\.01"),
        ({"similarity_threshold": float("nan")}, "similarity_threshold is nan"),
        ({"similarity_threshold": "0.5"}, "similarity_threshold is '0.5'"),
        ({"similarity_threshold": True}, "similarity_threshold is True"),
    ],
)
def test_what_cannot_be_asked_is_a_value_error(given, said):
    with pytest.raises(ValueError, match=said) as raised:
        Query(**({"query_text": "x"} | given))
    assert isinstance(raised.value, InvalidRequestError)
    assert raised.value.hint in {
        "Ask something.",
        "Give a text.",
        "Shorten it.",
        "Give a whole number above 0.",
        "Give a number from 0 to 1.",
    }


@pytest.mark.parametrize("given", [{"top_k": 1}, {"similarity_threshold": 0}, {"similarity_threshold": 1}])
def test_what_can_just_be_asked(given):
    query = Query("x" * 8000, **given)
    assert {name: getattr(query, name) for name in given} == given


@pytest.mark.specification("004 §2 RetrievalResult", "004 §2 RetrievalResponse")
def test_the_fields_are_the_specification_s():
    assert [field.name for field in fields(RetrievalResult)] == [
        *("chunk_id", "source_file", "section_title", "content", "content_hash", "chunk_sequence", "total_chunks"),
        *("processing_timestamp", "token_count", "similarity_score", "rank"),
    ]
    assert [field.name for field in fields(RetrievalResponse)] == [
        *("query_text", "results", "total_results", "execution_time_ms", "timestamp", "parameters"),
    ]


def test_a_response_is_json():
    result = RetrievalResult("1", "a.md", "A", "text", "h", 0, 1, "then", 3, 0.9, 1)
    response = RetrievalResponse("q", [result], 1, 2.5, AT, {"top_k": 5, "similarity_threshold": 0.0})
    assert json.loads(json.dumps(response.to_dict())) == {
        "query_text": "q",
        "results": [asdict(result)],
        "total_results": 1,
        "execution_time_ms": 2.5,
        "timestamp": "2025-12-16T09:00:00+00:00",
        "parameters": {"top_k": 5, "similarity_threshold": 0.0},
    }
