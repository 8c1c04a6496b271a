"""The stages of one question, each by itself."""

from __future__ import annotations

import anyio
import pytest

from memory.clock import VirtualClock
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.events import AnswerDelta, CitationChecked, Finished, Merged
from orchestrator.running.fakes import FakeAgent, found

pytestmark = pytest.mark.anyio
RETRIES = found("Retries for customer tables back off three times.", "billing")


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
