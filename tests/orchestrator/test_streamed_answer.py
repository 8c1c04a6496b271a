"""What a language model writes reaches the stream as it is written."""

from __future__ import annotations

import math

import pytest

from orchestrator import AnswerDelta, Finished, HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found
from synthesis import ScriptedLanguageModel, SynthesisAgent

QUESTION = "How do other teams handle retries?"
FOUND = found("Retries in billing back off three times.", "billing")
CITED = ["Retries in billing ", "back off three times. ", "[vector:billing/retries.md]"]


async def deltas(model):
    parts = {"vector": FakeAgent([FOUND]), "synthesis": SynthesisAgent(model)}
    async with HybridRetrievalOrchestrator(**parts) as orchestrator, orchestrator.stream(QUESTION) as stream:
        events = [event async for event in stream]
    result = next(event.result for event in events if isinstance(event, Finished))
    return [event for event in events if isinstance(event, AnswerDelta)], result


@pytest.mark.specification("001 §6.2 citations")
async def test_piece_by_piece():
    told, result = await deltas(ScriptedLanguageModel(CITED))
    assert told == [AnswerDelta(piece) for piece in CITED]
    assert result.answer.text == "".join(CITED)


@pytest.mark.specification("001 §6.2 citations")
async def test_what_was_replaced_begins_anew():
    told, result = await deltas(ScriptedLanguageModel(["All is well."]))
    assert told == [AnswerDelta("All is well."), AnswerDelta(result.answer.text, restart=True)]
    assert told[1].to_dict()["restart"] is True
    assert "\n" in told[1].line()


async def test_a_model_that_is_late_is_replaced_in_time():
    told, result = await deltas(ScriptedLanguageModel(CITED, hang=math.inf))
    assert told == [AnswerDelta(result.answer.text)]
    assert result.answer.answerer == "extractive"
