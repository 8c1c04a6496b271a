from __future__ import annotations

import hashlib
import json
from dataclasses import FrozenInstanceError, asdict, fields, replace
from datetime import UTC, datetime

import pytest

from configs import load_config
from facades.book import InvalidRequestError, Query, RetrievalResponse, RetrievalResult
from facades.book.model import results_of, similarity
from memory.errors import DataFolderError
from memory.vector import Hit
from memory.vector.payload import FieldMapping
from tests.contracts.vector_store import make_chunk

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
        "Give a whole number from 1 to 1,000,000.",
        "Give a number from 0 to 1.",
    }


@pytest.mark.specification("004 §4 long query")
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


BESIDE = {"chunk_sequence": 2, "total_chunks": 7, "processing_timestamp": "then", "token_count": 11}


def hit(score=0.5, **extra):
    chunk = make_chunk(path="module-01/ros2.md", section="Nodes", text="Nodes talk.", text_hash="h")
    return Hit(chunk, score, extra={**BESIDE, **extra})


@pytest.mark.specification("004 §1 score conversion")
@pytest.mark.parametrize(
    ("cosine", "expected"),
    [
        (1.0, 1.0),  # d = 0: 1 - 0/2
        (0.4, 0.7),  # d = 0.6: 1 - 0.3
        (0.0, 0.5),  # d = 1: 1 - 1/2
        (-1.0, 0.0),  # d = 2: 1 - 2/2
        (1.0000004, 1.0),
        (-1.0000004, 0.0),
        (1 / 3, 0.666667),
    ],
)
def test_a_cosine_as_a_similarity(cosine, expected):
    assert similarity(cosine) == expected


@pytest.mark.specification("004 §2 RetrievalResult", "004 §4 metadata")
def test_a_result_has_every_field_of_its_chunk():
    [result] = results_of([hit()], 0.0)
    assert (result.source_file, result.section_title) == ("module-01/ros2.md", "Nodes")
    assert (result.content, result.content_hash) == ("Nodes talk.", "h")
    assert (result.chunk_sequence, result.total_chunks) == (2, 7)
    assert (result.processing_timestamp, result.token_count) == ("then", 11)
    assert (result.similarity_score, result.rank) == (0.75, 1)
    assert result.chunk_id == hit().chunk.id
    assert results_of([hit(chunk_id="c-17")], 0.0)[0].chunk_id == "c-17"
    assert results_of([hit(chunk_id=0)], 0.0)[0].chunk_id == "0"
    assert {results_of([hit(chunk_id=none)], 0.0)[0].chunk_id for none in (None, "")} == {hit().chunk.id}


@pytest.mark.specification("004 §2 threshold", "004 §4 threshold")
def test_what_is_below_the_threshold_is_left_out_and_ranks_go_on_from_one():
    found = results_of([hit(0.8), hit(0.4), hit(0.38), hit(-0.2)], 0.7)
    assert [(result.similarity_score, result.rank) for result in found] == [(0.9, 1), (0.7, 2)]


@pytest.mark.specification("004 §4 metadata")
@pytest.mark.parametrize("name", BESIDE)
def test_a_chunk_without_one_of_them_is_told_by_its_name(name):
    with pytest.raises(DataFolderError, match=f"has no {name}"):
        results_of([hit(**{name: None})], 0.0)


@pytest.mark.specification("004 §4 metadata")
@pytest.mark.parametrize("number", ["many", float("inf"), [3]])
def test_a_number_that_is_none_is_said_to_be_none(number):
    with pytest.raises(DataFolderError, match="of the collection has no number as token_count"):
        results_of([hit(token_count=number)], 0.0)


@pytest.mark.specification("004 §4 metadata")
def test_what_is_missing_and_what_is_no_number_are_told_apart():
    with pytest.raises(DataFolderError, match="has no chunk_sequence, number as total_chunks, number as token_count"):
        results_of([hit(chunk_sequence=None, total_chunks="many", token_count="few")], 0.0)


@pytest.mark.specification("004 §4 metadata")
@pytest.mark.parametrize(("value", "number"), [("3", 3), (3.0, 3), (3, 3), (2**53 + 1, 2**53 + 1)])
def test_a_whole_number_may_be_stored_in_any_form(value, number):
    assert results_of([hit(token_count=value)], 0.0)[0].token_count == number


@pytest.mark.specification("004 §4 metadata")
@pytest.mark.parametrize("value", [1.5, True, "1e999", "NaN", [3]])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(DataFolderError, match="has no number as token_count"):
        results_of([hit(token_count=value)], 0.0)


def test_what_to_do_about_it_is_said():
    with pytest.raises(DataFolderError) as met:
        results_of([hit(token_count=None)], 0.0)
    assert met.value.message == f"Chunk {hit().chunk.id} of the collection has no token_count."
    assert met.value.hint == "Fill it with chunks that have all metadata."
    with pytest.raises(DataFolderError) as nameable:
        results_of([replace(hit(token_count=None), chunk=replace(hit().chunk, path=""))], 0.0)
    assert nameable.value.hint == (
        "Fill it with chunks that have all metadata, or say what the collection calls source_file: vector.qdrant.payload."
    )


@pytest.mark.specification("004 §4 metadata")
def test_all_that_is_missing_is_told_at_once():
    bare = hit(token_count="")
    with pytest.raises(DataFolderError, match="has no source_file, content, token_count"):
        results_of([replace(bare, chunk=replace(bare.chunk, path="", text=""))], 0.0)


@pytest.mark.specification("004 §4 metadata")
def test_a_chunk_without_a_heading_is_whole_and_a_hash_or_an_id_that_it_lacks_is_made_up_for():
    payload = {"content": "Nodes talk.", "source_file": "a.md"}
    chunk = FieldMapping.of(load_config("cohere-book").vector.qdrant).chunk("7", payload)
    [result] = results_of([Hit(chunk, 0.5, extra=BESIDE)], 0.0)
    assert (result.section_title, result.chunk_id) == ("", "7")
    assert result.content_hash == hashlib.sha256(b"Nodes talk.").hexdigest()


def test_the_first_chunk_s_number_is_zero():
    assert results_of([hit(chunk_sequence=0)], 0.0)[0].chunk_sequence == 0
