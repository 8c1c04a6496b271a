from __future__ import annotations

from dataclasses import replace

import pytest

from facades.book.results import results_of, similarity
from memory.errors import DataFolderError
from memory.vector import Hit
from tests.contracts.vector_store import make_chunk

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


@pytest.mark.specification("004 §2 threshold", "004 §4 threshold")
def test_what_is_below_the_threshold_is_left_out_and_ranks_go_on_from_one():
    found = results_of([hit(0.8), hit(0.4), hit(0.38), hit(-0.2)], 0.7)
    assert [(result.similarity_score, result.rank) for result in found] == [(0.9, 1), (0.7, 2)]


@pytest.mark.specification("004 §4 metadata")
@pytest.mark.parametrize("name", BESIDE)
def test_a_chunk_without_one_of_them_is_told_by_its_name(name):
    with pytest.raises(DataFolderError, match=f"has no {name}"):
        results_of([hit(**{name: None})], 0.0)


def test_what_to_do_about_it_is_said():
    with pytest.raises(DataFolderError) as met:
        results_of([hit(token_count=None)], 0.0)
    assert met.value.message == f"Chunk {hit().chunk.id} of the collection has no token_count."
    assert met.value.hint == (
        "Fill it with chunks that have all metadata, or say what the collection calls them: vector.qdrant.payload."
    )


def test_all_that_is_missing_is_told_at_once():
    bare = hit(token_count="")
    with pytest.raises(DataFolderError, match="has no source_file, content, token_count"):
        results_of([replace(bare, chunk=replace(bare.chunk, path="", text=""))], 0.0)


def test_a_chunk_without_a_heading_is_whole():
    one = hit()
    assert results_of([replace(one, chunk=replace(one.chunk, section=""))], 0.0)[0].section_title == ""


def test_the_first_chunk_s_number_is_zero():
    assert results_of([hit(chunk_sequence=0)], 0.0)[0].chunk_sequence == 0
