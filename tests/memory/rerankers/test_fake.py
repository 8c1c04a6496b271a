from __future__ import annotations

import pytest

import memory.rerankers
from memory.errors import ModelError
from memory.rerankers import FakeReranker


async def test_the_share_of_the_questions_words():
    fake = FakeReranker()
    assert await fake.rerank("PayNow order", ["pay now", "an order: PayNow", ""]) == [2 / 4, 1.0, 0.0]
    assert await fake.rerank("", ["a"]) == [0.0]
    assert fake.calls[1] == ("", ("a",))


async def test_a_failure():
    with pytest.raises(ModelError):
        await FakeReranker(ModelError("down")).rerank("q", ["a"])


def test_the_face():
    assert sorted(memory.rerankers.__all__) == ["CrossEncoderReranker", "FakeReranker", "Reranker", "VoyageReranker"]
