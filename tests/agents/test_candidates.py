"""What is read of the files that were ranked."""

from __future__ import annotations

import pytest

from agents.candidates import QueryVectors, by_id, chunks_of_files, near, read_candidates
from agents.file_ranking import RankedFile
from agents.question_words import QuestionPart
from memory.embedders import FakeSparseEmbedder
from memory.entities import Scope, ScopedProject
from memory.vector import Condition
from memory.vector.payload import file_key
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SparseVector
from tests.agents.library import EVERYONE, ROWS, chunk, library

NO_VECTORS = QueryVectors({}, SparseVector((), ()))
SCHEMA, MODELS = ("billing", "docs/schema.md"), ("billing", "billing/models.py")
CUSTOMERS, INVOICES = (chunk(*row).id for row in ROWS[1:3])


async def candidates(*files, parts=(QuestionPart({}),), scope=Scope(), permission=EVERYONE):  # noqa: B008 - frozen
    store, dense, _ = await library()
    models = {DENSE_DOCS: dense.model, DENSE_CODE: dense.model}
    return await read_candidates(store, models, files, NO_VECTORS, parts, scope, permission)


async def test_the_chunks_of_a_file_come_in_its_order_each_by_its_share():
    file = RankedFile(SCHEMA, 2.0, (INVOICES, CUSTOMERS), {CUSTOMERS: 0.5})
    found = await candidates(file)
    assert [(one.chunk.id, one.score) for one in found] == [(INVOICES, 1.0), (CUSTOMERS, 0.5)]
    assert [bool(one.model and one.dense) for one in found] == [True, False]  # one vector a file is enough


async def test_a_file_that_a_statement_alone_names_is_read_where_that_is_proven():
    named = RankedFile(SCHEMA, 1.0, because="a relation", line=4)
    assert [(one.chunk.id, one.evidence) for one in await candidates(named)] == [(INVOICES, "a relation")]


async def test_a_file_without_a_chunk_and_one_that_may_not_be_seen_are_none():
    gone = RankedFile(("billing", "gone.md"), 3.0)
    assert await candidates(gone) == []
    assert await candidates(RankedFile(SCHEMA, 1.0, (CUSTOMERS,)), permission=frozenset({"weather"})) == []


async def test_all_are_as_sure_as_the_best_file_holds_of_the_question():
    term = FakeSparseEmbedder().terms("customers")["customers"]
    files = (RankedFile(SCHEMA, 2.0, (CUSTOMERS,)), RankedFile(MODELS, 1.0, (chunk(*ROWS[3]).id,)))
    found = await candidates(
        *files, parts=[QuestionPart({term: 3.0, -1: 1.0})], scope=Scope((ScopedProject("billing", 1.0),))
    )
    assert [one.confidence for one in found] == pytest.approx([0.75, 0.375])
    assert all(one.in_scope for one in found)


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
