from __future__ import annotations

from dataclasses import replace

import pytest

from memory.errors import ModelError
from synthesis import ScriptedLanguageModel, SynthesisAgent, TextDelta

QUERY = "Which key do customers tables have?"
GOOD = ["Billing has a UUID as primary key. ", TextDelta("[vector:billing/db/schema.sql:3-3]", 42)]


@pytest.fixture
def seen(org):
    return [org.seen("billing/db/schema.sql", 2, 6)]


@pytest.mark.specification("001 §2.2 step 5", "001 §6.2 citations", "001 §6.2 missing")
async def test_a_models_answer_with_checked_citations(org, seen):
    model = ScriptedLanguageModel(GOOD)
    answer = await SynthesisAgent(model).answer(QUERY, seen, missing=["x"], files=org.files)
    assert answer.text == "Billing has a UUID as primary key. [vector:billing/db/schema.sql:3-3]\nMissing: x."
    assert (answer.answerer, answer.tokens, answer.missing) == ("scripted", 42, ("x",))
    assert [c.verified for c in answer.citations] == [True]
    assert "id UUID PRIMARY KEY" in model.prompts[0]


@pytest.mark.parametrize(
    ("model", "note"),
    [
        (ScriptedLanguageModel(["half"], error=ModelError("the model is gone")), "the model is gone"),
        (ScriptedLanguageModel([], error=ConnectionError("reset")), "reset"),
        (ScriptedLanguageModel(GOOD, hang=60.0), "did not answer in time"),
        (ScriptedLanguageModel(["All is well. " * 20_000]), "wrote more than 200,000 characters"),
        (ScriptedLanguageModel(["All is well."]), "none of its citations holds"),
        (ScriptedLanguageModel(["Rain. [vector:billing/db/schema.sql:3-3]"]), "none of its citations holds"),
    ],
)
async def test_a_model_that_fails_is_replaced_by_the_extractive_answer(org, seen, model, note):
    in_time = 0.01 if model.hang else 60.0
    answer = await SynthesisAgent(model, model_timeout=in_time).answer(QUERY, seen, files=org.files)
    assert answer.answerer == "extractive"
    assert answer.notes == (f"scripted: {note}",)
    assert answer.citations


@pytest.mark.specification("001 §6.1 budget", "001 §8 limits")
async def test_the_budget_bounds_what_the_model_reads(org, seen):
    model = ScriptedLanguageModel(GOOD)
    await SynthesisAgent(model).answer(QUERY, seen, budget=5, files=org.files)
    assert "id UUID" not in model.prompts[0]


@pytest.mark.specification("001 §6.1 budget", "001 §8 limits")
async def test_without_a_model_there_is_no_budget(org, seen):
    whole, bounded = [await SynthesisAgent().answer(QUERY, seen, budget=most, files=org.files) for most in (8000, 1)]
    assert whole.citations
    assert bounded == whole


@pytest.mark.specification("001 §7.1 SynthesisAgent")
async def test_a_text_alone_is_what_synthesize_gives(seen):
    assert await SynthesisAgent(ScriptedLanguageModel(GOOD)).synthesize(QUERY, seen) == "".join([GOOD[0], GOOD[1].text])


@pytest.mark.specification("001 §7.1 SynthesisAgent")
async def test_nothing_observed_asks_no_model():
    model = ScriptedLanguageModel(GOOD)
    assert "Nothing was found" in await SynthesisAgent(model).synthesize(QUERY, [])
    assert model.prompts == []


FALSE = "Billing has a UUID as primary key. [vector:billing/db/schema.sql:3-3] Its name is `email`. [vector:billing/db/schema.sql:4-4]"


async def test_pieces_are_told_as_the_model_writes_them(org, seen):
    told = []
    model = ScriptedLanguageModel(["Billing has \x1b[0ma UUID as primary key. ", "", GOOD[1]])
    answer = await SynthesisAgent(model).answer(QUERY, seen, files=org.files, tell=told.append)
    assert told == ["Billing has [0ma UUID as primary key. ", GOOD[1].text]
    assert "".join(told) == answer.text


@pytest.mark.specification("001 §6.2 citations")
async def test_what_fails_is_marked_and_listed(org, seen):
    answer = await SynthesisAgent(ScriptedLanguageModel([FALSE]), repair=False).answer(QUERY, seen, files=org.files)
    assert answer.text.endswith("Its name is `email`. (not verified)")
    assert [(c.verified, c.reason) for c in answer.citations] == [
        (True, None),
        (False, "the cited lines do not say email"),
    ]
    assert answer.notes == ()


async def test_one_further_turn_may_mend_it(org, seen):
    model = ScriptedLanguageModel([TextDelta(FALSE, 10)], then=[GOOD])
    told = []
    answer = await SynthesisAgent(model).answer(QUERY, seen, files=org.files, tell=told.append)
    assert answer.text == "".join([GOOD[0], GOOD[1].text])
    assert answer.notes == ("1 citations did not hold, and were mended",)
    assert (answer.tokens, told) == (52, [FALSE])
    assert (
        "[vector:billing/db/schema.sql:4-4] for “Its name is `email`.”: the cited lines do not say email"
        in model.prompts[1]
    )
    assert model.prompts[1].startswith(model.prompts[0])


@pytest.mark.parametrize("again", [[FALSE], ["All is well."]])
async def test_a_turn_that_mends_nothing_is_not_taken(org, seen, again):
    answer = await SynthesisAgent(ScriptedLanguageModel([FALSE], then=[again])).answer(QUERY, seen, files=org.files)
    assert answer.text.endswith("Its name is `email`. (not verified)")
    assert answer.notes == ()


async def test_a_model_that_is_late_only_with_the_second_turn_keeps_its_first(org, seen):
    class SlowToMend(ScriptedLanguageModel):
        async def stream(self, prompt):
            self.hang = 60.0 if self.prompts else 0.0
            async for delta in super().stream(prompt):
                yield delta

    model = SlowToMend([FALSE])
    answer = await SynthesisAgent(model, model_timeout=0.01).answer(QUERY, seen, files=org.files)
    assert answer.answerer == "scripted"
    assert answer.notes == ("1 citations did not hold, and were not mended: the model did not answer in time",)


async def test_tokens_of_a_model_that_was_not_followed_are_told_too(org, seen):
    model = ScriptedLanguageModel([TextDelta("All is well.", 7)])
    answer = await SynthesisAgent(model, repair=False).answer(QUERY, seen, files=org.files)
    assert (answer.answerer, answer.tokens) == ("extractive", 7)


@pytest.mark.specification("001 §7.1 SynthesisAgent")
async def test_observations_that_were_made_by_hand_have_no_ids_and_answer_all_the_same(org, seen):
    by_hand = [replace(one, id="") for one in (*seen, org.seen("billing/db/schema.sql", 1, 1))]
    answer = await SynthesisAgent().answer(QUERY, by_hand, files=org.files)
    assert "id UUID PRIMARY KEY" in answer.text
    model = await SynthesisAgent(ScriptedLanguageModel(GOOD)).answer(QUERY, by_hand, files=org.files)
    assert (model.answerer, [c.verified for c in model.citations]) == ("scripted", [True])
