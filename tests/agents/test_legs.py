from __future__ import annotations

from agents.legs import QueryVectors, SearchBatch, by_id, chunks_of_files
from memory.vector import Condition, Hit, SparseVector
from memory.vector.payload import file_key
from tests.agents.library import ROWS, chunk

VECTORS = QueryVectors({"dense_docs": [1.0], "dense_code": [1.0]}, SparseVector((3, 4), (1.0, 1.0)))


def test_a_search_is_a_query_a_field():
    batch = SearchBatch(VECTORS, 10)
    batch.add((Condition("corpus", any_of=("docs",)),))
    assert [q.using for q in batch.queries] == ["dense_docs", "dense_code", "sparse_lexical"]
    assert {q.limit for q in batch.queries} == {10}
    assert {q.conditions for q in batch.queries} == {(Condition("corpus", any_of=("docs",)),)}
    assert {q.with_vectors for q in batch.queries} == {()}
    assert {q.places_only for q in batch.queries} == {True}


def test_a_search_may_bring_the_whole_chunks():
    batch = SearchBatch(VECTORS, 10, places_only=False)
    batch.add(())
    assert {q.places_only for q in batch.queries} == {False}


def test_chunks_are_listed_with_the_vectors_that_are_asked_for():
    query = by_id(["a", "b"], ["dense_docs", "sparse_lexical"])
    assert (query.vector, query.limit, query.conditions) == (None, 2, (Condition("id", any_of=("a", "b")),))
    assert query.with_vectors == ("dense_docs", "sparse_lexical")


def test_the_chunks_of_files_are_listed_by_project_and_path():
    query = chunks_of_files([("shop", "a.py"), ("bank", "a.py")])
    wanted = (file_key("shop", "a.py"), file_key("bank", "a.py"))
    assert (query.vector, query.conditions) == (None, (Condition("file", any_of=wanted),))
    assert query.with_vectors == ("dense_docs", "dense_code", "sparse_lexical")


def test_a_question_without_terms_has_no_sparse_query():
    batch = SearchBatch(QueryVectors({"dense_docs": [1.0]}, SparseVector((), ())), 10)
    batch.add(())
    assert [q.using for q in batch.queries] == ["dense_docs"]


def test_hits_go_back_to_their_field():
    batch = SearchBatch(VECTORS, 10)
    batch.add()
    answers = [[Hit(chunk(*ROWS[0]), float(n))] for n in range(3)]
    assert {using: hits[0].score for using, hits in batch.hits_of(answers).items()} == {
        "dense_docs": 0.0,
        "dense_code": 1.0,
        "sparse_lexical": 2.0,
    }
