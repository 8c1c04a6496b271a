"""The stages of one question, each by itself; and the merger in hand: what it does with an observation alone is done
while the run waits for the slowest agent.
"""

from __future__ import annotations

import asyncio

import anyio
import pytest

from configs import HybridRetrievalConfig
from memory.clock import VirtualClock
from memory.errors import ModelError
from memory.rerankers import FakeReranker
from merging import ResultMerger
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.events import AnswerDelta, CitationChecked, Finished, Merged
from orchestrator.pipeline import Merging
from orchestrator.running.fakes import FakeAgent, found

CONFIG = HybridRetrievalConfig()
RETRIES = found("Retries for customer tables back off three times.", "billing")


class Timed:
    """The real merger, and when each of its steps was done on the event loop's clock."""

    def __init__(self):
        self.merger = ResultMerger(CONFIG.ranking)
        self.prepared, self.merged = [], []

    def prepare(self, entry):
        self.prepared.append((entry.source_agent_id, round(anyio.current_time(), 3)))
        return self.merger.prepare(entry)

    def merge_entries(self, entries, permission):
        self.merged.append((len(entries), all(entry.prepared for entry in entries), round(anyio.current_time(), 3)))
        return self.merger.merge_entries(entries, permission)


async def test_who_is_early_is_prepared_before_the_slowest_is_there():
    merger, began = Timed(), anyio.current_time()
    orchestrator = HybridRetrievalOrchestrator(
        local=FakeAgent([found("Alpha")], seconds=1.0),
        vector=FakeAgent([found("Bravo"), found("Charlie")], seconds=2.0),
        merger=merger,
        config=CONFIG,
        wait_for_mays=True,
    )
    result = await orchestrator.retrieve("How do we handle retries?")
    one, two = round(began + 1, 3), round(began + 2, 3)
    assert merger.prepared == [("local", one), ("vector", two), ("vector", two)]
    assert merger.merged == [(3, True, two)]
    assert len(result.observations) == 3


def test_only_a_merger_of_entries_is_asked_to_prepare():
    class Own:
        def prepare(self):
            """Something of its own."""

        async def merge(self, observations):
            return observations

    ours = ResultMerger(CONFIG.ranking)
    assert Merging(ours, CONFIG).prepare == ours.prepare
    assert Merging(None, CONFIG).prepare is not None
    assert Merging(Own(), CONFIG).prepare is None


class Slow(FakeReranker):
    async def rerank(self, query, texts):
        await anyio.sleep(100)


@pytest.mark.specification("001 §5.3 order")
async def test_a_reranker_has_the_last_word_on_the_order():
    fake = FakeReranker()
    agent = FakeAgent([found("Retries are many", confidence=0.9), found("Timeouts handle retries", confidence=0.5)])
    orchestrator = HybridRetrievalOrchestrator(vector=agent, reranker=fake, config=CONFIG)
    result = await orchestrator.retrieve("timeouts handle retries")
    assert [one.content.split()[0] for one in result.observations] == ["Timeouts", "Retries"]
    assert [one.rank for one in result.observations] == [1, 2]
    [(query, texts)] = fake.calls
    assert query == "timeouts handle retries"
    assert len(texts) == 2


async def test_one_that_fails_or_is_late_keeps_the_order_and_is_named():
    for reranker, why in ((FakeReranker(ModelError("It is down.")), "It is down."), (Slow(), "no answer within")):
        agent = FakeAgent([found("Retries are many", confidence=0.9), found("Timeouts handle retries", confidence=0.5)])
        orchestrator = HybridRetrievalOrchestrator(vector=agent, reranker=reranker, config=CONFIG)
        result = await orchestrator.retrieve("timeouts handle retries")
        assert result.observations[0].content.startswith("Retries")
        assert any(why in note for note in result.answer.notes)


class Clearing(FakeReranker):
    async def rerank(self, query, texts):
        texts.clear()
        return []


class Deaf(FakeReranker):
    async def rerank(self, query, texts):
        while not self.calls:
            try:
                await anyio.sleep_forever()
            except asyncio.CancelledError:
                continue


@pytest.mark.parametrize(("reranker", "why"), [(Clearing(), "0 scores for 2 texts"), (Deaf(), "no answer within")])
async def test_one_that_clears_what_it_is_given_or_does_not_stop_loses_nothing(reranker, why):
    agent = FakeAgent([found("Retries are many", confidence=0.9), found("Timeouts handle retries", confidence=0.5)])
    began = anyio.current_time()
    async with HybridRetrievalOrchestrator(vector=agent, reranker=reranker, config=CONFIG) as orchestrator:
        result = await orchestrator.retrieve("timeouts handle retries")
        assert anyio.current_time() - began < 6
        assert len(result.observations) == 2
        assert any(why in note for note in result.answer.notes)
        reranker.calls.append(("", ()))  # it ends


async def test_a_merger_that_is_late_is_replaced_by_the_products_own():
    class Late:
        async def merge(self, observations):
            await anyio.sleep_forever()

    config = HybridRetrievalConfig(total_timeout_ms=1000)
    began = anyio.current_time()
    async with HybridRetrievalOrchestrator(
        merger=Late(), vector=FakeAgent([found("Retries for customer tables.")]), config=config
    ) as orchestrator:
        result = await orchestrator.retrieve("How do other teams handle retries for customer tables?")
    assert (result.status, result.metrics.after_dedup) == ("answered", 1)
    assert "the merger gave nothing (did not answer in time): merged by the product's own" in result.answer.notes
    assert anyio.current_time() - began < 1.0


@pytest.mark.parametrize("given", [RuntimeError("it broke"), None, ["no observation"]])
async def test_a_merger_that_fails_loses_nothing(given):
    class Broken:
        async def merge(self, observations):
            if isinstance(given, Exception):
                raise given
            return given

    result = await HybridRetrievalOrchestrator(
        merger=Broken(), vector=FakeAgent([found("Retries for customer tables.")]), config=CONFIG
    ).retrieve("How do other teams handle retries for customer tables?")
    assert (result.status, result.metrics.after_dedup) == ("answered", 1)
    assert any(note.startswith("the merger gave nothing") for note in result.answer.notes)


async def test_the_agents_have_nine_tenths_of_a_question_s_time():
    async with HybridRetrievalOrchestrator(graph=FakeAgent([RETRIES]), clock=VirtualClock()) as orchestrator:
        before = anyio.current_time()
        asked = orchestrator.begin("Who retries for customer tables?")
        whole = orchestrator.config.total_timeout_ms / 1000
        assert asked.until - before == pytest.approx(whole, abs=1.0)
        assert asked.until - asked.agents_until == pytest.approx(0.1 * whole, abs=0.1)


async def test_each_stage_hands_on_and_tells_what_it_has():
    told = []
    async with HybridRetrievalOrchestrator(graph=FakeAgent([RETRIES]), clock=VirtualClock()) as orchestrator:
        asked = orchestrator.begin("Who retries for customer tables?")
        merged = await orchestrator.merge(asked, await orchestrator.ask(asked), told.append)
        assert [one.source_project for one in merged.merged.observations] == ["billing"]
        result = await orchestrator.finish(merged, told.append)
    assert [type(one) for one in told] == [Merged, AnswerDelta, CitationChecked, Finished]
    assert result.answer.citations
