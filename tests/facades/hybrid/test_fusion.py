"""The arithmetic of 003 §5 in the open."""

from __future__ import annotations

import pytest

from facades.hybrid.fusion import FusionParameters, blended, fused_query, normalised, spread
from memory.errors import InvalidInputError
from memory.vector import DENSE_CODE, DENSE_DOCS, IMAGE, SPARSE_LEXICAL, Condition, SparseVector

WORDS = SparseVector((1,), (1.0,))


def query(**vectors):
    return fused_query(vectors, FusionParameters(), (), limit=5, candidates=50)


@pytest.mark.specification("003 §5 parameters", "003 REQ-0048 RRF")
def test_the_contract_s_values_are_the_defaults():
    given = FusionParameters()
    assert (given.k, given.dense, given.sparse, given.rerank, given.min_score_threshold) == (60, 0.5, 0.3, 0.2, 0.5)
    asked = query(dense_docs=[1.0], dense_code=[1.0], sparse_lexical=WORDS)
    assert (asked.k, asked.weights, asked.limit) == (60, (0.5, 0.5, 0.3), 5)
    assert [leg.using for leg in asked.prefetches] == [DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL]
    assert {leg.limit for leg in asked.prefetches} == {50}


def test_the_image_vector_searches_pictures_alone():
    conditions = {leg.using: leg.conditions for leg in query(dense_docs=[1.0], image=[1.0]).prefetches}
    assert conditions == {DENSE_DOCS: (), IMAGE: (Condition("chunk_kind", any_of=("image",)),)}


@pytest.mark.specification("003 §5 threshold")
def test_a_score_is_a_share_of_the_best_that_a_chunk_can_have():
    both = query(dense_docs=[1.0], dense_code=[1.0], sparse_lexical=WORDS)
    best = 1 / (60 + 1 / 0.5 - 1) + 1 / (60 + 1 / 0.3 - 1)  # first of a dense list (a chunk is in one) and of the words
    assert normalised(round(best, 6), both, FusionParameters()) == 1.0
    assert normalised(1 / 61, both, FusionParameters()) == pytest.approx(0.5054, abs=1e-4)  # dense alone
    assert normalised(1 / 63, both, FusionParameters()) < 0.5  # second of the dense list alone
    assert normalised(round(1 / 61, 6), query(dense_docs=[1.0]), FusionParameters()) == 1.0


@pytest.mark.specification("003 §5 rerank weight")
def test_the_final_score_is_the_weighted_mean():
    assert blended(0.9, 0.4, FusionParameters()) == pytest.approx((0.5 + 0.3) * 0.9 + 0.2 * 0.4)
    assert blended(0.9, 0.4, FusionParameters(rerank=0.0)) == pytest.approx(0.9)
    assert blended(1.0, 0.0, FusionParameters(dense=1, sparse=1, rerank=2)) == 0.5


def test_reranked_scores_are_spread_from_0_to_1():
    assert spread([-4.0, 0.0, 4.0]) == [0.0, 0.5, 1.0]
    assert spread([2.0, 2.0]) == [1.0, 1.0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"dense": 0},
        {"sparse": 0},
        {"sparse": -1},
        {"rerank": -0.1},
        {"min_score_threshold": 1.1},
        {"min_score_threshold": -0.1},
    ],
)
def test_what_cannot_be_fused(wrong):
    with pytest.raises(InvalidInputError) as met:
        FusionParameters(**wrong)
    assert met.value.message.endswith(") can't be fused.")
    assert met.value.hint == "k from 1, weights above 0, the threshold from 0 to 1; rerank may be 0."


@pytest.mark.parametrize(
    "just", [{"k": 1}, {"dense": 0.01}, {"rerank": 0}, {"min_score_threshold": 0}, {"min_score_threshold": 1}]
)
def test_what_just_can(just):
    given = FusionParameters(**just)
    assert {name: getattr(given, name) for name in just} == just
