from __future__ import annotations

from memory.rerankers import FakeReranker
from memory.rerankers.reordering import Reordering, reorder


async def test_texts_are_sorted_by_the_scores_and_equal_ones_stay_in_order():
    done = await reorder("agent tool", ["nothing", "agent", "agent tool", "tool"], FakeReranker(), 1)
    assert done == Reordering((2, 1, 3, 0), "reranked by fake-shared-words: 4")


async def test_without_texts_nobody_is_asked():
    fake = FakeReranker()
    assert await reorder("agent", [], fake, 1) == Reordering(())
    assert fake.calls == []
