from __future__ import annotations

import pytest

from agents.evidence.symbols import likely_symbol, symbol_names


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
        ("what does this do", ""),
        ("parameters of tools in function_tool.py for multi-agent use", ""),
        ("signature of google.adk.tools.FunctionTool", "google.adk.tools.FunctionTool"),
    ],
)
def test_the_likely_symbol(query, symbol):
    assert likely_symbol(query) == symbol


def test_as_it_may_be_stored():
    assert symbol_names("FunctionTool") == ("FunctionTool",)
    assert symbol_names("google.adk.FunctionTool.run") == ("google.adk.FunctionTool.run", "FunctionTool.run")
    assert symbol_names("tools.run") == ("tools.run", "run")
