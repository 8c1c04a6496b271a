"""The loading path of a cross-encoder on a model built here, whose logit is the sum of the words'."""

from __future__ import annotations

import math

import pytest

from memory.errors import ModelError
from memory.rerankers import CrossEncoderReranker
from tests.memory.tiny_onnx import tiny_cross_encoder

MODEL = "BAAI/bge-reranker-v2-m3"


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
