from __future__ import annotations

import pytest

from memory.errors import ModelError
from synthesis import ScriptedLanguageModel, SynthesisAgent, TextDelta

QUERY = "Which key do customers tables have?"
GOOD = ["Billing has a UUID as primary key. ", TextDelta("[vector:billing/db/schema.sql:3-3]", 42)]


@pytest.fixture
def seen(org):
    return [org.seen("billing/db/schema.sql", 2, 6)]


@pytest.mark.specification("001 §2.2 step 5", "001 §6.2 citations")
async def test_a_models_answer_with_checked_citations(org, seen):
    model = ScriptedLanguageModel(GOOD)
    answer = await SynthesisAgent(model).answer(QUERY, seen, missing=["x"], files=org.files)
    assert answer.text == "Billing has a UUID as primary key. [vector:billing/db/schema.sql:3-3]"
    assert (answer.answerer, answer.tokens, answer.missing) == ("scripted", 42, ("x",))
    assert [c.verified for c in answer.citations] == [True]
    assert "id UUID PRIMARY KEY" in model.prompts[0]


@pytest.mark.parametrize(
    ("model", "note"),
    [
        (ScriptedLanguageModel(["half"], error=ModelError("the model is gone")), "the model is gone"),
        (ScriptedLanguageModel([], error=ConnectionError("reset")), "reset"),
        (ScriptedLanguageModel(GOOD, hang=60.0), "did not answer in time"),
        (ScriptedLanguageModel(["All is well."]), "none of its citations holds"),
        (ScriptedLanguageModel(["Rain. [vector:billing/db/schema.sql:3-3]"]), "none of its citations holds"),
    ],
)
async def test_a_model_that_fails_is_replaced_by_the_extractive_answer(org, seen, model, note):
    answer = await SynthesisAgent(model, model_timeout=0.01).answer(QUERY, seen, files=org.files)
    assert answer.answerer == "extractive"
    assert answer.notes == (f"scripted: {note}",)
    assert answer.citations


@pytest.mark.specification("001 §6.1 budget")
async def test_the_budget_bounds_what_the_model_reads(org, seen):
    model = ScriptedLanguageModel(GOOD)
    await SynthesisAgent(model).answer(QUERY, seen, budget=5, files=org.files)
    assert "id UUID" not in model.prompts[0]


@pytest.mark.specification("001 §7.1 SynthesisAgent")
async def test_a_text_alone_is_what_synthesize_gives(seen):
    assert await SynthesisAgent(ScriptedLanguageModel(GOOD)).synthesize(QUERY, seen) == "".join([GOOD[0], GOOD[1].text])


@pytest.mark.specification("001 §7.1 SynthesisAgent")
async def test_nothing_observed_asks_no_model():
    model = ScriptedLanguageModel(GOOD)
    assert "Nothing was found" in await SynthesisAgent(model).synthesize(QUERY, [])
    assert model.prompts == []
