"""The arithmetic of 003 §5 in the open."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import anyio
import pytest

from facades.hybrid.ranking import (
    FoundDocuments,
    FusionParameters,
    Reranker,
    blended,
    fused_query,
    normalised,
    reranked,
    spread,
)
from facades.hybrid_retriever import Document
from memory.errors import ConfigError, InvalidInputError, ModelError
from memory.rerankers import FakeReranker
from memory.text import estimate_tokens
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


@pytest.mark.specification("003 REQ-0048 RRF")
def test_the_image_vector_searches_pictures_alone():
    asked = query(dense_docs=[1.0], image=[1.0])
    assert asked.weights == (0.5, 0.5)
    conditions = {leg.using: leg.conditions for leg in asked.prefetches}
    assert conditions == {DENSE_DOCS: (), IMAGE: (Condition("chunk_kind", any_of=("image",)),)}


@pytest.mark.specification("003 §5 threshold", "003 §7 multimodal")
def test_a_score_is_a_share_of_the_best_that_a_chunk_can_have():
    both = query(dense_docs=[1.0], dense_code=[1.0], sparse_lexical=WORDS)
    best = 1 / (60 + 1 / 0.5 - 1) + 1 / (60 + 1 / 0.3 - 1)  # first of a dense list (a chunk is in one) and of the words
    assert normalised(round(best, 6), both, FusionParameters()) == 1.0
    assert normalised(1 / 61, both, FusionParameters()) == pytest.approx(0.5054, abs=1e-4)  # dense alone
    assert normalised(1 / 63, both, FusionParameters()) < 0.5  # second of the dense list alone
    alone = query(dense_docs=[1.0])
    assert normalised(round(1 / 61, 6), alone, FusionParameters()) == 1.0
    assert normalised(1 / 61, alone, FusionParameters(), words=True) == normalised(1 / 61, both, FusionParameters())
    pictures = query(image=[1.0])
    thirty_first, next_one = (round(1 / (60 + rank / 0.5 - 1), 6) for rank in (31, 32))
    assert (
        normalised(thirty_first, pictures, FusionParameters())
        >= 0.5
        > normalised(next_one, pictures, FusionParameters())
    )


@pytest.mark.specification("003 §5 rerank weight")
def test_the_final_score_is_the_weighted_mean():
    assert blended(0.9, 0.4, FusionParameters()) == pytest.approx((0.5 + 0.3) * 0.9 + 0.2 * 0.4)
    assert blended(0.9, 0.4, FusionParameters(rerank=0.0)) == pytest.approx(0.9)
    assert blended(1.0, 0.0, FusionParameters(dense=1, sparse=1, rerank=2)) == 0.5


@pytest.mark.specification("003 §5 rerank weight")
def test_reranked_scores_are_spread_from_0_to_1():
    assert spread([-4.0, 0.0, 4.0]) == [0.0, 0.5, 1.0]
    assert spread([2.0, 2.0]) == [1.0, 1.0]
    assert spread([1e308, -1e308, 0.0]) == [1.0, 0.0, 0.5]


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0},
        {"k": 10**400},
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
    assert met.value.hint == "k from 1 to a million, weights above 0, the threshold from 0 to 1; rerank may be 0."


@pytest.mark.parametrize("wrong", [{"k": 1.5}, {"k": True}, {"dense": "a"}, {"rerank": None}, {"sparse": math.nan}])
def test_what_is_no_number_cannot_be_fused(wrong):
    with pytest.raises(InvalidInputError) as met:
        FusionParameters(**wrong)
    assert met.value.hint == "k is a whole number, the others are numbers."


@pytest.mark.parametrize(
    "just", [{"k": 1}, {"dense": 0.01}, {"rerank": 0}, {"min_score_threshold": 0}, {"min_score_threshold": 1}]
)
def test_what_just_can(just):
    given = FusionParameters(**just)
    assert {name: getattr(given, name) for name in just} == just


FAR, NEAR, NONE = (
    Document("1", "the weather of tomorrow", {}, 1.0),
    Document("2", "refunds are paid within a week", {}, 0.9),
    Document("3", "nothing", {}, 0.8),
)


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Scores:
    """A reranker that gives these scores."""

    model = "scores"

    def __init__(self, *scores):
        self.scores = scores

    async def rerank(self, query, texts):
        return self.scores


@pytest.mark.specification("003 §4 Reranker")
def test_the_specification_s_call_is_synchronous():
    found = Reranker(FakeReranker()).rerank("when are refunds paid", [FAR, NEAR, NONE], top_k=2)
    assert [(one.id, one.score) for one in found] == [("2", 0.75), ("1", 0.0)]  # refunds, are, paid of four words
    assert NEAR.score == 0.9  # what was given is as it was


@pytest.mark.parametrize(("documents", "top_k"), [([], 10), ([NEAR], 0)])
async def test_nothing_to_rerank(documents, top_k):
    fake = FakeReranker()
    assert await Reranker(fake).arerank("refunds", documents, top_k) == []
    assert fake.calls == []


@pytest.mark.parametrize("documents", [None, NEAR, ["a text"]])
async def test_documents_are_a_list_of_documents(documents):
    with pytest.raises(InvalidInputError, match="no list of documents"):
        await Reranker(FakeReranker()).arerank("refunds", documents)


@pytest.mark.parametrize("query", [None, 5, "", "  "])
async def test_a_query_is_a_text(query):
    with pytest.raises(InvalidInputError, match="no query to rerank for"):
        await Reranker(FakeReranker()).arerank(query, [])


@pytest.mark.specification("003 §4 Reranker")
def test_it_opens_with_a_profile_s_model():
    assert Reranker.open("fastembed")._model.model == "BAAI/bge-reranker-v2-m3"
    with pytest.raises(ConfigError) as met:
        Reranker.open("embedded")
    assert met.value.message == "settings: vector.reranker_model: there is none."
    assert met.value.hint == "Set it, or use profile fastembed."


@pytest.mark.specification("003 §4 Reranker")
async def test_inside_a_loop_the_twin_is_named_and_awaited():
    ours = Reranker(FakeReranker())
    with pytest.raises(InvalidInputError, match="arerank"):
        ours.rerank("refunds", [NEAR])
    assert [(one.id, one.score) for one in await ours.arerank("refunds", [NEAR])] == [("2", 1.0)]


@pytest.mark.specification("003 §7 reranking", "003 REQ-0045 reranker", "003 §8 reranker")
async def test_the_blend_moves_what_the_model_prefers():
    order = await reranked("q", [FAR, NEAR, NONE], Scores(-5.0, 5.0, 0.0), FusionParameters(), most=3, timeout_ms=1000)
    assert [(one.id, one.score) for one in order.documents] == [
        ("2", 0.92),  # 0.8 · 0.9 + 0.2 · 1
        ("1", 0.8),  # 0.8 · 1.0 + 0.2 · 0
        ("3", 0.74),  # 0.8 · 0.8 + 0.2 · 0.5
    ]
    assert (order.done, order.failed, order.notes) == (True, False, ())
    assert order.tokens > 0


@pytest.mark.specification("003 §7 reranking")
async def test_of_twenty_documents_the_ten_that_the_model_prefers():
    found = [replace(FAR, id=f"{n:02}", score=1 - 0.01 * n) for n in range(20)]
    model = Scores(*(0.05 * n for n in range(20)))  # 0.8 · (1 - 0.01n) + 0.2 · n/19 rises by 0.0025 each
    order = await reranked("q", found, model, FusionParameters(), most=40, timeout_ms=1000)
    assert [one.id for one in order.documents[:10]] == [f"{n:02}" for n in range(19, 9, -1)]
    best = await Reranker(model).arerank("q", found)
    assert [one.id for one in best] == [f"{n:02}" for n in range(19, 9, -1)]


@pytest.mark.specification("003 §5 rerank weight")
async def test_what_is_not_read_stays_behind_what_is():
    order = await reranked("q", [FAR, NEAR, NONE], Scores(0.0, 1.0), FusionParameters(), most=2, timeout_ms=1000)
    assert [(one.id, one.score) for one in order.documents] == [
        ("2", 0.92),  # 0.8 · 0.9 + 0.2 · 1
        ("1", 0.8),  # 0.8 · 1 + 0.2 · 0
        ("3", 0.8),  # its own
    ]
    assert order.tokens == sum(estimate_tokens(one.content) for one in (FAR, NEAR))
    order = await reranked("q", [FAR, NEAR, NONE], Scores(1.0, 0.0), FusionParameters(), most=2, timeout_ms=1000)
    assert [(one.id, one.score) for one in order.documents] == [
        ("1", 1.0),  # 0.8 · 1 + 0.2 · 1
        ("2", 0.72),  # 0.8 · 0.9 + 0.2 · 0
        ("3", 0.72),  # no higher than the last that was read
    ]


async def test_ties_stay_as_they_came_and_scores_have_six_places():
    equal = await Reranker(Scores(0.5, 1 / 3, 0.5)).arerank("q", [NONE, FAR, NEAR])
    assert [(one.id, one.score) for one in equal] == [("3", 0.5), ("2", 0.5), ("1", 0.333333)]
    order = await reranked("q", [NEAR, replace(FAR, score=0.9)], Scores(1, 1), FusionParameters(), most=2, timeout_ms=9)
    assert [(one.id, one.score) for one in order.documents] == [("1", 0.92), ("2", 0.92)]  # 0.8 · 0.9 + 0.2 · 1; by id


class Hanging(Scores):
    async def rerank(self, query, texts):
        await anyio.sleep_forever()


class Raising(Scores):
    async def rerank(self, query, texts):
        raise RuntimeError("out of memory")


@pytest.mark.parametrize(
    ("model", "why"),
    [
        (Hanging(), "no answer within 0.005 s"),
        (Scores(1.0), "1 scores for 2 texts"),
        (Scores(float("nan"), 1.0), "its scores are no numbers"),
        (Scores(None, 1.0), "its scores are no numbers"),
        (Raising(), "RuntimeError: out of memory"),
    ],
)
async def test_what_is_wrong_with_its_answer(model, why):
    with pytest.raises(ModelError) as met:
        await Reranker(model, timeout_ms=5).arerank("q", [FAR, NEAR])
    assert (met.value.message, met.value.hint) == (f"The reranker scores failed: {why}.", "Try again.")
    order = await reranked("q", [FAR, NEAR], model, FusionParameters(), most=2, timeout_ms=5)
    assert order == FoundDocuments([FAR, NEAR], (f"reranking by scores failed, order kept: {why}",), failed=True)


async def test_a_model_s_own_error_is_raised_as_it_is():
    error = ModelError("There is no such model.", "Check vector.reranker_model.")
    with pytest.raises(ModelError) as met:
        await Reranker(FakeReranker(error)).arerank("q", [FAR, NEAR])
    assert met.value is error


async def test_without_a_model_or_documents_nothing_is_done():
    note = "no reranker is configured (vector.reranker_model): the order is the fusion's"
    without = await reranked("q", [FAR], None, FusionParameters(), most=2, timeout_ms=5)
    assert without == FoundDocuments([FAR], (note,), tokens=0, done=False, failed=False)
    assert await reranked("q", [], None, FusionParameters(), most=2, timeout_ms=5) == FoundDocuments([])
    assert await reranked("q", [], Scores(), FusionParameters(), most=2, timeout_ms=5) == FoundDocuments([])


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (FakeReranker(ModelError("out of reach")), "reranking by fake-shared-words failed.*out of reach"),
        (Scores(1.0), "1 scores for 2 texts"),
    ],
)
async def test_a_reranker_that_fails_leaves_the_fused_order(model, said):
    order = await reranked("q", [FAR, NEAR], model, FusionParameters(), most=9, timeout_ms=1000)
    assert ([one.id for one in order.documents], order.done, order.failed) == (["1", "2"], False, True)
    assert order.notes[0].startswith("reranking by")
    with pytest.raises(ModelError):
        await Reranker(model).arerank("q", [FAR, NEAR])
    assert re.search(said, order.notes[0])
