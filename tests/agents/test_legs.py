from __future__ import annotations

from agents.legs import QueryVectors, by_id, chunks_of_files, near
from memory.vector import Condition, SparseVector
from memory.vector.payload import file_key

VECTORS = QueryVectors({"dense_docs": [1.0], "dense_code": [1.0]}, SparseVector((3, 4), (1.0, 1.0)))


def test_a_search_is_a_query_a_field():
    queries = near(VECTORS, 10, (Condition("corpus", any_of=("docs",)),))
    assert [q.using for q in queries] == ["dense_docs", "dense_code", "sparse_lexical"]
    assert {q.limit for q in queries} == {10}
    assert {q.conditions for q in queries} == {(Condition("corpus", any_of=("docs",)),)}
    assert {q.with_vectors for q in queries} == {()}
    assert {q.places_only for q in queries} == {True}


def test_a_search_may_bring_the_whole_chunks():
    queries = near(VECTORS, 10, places_only=False)
    assert {q.places_only for q in queries} == {False}


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
    queries = near(QueryVectors({"dense_docs": [1.0]}, SparseVector((), ())), 10)
    assert [q.using for q in queries] == ["dense_docs"]
