"""GraphRAG: the graph's answer with its confidence, or hybrid and the reason (003 REQ-0049, scenario 4)."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from configs import HybridRetrievalConfig
from facades.hybrid.pipeline import GraphAnswer, Pipeline, RetrievalKey, ask_graph
from facades.hybrid_retriever import HybridRetriever
from memory.clock import VirtualClock
from memory.errors import ModelError, StoreError
from memory.hosted import RequestRate
from memory.observations import Location
from memory.rerankers import FakeReranker
from memory.vector import parse_filters
from tests.facades.hybrid.making import ALL, Graph, filled_store, parts, relation, retriever

QUESTION = "How are QuantumGate and Qubit connected?"


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.specification("003 REQ-0049 graphrag", "003 §7 graphrag", "003 §8 detection")
async def test_relations_come_with_their_confidence_and_the_lines_that_prove_them():
    graph = Graph(relation(0.8, content="b"), relation(0.95, content="a"), relation(0.4, content="c"))
    result = await (await retriever(graph=graph)).retrieve(QUESTION, strategy="graphrag")
    assert (result.strategy_used, result.scores, result.fallback_reason) == ("graphrag", [0.95, 0.8], None)
    first = result.documents[0]
    assert (first.content, first.metadata["source"], first.metadata["start_line"]) == ("a", "physics/src/gate.py", 3)
    assert first.metadata["relations"] == [
        {"source": "QuantumGate", "type": "USES", "target": "Qubit", "status": "confirmed"}
    ]
    assert all(score > 0.7 for score in result.scores)
    assert graph.contexts[0].permission == {"physics", "garden"}
    for strategy in ("vector", "hybrid"):
        assert (await (await retriever(graph=graph)).retrieve(QUESTION, strategy=strategy)).strategy_used == strategy
    assert len(graph.contexts) == 1


@pytest.mark.parametrize(
    ("graph", "reason"),
    [
        (None, "there is no graph"),
        (Graph(), "knows no relation"),
        (Graph(relation(0.7)), "sure by 0.70 only, not above 0.70"),
        (Graph(StoreError("it is down")), "out of reach: it is down"),
    ],
)
@pytest.mark.specification("003 REQ-0049 fallback", "003 §8 integration", "003 §8 detection")
async def test_it_falls_back_to_hybrid_and_says_why(graph, reason):
    result = await (await retriever(graph=graph)).retrieve(QUESTION, strategy="graphrag", rerank=False)
    assert result.strategy_used == "hybrid"
    assert reason in result.fallback_reason
    assert result.notes[0] == f"hybrid instead of graphrag: {result.fallback_reason}"
    assert result.documents[0].metadata["path"] == "src/gate.py"


class Hanging(Graph):
    async def retrieve(self, query, context):
        await anyio.sleep_forever()


@pytest.mark.specification("003 REQ-0049 fallback", "003 §8 integration", "003 §2 caching")
async def test_a_graph_that_hangs_is_given_up_and_asked_again_next_time():
    graph, store = Hanging(), await filled_store()
    face = await retriever(graph=graph, store=store, config=HybridRetrievalConfig(agent_timeout_ms=5))
    for _ in range(2):
        result = await face.retrieve(QUESTION, strategy="graphrag")
        assert "no answer within 5 ms" in result.fallback_reason
    assert store.calls == 2


@pytest.mark.specification("003 REQ-0049 fallback", "000 §6.1 syntax")
@pytest.mark.parametrize(
    ("filters", "strategy"),
    [
        ({"project": "physics"}, "graphrag"),
        ({"path": "src/gate.py", "start_line": {"gte": 3}}, "graphrag"),
        ({"file": "physics/src/gate.py"}, "graphrag"),
        ({"project": "garden"}, "hybrid"),
        ({"lang": "python"}, "hybrid"),
    ],
)
async def test_filters_hold_for_the_lines_that_prove_it(filters, strategy):
    face = await retriever(graph=Graph(relation(0.9)))
    result = await face.retrieve(QUESTION, strategy="graphrag", filters=filters)
    assert result.strategy_used == strategy
    if "lang" in filters:
        assert "does not know lang" in result.fallback_reason


@pytest.mark.specification("003 REQ-0049 fallback", "003 §7 graphrag")
@pytest.mark.parametrize(
    ("agent", "answer"),
    [
        (None, GraphAnswer(reason="there is no graph")),
        (Graph(), GraphAnswer(reason="the graph knows no relation of what is asked")),
        (Graph(relation(0.5)), GraphAnswer(reason="the graph is sure by 0.50 only, not above 0.70")),
        (Graph(StoreError("It is down.")), GraphAnswer(reason="the graph is out of reach: It is down.", passing=True)),
        (Graph(OSError("no route")), GraphAnswer(reason="the graph failed: OSError: no route", passing=True)),
        (Hanging(), GraphAnswer(reason="the graph gave no answer within 5 ms", passing=True)),
        (Graph(relation(0.7)), GraphAnswer(reason="the graph is sure by 0.70 only, not above 0.70")),
        (Graph(relation(0.71), relation(0.7)), GraphAnswer((relation(0.71),))),
    ],
)
async def test_why_nothing_is_said_and_whether_that_passes(agent, answer):
    assert await ask_graph(agent, QUESTION, frozenset(), (), min_confidence=0.7, timeout_ms=5) == answer


@pytest.mark.specification("003 §7 graphrag")
def test_one_of_the_first_is_a_relation():
    names = tuple(replace(relation(1.0), relationships=[], content=f"{n} is a class") for n in range(3))
    answer = GraphAnswer((*names, relation(0.8), relation(0.75)))
    assert answer.first(2) == (names[0], relation(0.8))
    assert answer.first(1) == (relation(0.8),)
    assert answer.first(4) == (*names, relation(0.8))


@pytest.mark.specification("003 REQ-0049 fallback", "003 §8 integration")
async def test_filters_it_knows_nothing_of_are_named():
    conditions = parse_filters({"lang": "python", "corpus": "code", "path": "src/gate.py"})
    answer = await ask_graph(
        Graph(relation(0.9)), QUESTION, frozenset(), conditions, min_confidence=0.7, timeout_ms=1000
    )
    assert answer == GraphAnswer(reason="the graph does not know corpus, lang, which the filters ask for")


async def test_one_line_that_proves_it_within_the_filters_is_enough():
    said = replace(relation(0.9), locations=(Location("garden", "a.md", 1, 2), Location("physics", "b.md", 3, 9)))

    async def asked(filters):
        conditions = parse_filters(filters)
        return await ask_graph(Graph(said), QUESTION, frozenset(), conditions, min_confidence=0.7, timeout_ms=1000)

    assert (await asked({"project": "physics", "start_line": 3, "end_line": 9})).observations == (said,)
    assert (await asked({"project": "garden", "end_line": 9})).reason == "the graph knows no relation of what is asked"


async def test_its_floor_is_the_caller_s():
    for floor, strategy in ((0.4, "graphrag"), (0.5, "hybrid")):
        face = await retriever(graph=Graph(relation(0.5)), graphrag_min_confidence=floor)
        assert (await face.retrieve(QUESTION, strategy="graphrag")).strategy_used == strategy


CONFIG = HybridRetrievalConfig()
EVERYBODY = frozenset({"physics", "garden"})
HYBRID = RetrievalKey("quantum computing", "hybrid", 3, rerank=False, conditions=(), permission=EVERYBODY)


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


@pytest.mark.specification("003 REQ-0045 reranker", "003 §7 reranking")
async def test_a_reranker_reads_more_than_is_shown():
    fake = FakeReranker()
    assert CONFIG.evidence.rerank_candidates == 40
    few = replace(CONFIG, evidence=replace(CONFIG.evidence, rerank_candidates=4))
    made = await (await pipeline(few, reranker=fake)).retrieve(replace(HYBRID, top_k=2, rerank=True))
    [(_, texts)] = fake.calls
    assert (len(texts), len(made.result.documents), made.result.reranked, made.whole) == (4, 2, True, True)
    assert made.result.scores == [document.score for document in made.result.documents]
    assert made.result.tokens_processed > 0
    made = await (await pipeline(few, reranker=fake)).retrieve(replace(HYBRID, top_k=5, rerank=True))
    assert (len(fake.calls[1][1]), len(made.result.documents)) == (4, 5)  # what is not read stays behind


@pytest.mark.specification("003 §2 caching")
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


@pytest.mark.specification("003 §3 rerank", "003 §3 top_k")
async def test_what_the_graph_says_is_cut_to_what_is_asked_and_keeps_its_order():
    said = [relation(0.9 - n / 100, content=f"relation {n}") for n in range(5)]
    ours = await pipeline(graph=Graph(*said))
    made = await ours.retrieve(replace(HYBRID, strategy="graphrag", top_k=2))
    assert [one.content for one in made.result.documents] == ["relation 0", "relation 1"]
    assert (made.result.scores, made.result.notes, made.whole) == ([0.9, 0.89], (), True)
    made = await ours.retrieve(replace(HYBRID, strategy="graphrag", rerank=True))
    assert made.result.notes == ("what the graph says keeps the order of its confidence",)
    assert ours.parts.store.calls == 0


@pytest.mark.specification("003 REQ-0049 graphrag", "003 §7 graphrag")
async def test_one_name_and_a_path_too_long_on_a_real_graph(shop):
    async with HybridRetriever(str(shop), profile="embedded") as face:
        one = await face.retrieve("Who publishes order.placed?", strategy="graphrag")
        assert one.strategy_used == "graphrag"
        assert "OrderService of orders publishes topic order.placed" in one.documents[0].content
        three = await face.retrieve("How are OrderService and CardDeclined connected?", strategy="graphrag")
        assert (three.strategy_used, three.fallback_reason) == (
            "hybrid",
            "the graph is sure by 0.64 only, not above 0.70",
        )
