from __future__ import annotations

from agents.legs import EVIDENCE, PROBE, QueryVectors, SearchBatch, details
from memory.vector import Condition, Hit, SparseVector
from tests.agents.library import ROWS, chunk

VECTORS = QueryVectors({"dense_docs": [1.0], "dense_code": [1.0]}, SparseVector((3, 4), (1.0, 1.0)), {"a": 3, "b": 4})


def test_a_leg_is_a_query_a_field():
    batch = SearchBatch("", VECTORS, 10)
    batch.add_leg(PROBE, (Condition("corpus", any_of=("docs",)),))
    assert [q.using for q in batch.queries] == ["dense_docs", "dense_code", "sparse_lexical"]
    assert {q.limit for q in batch.queries} == {10}
    assert {q.conditions for q in batch.queries} == {(Condition("corpus", any_of=("docs",)),)}
    assert {q.with_vectors for q in batch.queries} == {()}


def test_details_list_the_kept_with_all_their_vectors():
    query = details(["a", "b"])
    assert (query.vector, query.limit, query.conditions) == (None, 2, (Condition("id", any_of=("a", "b")),))
    assert query.with_vectors == ("dense_docs", "dense_code", "sparse_lexical")


def test_a_question_without_terms_has_no_sparse_query():
    batch = SearchBatch("", QueryVectors({"dense_docs": [1.0]}, SparseVector((), ()), {}), 10)
    batch.add_leg(PROBE, ())
    batch.add_terms()
    assert [q.using for q in batch.queries] == ["dense_docs"]


def test_a_term_is_one_query_for_one_hit():
    batch = SearchBatch("", VECTORS, 10)
    batch.add_terms()
    assert [(q.vector, q.limit) for q in batch.queries] == [
        (SparseVector((3,), (1.0,)), 1),
        (SparseVector((4,), (1.0,)), 1),
    ]


def test_hits_go_back_to_their_leg():
    batch = SearchBatch("", VECTORS, 10)
    batch.add_leg(PROBE, ())
    batch.add_leg(EVIDENCE, ())
    answers = [[Hit(chunk(*ROWS[0]), float(n))] for n in range(6)]
    assert {using: hits[0].score for using, hits in batch.hits_of(answers, EVIDENCE).items()} == {
        "dense_docs": 3.0,
        "dense_code": 4.0,
        "sparse_lexical": 5.0,
    }
