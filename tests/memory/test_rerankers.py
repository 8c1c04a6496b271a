"""Rerankers: how a list is ordered by one, and the loading path of a cross-encoder on a model built here, whose logit
is the sum of the words'.
"""

from __future__ import annotations

import math

import pytest

from memory.errors import ModelError
from memory.rerankers import CrossEncoderReranker, FakeReranker, Reordering, reorder
from tests.memory.tiny_onnx import tiny_cross_encoder

MODEL = "BAAI/bge-reranker-v2-m3"


async def test_the_share_of_the_questions_words():
    fake = FakeReranker()
    assert await fake.rerank("PayNow order", ["pay now", "an order: PayNow", ""]) == [2 / 4, 1.0, 0.0]
    assert await fake.rerank("", ["a"]) == [0.0]
    assert fake.calls[1] == ("", ("a",))


async def test_a_failure():
    with pytest.raises(ModelError):
        await FakeReranker(ModelError("down")).rerank("q", ["a"])


async def test_texts_are_sorted_by_the_scores_and_equal_ones_stay_in_order():
    done = await reorder("agent tool", ["nothing", "agent", "agent tool", "tool"], FakeReranker(), 1)
    assert done == Reordering((2, 1, 3, 0), "reranked by fake-shared-words: 4", scores=(0.0, 0.5, 1.0, 0.5))


async def test_without_texts_nobody_is_asked():
    fake = FakeReranker()
    assert await reorder("agent", [], fake, 1) == Reordering(())
    assert fake.calls == []


class Odd(list):
    """Two scores, of which none is given."""

    def __len__(self):
        return 2

    def __iter__(self):
        raise SystemExit(3)


class Garbled(FakeReranker):
    """Gives what it is made with, or raises it."""

    def __init__(self, given):
        super().__init__()
        self.given = given

    async def rerank(self, query, texts):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("%P", "its scores are no numbers"),
        ([{"unknown": 1}, None], "its scores are no numbers"),
        ([float("nan"), 1.0], "its scores are no numbers"),
        pytest.param([10**400, 1], "OverflowError: int too large to convert to float", id="large"),
        (Odd(), "SystemExit: 3"),
        (None, "0 scores for 2 texts"),
        ([1.0], "1 scores for 2 texts"),
        (RuntimeError("out of memory"), "RuntimeError: out of memory"),
        (ModelError("down"), "down"),
    ],
)
async def test_one_that_gives_garbage_changes_nothing(given, why):
    done = await reorder("agent", ["a", "agent"], Garbled(given), 1)
    assert (done.order, done.failed) == ((0, 1), True)
    assert done.note == f"reranking by fake-shared-words failed, order kept: {why}"


def sigmoid(logit):
    return 1 / (1 + math.exp(-logit))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_cross_encoder(tmp_path_factory.mktemp("rerank"), {"refund": 2.0, "weather": -3.0, "how": 0.5})


@pytest.mark.specification("003 REQ-0045 reranker", "003 §8 models", "003 §8 reranker")
async def test_scores_are_the_sigmoid_of_question_and_text_together(folder):
    reranker = CrossEncoderReranker(MODEL, folder=folder)
    await reranker.warm_up()
    texts = ["weather weather today and tomorrow", "refund", "", *["refund refund"] * 9]
    scores = await reranker.rerank("how", texts)
    expected = [sigmoid(0.5 - 6), sigmoid(0.5 + 2), sigmoid(0.5), *[sigmoid(0.5 + 4)] * 9]
    assert scores == pytest.approx(expected)
    assert reranker.model == MODEL


async def test_nothing_to_read_nothing_to_say(folder):
    assert await CrossEncoderReranker(MODEL, folder=folder).rerank("how", []) == []


async def test_what_stands_behind_max_tokens_is_not_read(folder):
    short = CrossEncoderReranker(MODEL, folder=folder, max_tokens=5)  # three tokens around the two words
    assert await short.rerank("how", ["refund weather"]) == await short.rerank("how", ["refund"])


async def test_a_model_that_cannot_be_loaded_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match=r"nobody/nothing.*reranker_model_path"):
        await CrossEncoderReranker("nobody/nothing", cache=tmp_path).warm_up()
