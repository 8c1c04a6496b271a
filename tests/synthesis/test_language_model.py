from __future__ import annotations

import pytest

from synthesis import ScriptedLanguageModel, TextDelta


async def said(model, prompt):
    return [delta async for delta in model.stream(prompt)]


async def test_turns_in_their_order_and_the_last_again():
    model = ScriptedLanguageModel(["a", TextDelta("b", 3)], then=[["c"], ["d"]])
    assert await said(model, "one") == [TextDelta("a"), TextDelta("b", 3)]
    assert [await said(model, prompt) for prompt in ("two", "three", "four")] == [
        [TextDelta("c")],
        [TextDelta("d")],
        [TextDelta("d")],
    ]
    assert model.prompts == ["one", "two", "three", "four"]


async def test_an_error_comes_after_the_script():
    model = ScriptedLanguageModel(["half"], error=ConnectionError("reset"))
    stream = model.stream("x")
    assert await anext(stream) == TextDelta("half")
    with pytest.raises(ConnectionError, match="reset"):
        await anext(stream)
