from __future__ import annotations

import pytest

import memory.rerankers
from memory.errors import ModelError
from memory.rerankers import FakeReranker
from memory.rerankers.port import Reordering, reorder


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


async def test_texts_are_sorted_by_the_scores_and_equal_ones_stay_in_order():
    done = await reorder("agent tool", ["nothing", "agent", "agent tool", "tool"], FakeReranker(), 1)
    assert done == Reordering((2, 1, 3, 0), "reranked by fake-shared-words: 4")


async def test_without_texts_nobody_is_asked():
    fake = FakeReranker()
    assert await reorder("agent", [], fake, 1) == Reordering(())
    assert fake.calls == []


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
