from __future__ import annotations

import pytest

from agents.evidence.intents import (
    RULES,
    Intent,
    classify_intent,
    likely_symbol,
    parse_intent,
    path_tokens,
    symbol_names,
)
from memory.question import read_question

NINE = "HOW_TO_IMPLEMENT API_LOOKUP CODE_EXAMPLE DEBUG_ERROR CONCEPTUAL MIGRATION_OR_VERSION TARGETED_FILE CODE_ONLY DOCS_ONLY"


@pytest.mark.specification("000 §3.1 enum")
def test_exactly_these_nine():
    assert [intent.value for intent in Intent] == NINE.split()


@pytest.mark.specification("000 §3.2 rules")
@pytest.mark.parametrize(
    ("query", "intent", "words"),
    [
        ("Traceback (most recent call last):", "DEBUG_ERROR", "Traceback"),
        ("what raises ModelException here", "DEBUG_ERROR", "Exception"),
        ("KeyError: 'findings'", "DEBUG_ERROR", "Error:"),
        ("which parameters has it", "API_LOOKUP", "parameter"),
        ("its Signature", "API_LOOKUP", "Signature"),
        ("the return type of run", "API_LOOKUP", "return type"),
        ("What does LlmAgent do?", "API_LOOKUP", "What does LlmAgent do"),
        (f"what does {'x' * 80} do", "API_LOOKUP", f"what does {'x' * 80} do"),
        (f"what does {'x' * 81} do", "HOW_TO_IMPLEMENT", ""),
        ("an example of tools", "CODE_EXAMPLE", "example"),
        ("a sample", "CODE_EXAMPLE", "sample"),
        ("where is Runner", "CODE_EXAMPLE", "where is"),
        ("what is it used in", "CODE_EXAMPLE", "used in"),
        ("implement a tool", "HOW_TO_IMPLEMENT", "implement"),
        ("building tools", "HOW_TO_IMPLEMENT", "build"),
        ("create an agent", "HOW_TO_IMPLEMENT", "create an agent"),
        ("create agent", "HOW_TO_IMPLEMENT", "create agent"),
        ("create a new agent", "HOW_TO_IMPLEMENT", "create a new agent"),
        ("a multi-agent workflow", "HOW_TO_IMPLEMENT", "multi-agent workflow"),
        ("the concept of state", "CONCEPTUAL", "concept"),
        ("an overview", "CONCEPTUAL", "overview"),
        ("difference between loops and sequences", "CONCEPTUAL", "difference between"),
        ("when to use loops", "CONCEPTUAL", "when to use"),
        ("is Workflow deprecated", "MIGRATION_OR_VERSION", "deprecated"),
        ("what changed", "MIGRATION_OR_VERSION", "changed"),
        ("in version 2", "MIGRATION_OR_VERSION", "version"),
        ("the last release", "MIGRATION_OR_VERSION", "release"),
        ("what is in src/kit", "TARGETED_FILE", "src/kit"),
        ("show me tool.py", "TARGETED_FILE", "tool.py"),
        ("google/adk/tools please", "TARGETED_FILE", "google/adk/tools"),
        ("hello", "HOW_TO_IMPLEMENT", ""),
        ("a conversion of units", "HOW_TO_IMPLEMENT", ""),
    ],
)
def test_each_rule(query, intent, words):
    assert classify_intent(read_question(query)) == (Intent[intent], words)


@pytest.mark.specification("000 §3.2 rules")
def test_the_first_rule_that_matches_counts():
    words = ["Traceback", "parameter", "example", "implement", "concept", "version", "src/a.py"]
    order = [classify_intent(read_question(" ".join(words[n:])))[0] for n in range(len(words))]
    assert order == [*(intent for intent, _ in RULES), Intent.TARGETED_FILE]


@pytest.mark.specification("000 §3.2 rules")
@pytest.mark.parametrize("query", ["a conversion", "unchanged", "an exception was handled", "error: none"])
def test_words_inside_others_are_none(query):
    assert classify_intent(read_question(query)) == (Intent.HOW_TO_IMPLEMENT, "")


def test_names_in_any_case():
    assert parse_intent(" api_lookup ") is Intent.API_LOOKUP
    assert [parse_intent(name) for name in ("", None, "LOOKUP")] == [None, None, None]


@pytest.mark.specification("000 §7.4 D")
@pytest.mark.parametrize(
    ("query", "symbol"),
    [
        ("FunctionTool required parameters", "FunctionTool"),
        ("parameters of `run` and FunctionTool", "run"),
        ("parameters of `Agent.run()`", "Agent.run"),
        ("What does Runner do?", "Runner"),
        ("what does the run_async method do", "run_async"),
        ("what does it do with a LlmAgent", "LlmAgent"),
        ("what does  Runner\ndo", "Runner"),
        ("signature of FunctionTool in `tool.py`", "FunctionTool"),
        ("What does README.md say of the parameters of FunctionTool", "FunctionTool"),
        ("what does this do", ""),
        ("What does gateway.py do?", ""),
        ("parameters of tools in function_tool.py for multi-agent use", ""),
        ("signature of google.adk.tools.FunctionTool", "google.adk.tools.FunctionTool"),
    ],
)
def test_the_likely_symbol(query, symbol):
    assert likely_symbol(read_question(query)) == symbol


@pytest.mark.specification("000 §7.4 D")
def test_as_it_may_be_stored():
    assert symbol_names("FunctionTool") == ("FunctionTool",)
    assert symbol_names("google.adk.FunctionTool.run") == ("google.adk.FunctionTool.run", "FunctionTool.run")
    assert symbol_names("tools.run") == ("tools.run", "run")


@pytest.mark.specification("000 §3.2 rules")
@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("what is in `src/kit/tool.py`?", ["src/kit/tool.py"]),
        ("tool.py, agent.py and tool.py.", ["tool.py", "agent.py"]),
        ("sync and/or async", ["and/or"]),
        ("see /etc", ["/etc"]),
        ("what is in src/ here", ["src/"]),
        ("read https://example.org/a.py / README", []),
    ],
)
def test_tokens(query, tokens):
    assert path_tokens(read_question(query)) == tokens
