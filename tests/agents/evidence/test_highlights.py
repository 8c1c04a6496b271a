from __future__ import annotations

import pytest

from agents.evidence.highlights import asked_words, highlights


def found(query, text):
    return highlights(asked_words(query), text)


@pytest.mark.specification("000 §8.1 highlights")
def test_identifiers_first_then_words():
    query = "how is the schema of FunctionTool read from the state by an LLM"
    assert found(query, "class functiontool: STATE, schema and llm") == ("FunctionTool", "schema", "state", "LLM")


def test_whole_words_alone():
    assert found("agent state", "agents, my_state, restate") == ()
    assert found("agent state", "agents agent") == ("agent",)
    assert found("state", "state") == ("state",)
    assert found("tool", "tool_context tools tool.") == ("tool",)


def test_no_stop_words_and_each_once():
    assert found("What does the agent do? The Agent!", "what does the agent do") == ("agent",)
    assert found("multi-agent agent", "a multi-agent agent") == ("multi-agent",)


def test_eight_at_the_most():
    words = "alpha beta gamma delta epsilon zeta theta iota kappa"
    assert found(words, words) == tuple(words.split()[:8])
