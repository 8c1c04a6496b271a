"""What one question costs, what it is cut to, and what of it may be remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from configs import HybridRetrievalConfig
from facades.hybrid.pipeline import Asked, Pipeline
from memory.clock import VirtualClock
from memory.errors import ModelError, StoreError
from memory.hosted.calls import RequestRate
from memory.rerankers import FakeReranker
from tests.facades.hybrid.making import ALL, Graph, parts, relation

CONFIG = HybridRetrievalConfig()
EVERYBODY = frozenset({"physics", "garden"})
HYBRID = Asked("quantum computing", "hybrid", 3, rerank=False, conditions=(), permission=EVERYBODY)


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def pipeline(config=CONFIG, **changes):
    return Pipeline(await parts(**changes), config, ALL, 0.7, RequestRate(0, VirtualClock()))


async def test_a_plain_question_is_whole():
    made = await (await pipeline()).retrieve(HYBRID)
    assert (made.whole, made.result.strategy_used, len(made.result.documents)) == (True, "hybrid", 3)
    assert (made.result.reranked, made.result.tokens_processed, made.result.latency_ms) == (False, 0, 0.0)
    assert (made.result.notes, made.result.fallback_reason) == ((), None)


@pytest.mark.parametrize("strategy", ["vector", "hybrid", "graphrag"])
async def test_who_may_see_nothing_asks_nobody(strategy):
    graph = Graph(relation(0.9))
    ours = await pipeline(graph=graph)
    made = await ours.retrieve(replace(HYBRID, strategy=strategy, permission=frozenset()))
    assert (made.whole, made.result.documents, made.result.strategy_used) == (True, [], strategy)
    assert made.result.notes == ("no project may be seen",)
    assert (graph.contexts, ours.parts.store.calls) == ([], 0)


async def test_a_reranker_reads_more_than_is_shown():
    fake = FakeReranker()
    few = replace(CONFIG, evidence=replace(CONFIG.evidence, rerank_candidates=4))
    made = await (await pipeline(few, reranker=fake)).retrieve(replace(HYBRID, top_k=2, rerank=True))
    [(_, texts)] = fake.calls
    assert (len(texts), len(made.result.documents), made.result.reranked, made.whole) == (4, 2, True, True)
    assert made.result.scores == [document.score for document in made.result.documents]
    assert made.result.tokens_processed > 0
    made = await (await pipeline(few, reranker=fake)).retrieve(replace(HYBRID, top_k=5, rerank=True))
    assert (len(fake.calls[1][1]), len(made.result.documents)) == (4, 5)  # what is not read stays behind


@pytest.mark.parametrize(
    ("graph", "whole"),
    [(None, True), (Graph(), True), (Graph(relation(0.1)), True), (Graph(StoreError("It is down.")), False)],
)
async def test_a_graph_that_is_down_may_be_back(graph, whole):
    made = await (await pipeline(graph=graph)).retrieve(replace(HYBRID, strategy="graphrag"))
    assert (made.whole, made.result.strategy_used, len(made.result.documents)) == (whole, "hybrid", 3)


async def test_so_may_a_reranker():
    fake = FakeReranker(ModelError("It is down."))
    for strategy in ("hybrid", "graphrag"):
        made = await (await pipeline(reranker=fake)).retrieve(replace(HYBRID, strategy=strategy, rerank=True))
        assert (made.whole, made.result.reranked) == (False, False)


async def test_what_the_graph_says_is_cut_to_what_is_asked_and_keeps_its_order():
    said = [relation(0.9 - n / 100, content=f"relation {n}") for n in range(5)]
    ours = await pipeline(graph=Graph(*said))
    made = await ours.retrieve(replace(HYBRID, strategy="graphrag", top_k=2))
    assert [one.content for one in made.result.documents] == ["relation 0", "relation 1"]
    assert (made.result.scores, made.result.notes, made.whole) == ([0.9, 0.89], (), True)
    made = await ours.retrieve(replace(HYBRID, strategy="graphrag", rerank=True))
    assert made.result.notes == ("what the graph says keeps the order of its confidence",)
    assert ours.parts.store.calls == 0
