from __future__ import annotations

from dataclasses import replace

import pytest

from agents.evidence.filters import fused_query, global_filter
from agents.evidence.representations import Representations
from agents.evidence.templates import TEMPLATES
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Condition, SparseVector, VectorQuery
from tests.agents.evidence.making import SETTINGS, settled, with_settings

A, B, C, D = (TEMPLATES[name] for name in "ABCD")
DENSE, SPARSE = [0.6, 0.8], SparseVector((3, 7), (1.0, 1.0))
ALL = Representations({DENSE_DOCS: DENSE, DENSE_CODE: DENSE, SPARSE_LEXICAL: SPARSE})


@pytest.mark.specification("000 §6.4 policy", "000 §10 step 3")
def test_no_filter_unless_something_asks_for_one():
    assert global_filter(settled(), A) == ()
    assert global_filter(settled(intent="CODE_ONLY"), B) == (Condition("corpus", ("code",)),)
    assert global_filter(settled(intent="DOCS_ONLY"), C) == (Condition("corpus", ("docs",)),)


@pytest.mark.specification("000 §6.1 syntax", "000 §10 step 3")
def test_scopes_are_exact_matches():
    asked = settled(
        repo_scope=("google/kit", "google/guide"), path_scope=("src/tool.py",), commit="c0ffee", include_tests=False
    )
    assert global_filter(asked, A) == (
        Condition("repo", ("google/kit", "google/guide")),
        Condition("path", ("src/tool.py",)),
        Condition("commit", ("c0ffee",)),
        Condition("chunk_kind", ("doc", "code", "config", "example", "table")),
    )


@pytest.mark.specification("000 §6.4 policy", "000 §10 step 4")
def test_a_targeted_file_is_a_global_filter():
    asked = settled("what is in src/tool.py", "TARGETED_FILE")
    assert fused_query(asked, A, ALL, SETTINGS).conditions == (Condition("path", ("src/tool.py",)),)


@pytest.mark.specification("000 §1.1 named vectors", "000 §5.2 request", "000 §5.4 parameters")
def test_the_request_of_template_a():
    query = fused_query(settled(), A, ALL, SETTINGS)
    assert query.prefetches == (
        VectorQuery(DENSE_DOCS, DENSE, 80, hnsw_ef=256, exact=False),
        VectorQuery(DENSE_CODE, DENSE, 80, hnsw_ef=256, exact=False),
        VectorQuery(SPARSE_LEXICAL, SPARSE, 120, hnsw_ef=None, exact=True),
    )
    assert (query.limit, query.k, query.weights, query.conditions) == (40, 60, (), ())
    assert all(not prefetch.with_vectors for prefetch in query.prefetches)


@pytest.mark.specification("000 §7.4 D", "000 §10 step 4")
def test_the_symbol_filters_the_code_route_alone():
    query = fused_query(settled("signature of tools.FunctionTool", "API_LOOKUP"), D, ALL, SETTINGS)
    assert [prefetch.conditions for prefetch in query.prefetches] == [
        (),
        (Condition("symbol", ("tools.FunctionTool", "FunctionTool")),),
        (),
    ]
    assert query.conditions == ()


def test_a_route_without_a_representation_is_not_sent():
    left = Representations({DENSE_CODE: DENSE})
    assert [p.using for p in fused_query(settled(), A, left, SETTINGS).prefetches] == [DENSE_CODE]


@pytest.mark.specification("000 §12 knobs")
def test_the_knobs_of_the_search():
    settings = with_settings(hnsw_ef=384, exact=True, rrf_k=2, weights={SPARSE_LEXICAL: 2.0})
    query = fused_query(settled(), replace(A, final=7), ALL, settings)
    assert [(p.hnsw_ef, p.exact) for p in query.prefetches] == [(384, True), (384, True), (None, True)]
    assert (query.limit, query.k, query.weights) == (7, 2, (1.0, 1.0, 2.0))
