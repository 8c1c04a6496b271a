from __future__ import annotations

import pytest

from memory.vector import DENSE_DOCS, SPARSE_LEXICAL, parse_filters
from memory.vector.payload import FieldMapping
from memory.vector.qdrant_requests import QdrantRequests
from tests.contracts.vector_store import BILLING, KEY, dense, everything, fuse, sparse

REQUESTS = QdrantRequests(FieldMapping(), "mine")
PERMISSION = [{"key": "namespace", "match": {"value": "mine"}}, {"key": "project", "match": {"any": ["billing"]}}]


def sent(model):
    return model.model_dump(exclude_none=True)


@pytest.mark.specification("000 §6.1 syntax")
@pytest.mark.parametrize(
    ("filters", "written"),
    [
        ({"path": ["a", "b"]}, [{"key": "path", "match": {"any": ["a", "b"]}}]),
        ({"start_line": [1, 2]}, [{"key": "start_line", "match": {"any": [1, 2]}}]),
        ({"end_line": {"gte": 3, "lt": 9}}, [{"key": "end_line", "range": {"gte": 3.0, "lt": 9.0}}]),
        (
            {"id": ["7", "0e5e1c52-9b33-5c8a-a5b1-6f7a2f9f2d11"]},
            [{"has_id": [7, "0e5e1c52-9b33-5c8a-a5b1-6f7a2f9f2d11"]}],
        ),
        (
            {"repo": "a/b", "lang": "sql"},
            [{"key": "repo", "match": {"any": ["a/b"]}}, {"key": "lang", "match": {"any": ["sql"]}}],
        ),
    ],
)
def test_conditions_stand_behind_namespace_and_permission(filters, written):
    assert sent(REQUESTS.filter(BILLING, parse_filters(filters))) == {"must": [*PERMISSION, *written]}


@pytest.mark.parametrize("filters", [{"path": []}, {"id": []}, {"start_line": "1"}, {"lang": 3}])
def test_what_no_point_can_pass_is_no_filter_and_no_request(filters):
    nothing = parse_filters(filters)
    assert REQUESTS.filter(BILLING, nothing) is None
    assert REQUESTS.search(everything(conditions=nothing), 5, BILLING) is None
    assert REQUESTS.fused(fuse(dense([1, 0, 0, 0]), conditions=nothing), 5, BILLING) is None
    assert REQUESTS.fused(fuse(dense([1, 0, 0, 0], conditions=nothing)), 5, BILLING) is None
    assert REQUESTS.sent(fuse(dense([1, 0, 0, 0]), conditions=nothing), BILLING) is None


def test_a_prefetch_that_can_find_nothing_goes_with_its_weight():
    query = fuse(dense([1, 0, 0, 0]), sparse(KEY, conditions=parse_filters({"path": []})), dense([0, 1, 0, 0]))
    left = REQUESTS.sent(query, BILLING)
    assert (left.prefetches, left.weights) == ((query.prefetches[0], query.prefetches[2]), ())
    weighted = fuse(*query.prefetches, weights=(0.5, 0.3, 0.2))
    assert REQUESTS.sent(weighted, BILLING).weights == (0.5, 0.2)


def test_names_of_vectors_and_what_comes_back_with_a_point():
    renamed = QdrantRequests(FieldMapping(vectors={DENSE_DOCS: "", SPARSE_LEXICAL: "words"}), "mine", idf_corpus=False)
    unnamed = renamed.search(dense([1, 0, 0, 0], with_vectors=(DENSE_DOCS, SPARSE_LEXICAL)), 5, BILLING)
    words = renamed.search(sparse(KEY, with_vectors=(SPARSE_LEXICAL,)), 5, BILLING)
    assert (unnamed.using, unnamed.with_vector) == (None, True)  # an unnamed vector comes with all others or not at all
    assert (words.using, words.with_vector, words.params) == ("words", ["words"], None)
    bare = renamed.search(sparse(KEY, with_vectors=(SPARSE_LEXICAL,)), 5, BILLING, bare=True)
    assert (bare.with_payload, bare.with_vector) == (False, False)


def test_parameters_are_the_query_s_for_a_dense_search_and_the_permission_s_idf_for_words():
    assert sent(REQUESTS.search(dense([1, 0, 0, 0], hnsw_ef=64, exact=False), 5, BILLING).params)["hnsw_ef"] == 64
    assert REQUESTS.search(dense([1, 0, 0, 0]), 5, BILLING).params.exact is True
    narrowed = REQUESTS.search(sparse(KEY, conditions=parse_filters({"path": "a"})), 5, BILLING)
    assert sent(narrowed.params.idf) == {"corpus": {"must": PERMISSION}}


@pytest.mark.parametrize(
    ("collection", "wanted", "exact", "rescored"),
    [
        ({}, True, True, None),
        ({}, False, False, None),
        ({"quantized": True}, True, True, None),
        ({"exact": False}, True, False, None),
        ({"exact": False, "quantized": True}, True, False, {"ignore": False, "rescore": True, "oversampling": 2.0}),
    ],
)
def test_a_search_that_is_not_exact_compares_the_vectors_as_they_are_in_the_end(collection, wanted, exact, rescored):
    requests = QdrantRequests(FieldMapping(), "mine", **collection)
    query = dense([1, 0, 0, 0], exact=wanted)
    for params in (
        requests.search(query, 5, BILLING).params,
        requests.fused(fuse(query), 5, BILLING).prefetch[0].params,
    ):
        assert (params.exact, sent(params).get("quantization")) == (exact, rescored)
