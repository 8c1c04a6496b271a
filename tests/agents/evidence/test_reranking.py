from __future__ import annotations

import anyio
import pytest

from agents.evidence.reranking import rerank, rerank_text
from memory.errors import ModelError
from memory.rerankers import FakeReranker
from tests.agents.evidence.making import item, make_chunk


def test_what_a_reranker_reads():
    assert rerank_text(make_chunk(symbol="Tool.run", text="x")) == "google/kit/src/a.py Tool.run\nx"
    assert rerank_text(make_chunk("a.md", section="Guide > Tools", text="x")) == "google/guide/a.md Guide > Tools\nx"
    assert rerank_text(make_chunk(text="x")) == "google/kit/src/a.py\nx"


def pool():
    texts = {"a.py": "nothing", "b.py": "agent", "c.py": "agent tool", "d.py": "agent tool state"}
    return [item(path, rank=rank, text=text) for rank, (path, text) in enumerate(texts.items(), start=1)]


@pytest.mark.specification("000 §12 rerank")
async def test_the_rerankers_order_of_the_first_the_rest_behind():
    fake = FakeReranker()
    got = await rerank("agent tool", pool(), fake, most=3, timeout_s=1)
    assert [(one.rank, one.chunk.path) for one in got.items] == [(1, "c.py"), (2, "b.py"), (3, "a.py"), (4, "d.py")]
    assert got.items[0].score == pool()[2].score
    assert got.notes == ("reranked by fake-shared-words: 3 of 4 candidates",)
    assert not got.failed
    assert fake.calls == [("agent tool", tuple(rerank_text(one.chunk) for one in pool()[:3]))]


async def test_equal_scores_stay_in_order():
    got = await rerank("nowhere", pool(), FakeReranker(), most=40, timeout_s=1)
    assert [one.rank for one in got.items] == [1, 2, 3, 4]
    assert got.items == pool()


class Hanging(FakeReranker):
    async def rerank(self, query, texts):
        await anyio.sleep_forever()


class Short(FakeReranker):
    async def rerank(self, query, texts):
        return [1.0]


@pytest.mark.specification("000 §12 rerank")
@pytest.mark.parametrize(
    ("reranker", "why"),
    [
        (FakeReranker(ModelError("The service is down.")), "The service is down."),
        (Hanging(), "no answer within 0.02 s"),
        (Short(), "1 scores for 4 texts"),
    ],
)
async def test_one_that_fails_changes_nothing_and_is_named(reranker, why):
    got = await rerank("q", pool(), reranker, most=40, timeout_s=0.02)
    assert got.items == pool()
    assert got.failed
    assert got.notes == (f"reranking by fake-shared-words failed, order kept: {why}",)


async def test_nothing_to_rerank_is_no_call():
    fake = FakeReranker()
    assert (await rerank("q", [], fake, most=40, timeout_s=1)).items == []
    assert fake.calls == []
