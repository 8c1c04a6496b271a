"""A language model reads the question too: what it says is checked, and its failures change nothing."""

from __future__ import annotations

import json

import anyio
import pytest

from memory.errors import ModelError
from memory.question import read_question
from orchestrator.analysis.model_reading import ModelReader
from synthesis.language_model import ScriptedLanguageModel

QUESTION = read_question("what does bank of anthos read and the ledger writer write")
REPLY = {
    "clauses": ["what does bank of anthos read", "what does the ledger writer write"],
    "names": ["bank-of-anthos", "LedgerWriter", "Kafka"],
    "wordings": ["inputs of bank of anthos, outputs of the ledger writer"],
}


async def read(model, within=60.0):
    return await ModelReader(model, seconds=1.5).read(QUESTION, anyio.current_time() + within)


async def test_clauses_names_and_wordings_join_the_question():
    found = await read(ScriptedLanguageModel([f"```json\n{json.dumps(REPLY)}\n```"]))
    assert found.clauses == tuple(REPLY["clauses"])
    assert found.added_names == ("bank-of-anthos", "LedgerWriter")  # the question spells no Kafka out
    assert found.wordings == tuple(REPLY["wordings"])
    assert found.mentions[-2:] == found.added_names


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I think it asks about the bank.",
        "{",
        "[]",
        json.dumps({"names": ["bank"]}),
        json.dumps({**REPLY, "names": "bank"}),
        json.dumps({**REPLY, "names": [3]}),
        json.dumps({**REPLY, "clauses": [""]}),
        json.dumps({**REPLY, "wordings": ["x" * 401]}),
        json.dumps({**REPLY, "more": []}),
    ],
)
async def test_what_is_wrong_changes_nothing(reply):
    assert await read(ScriptedLanguageModel([reply])) is QUESTION


async def test_what_fails_or_is_late_changes_nothing():
    good = json.dumps(REPLY)
    assert await read(ScriptedLanguageModel([good], error=ModelError("down"))) is QUESTION
    assert await read(ScriptedLanguageModel([good], hang=1.6)) is QUESTION
    assert await read(ScriptedLanguageModel([good], hang=1.4)) is not QUESTION
    assert await read(ScriptedLanguageModel([good], hang=1.4), within=1.0) is QUESTION


async def test_a_question_is_asked_about_once():
    model = ScriptedLanguageModel([json.dumps(REPLY)])
    reader = ModelReader(model, seconds=1.5)
    first, second = [await reader.read(QUESTION, anyio.current_time() + 60) for _ in range(2)]
    assert first is second
    assert len(model.prompts) == 1
    assert QUESTION.text in model.prompts[0]
