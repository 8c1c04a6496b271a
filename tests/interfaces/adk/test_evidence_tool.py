"""The ADK tool: its signature and docstring as ADK declares them, arguments of any kind, errors as values."""

from __future__ import annotations

import inspect
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agents.evidence.intents import Intent
from configs.settings import EvidenceSettings
from interfaces.adk import EvidenceTool, retrieve_adk_evidence
from interfaces.adk.evidence_tool import LAST_EVIDENCE
from memory.errors import DataFolderError
from tests.agents.evidence.keys import ITEM_KEYS, STATS_KEYS
from tests.agents.evidence.making import retriever

ROOT = Path(__file__).parents[3]


class Opening:
    """Opens a retriever on the fake store; counts how often it is open."""

    def __init__(self, failure=None):
        self.opened, self.closed, self.failure = 0, 0, failure

    @asynccontextmanager
    async def __call__(self):
        if self.failure is not None:
            raise self.failure
        self.opened += 1
        yield (await retriever())[0]
        self.closed += 1


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.specification("000 §9.2 required", "000 §9.2 optional")
def test_the_signature():
    parameters = inspect.signature(retrieve_adk_evidence).parameters
    assert retrieve_adk_evidence.__name__ == "retrieve_adk_evidence"
    assert list(parameters) == [
        "query", "intent", "top_k", "repo_scope", "path_scope", "commit", "include_tests", "min_rank_fusion",
        "tool_context",
    ]  # fmt: skip
    assert [name for name, one in parameters.items() if one.default is inspect.Parameter.empty] == [
        "query",
        "intent",
        "top_k",
    ]
    assert all(one.default is None for name, one in list(parameters.items())[3:])


@pytest.mark.specification("000 §9.1 function tool", "000 §9.2 required", "000 §9.2 optional", "000 §9.2 docstring")
@pytest.mark.filterwarnings("ignore")  # of what ADK imports
def test_what_adk_declares():
    from google.adk.tools import FunctionTool  # noqa: PLC0415 - takes a second

    declared = FunctionTool(retrieve_adk_evidence)._get_declaration()
    assert declared.name == "retrieve_adk_evidence"
    assert f"({EvidenceSettings().max_tokens:,} tokens by default)" in declared.description
    schema = declared.parameters_json_schema
    assert schema["required"] == ["query", "intent", "top_k"]
    assert list(schema["properties"]) == [
        "query", "intent", "top_k", "repo_scope", "path_scope", "commit", "include_tests", "min_rank_fusion",
    ]  # fmt: skip
    types = {
        name: one.get("type") or [kind["type"] for kind in one["anyOf"]] for name, one in schema["properties"].items()
    }
    assert types == {
        "query": "string",
        "intent": "string",
        "top_k": "integer",
        "repo_scope": ["array", "null"],
        "path_scope": ["array", "null"],
        "commit": ["string", "null"],
        "include_tests": ["boolean", "null"],
        "min_rank_fusion": ["integer", "null"],
    }
    assert all(one["description"] for one in schema["properties"].values())
    said = declared.description
    assert "When to call this tool" in said
    for word in (*Intent, *schema["properties"], *ITEM_KEYS, *STATS_KEYS, "evidence", "stats", "error"):
        assert word in said, word
    assert all(intent in schema["properties"]["intent"]["description"] for intent in Intent)


@pytest.mark.specification("000 §9.1 function tool")
@pytest.mark.filterwarnings("ignore")  # of what ADK imports
async def test_an_agent_that_is_given_the_function_has_the_tool():
    from google.adk.agents import LlmAgent  # noqa: PLC0415 - takes a second
    from google.adk.tools import FunctionTool  # noqa: PLC0415 - takes a second

    [tool] = await LlmAgent(name="coder", tools=[retrieve_adk_evidence]).canonical_tools()
    assert isinstance(tool, FunctionTool)
    assert (tool.name, tool.func) == ("retrieve_adk_evidence", retrieve_adk_evidence)


@pytest.mark.specification("000 §9.2 tool context")
async def test_a_call_through_adk():
    from google.adk.tools import FunctionTool  # noqa: PLC0415 - takes a second

    class Context:
        def __init__(self):
            self.state = {}

    context = Context()
    tool = FunctionTool(EvidenceTool(Opening()).retrieve_adk_evidence)
    got = await tool.run_async(
        args={"query": "FunctionTool schema", "intent": "CONCEPTUAL", "top_k": 5}, tool_context=context
    )
    assert got["stats"]["returned"] == 5
    assert context.state == {LAST_EVIDENCE: [item["evidence_id"] for item in got["evidence"]]}


def test_importing_it_does_not_import_adk():
    code = "import sys, interfaces.adk; print([m for m in sys.modules if m.startswith(('google.adk', 'qdrant'))])"
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_opened_once_and_closed():
    opening = Opening()
    tool = EvidenceTool(opening)
    for query in ("one", "two"):
        assert "evidence" in await tool.retrieve_adk_evidence(query, "CONCEPTUAL", 5)
    assert (opening.opened, opening.closed) == (1, 0)
    await tool.close()
    assert opening.closed == 1
    await tool.retrieve_adk_evidence("three", "CONCEPTUAL", 5)
    assert opening.opened == 2


@pytest.mark.specification("000 §9.2 errors")
@pytest.mark.parametrize(
    ("changed", "code", "words"),
    [
        ({"query": " "}, "invalid_query", "empty"),
        ({"query": None}, "invalid_query", "value of type NoneType"),
        ({"top_k": "twelve"}, "invalid_input", "top_k"),
        ({"intent": 3}, "invalid_input", "intent"),
        ({"repo_scope": False}, "invalid_input", "repo_scope"),
        ({"path_scope": {}}, "invalid_input", "path_scope"),
        ({"commit": 7}, "invalid_input", "commit"),
        ({"repo_scope": ["google/nope"]}, "invalid_input", "google/nope"),
        ({"path_scope": ["src/nope.py"]}, "invalid_input", "src/nope.py"),
        ({"include_tests": "no"}, "invalid_input", "include_tests"),
        ({"min_rank_fusion": 0}, "invalid_input", "min_rank_fusion"),
    ],
)
async def test_what_is_wrong_is_returned(changed, code, words):
    arguments = {"query": "q", "intent": "CONCEPTUAL", "top_k": 5} | changed
    error = (await EvidenceTool(Opening()).retrieve_adk_evidence(**arguments))["error"]
    assert set(error) == {"code", "message", "hint"}
    assert error["code"] == code
    assert words in error["message"]


async def test_an_index_that_cannot_be_opened_is_returned_too():
    opening = Opening(DataFolderError("There is no index.", "Index your projects first."))
    tool = EvidenceTool(opening)
    got = await tool.retrieve_adk_evidence("q", "CONCEPTUAL", 5)
    assert got == {
        "error": {"code": "data_folder", "message": "There is no index.", "hint": "Index your projects first."}
    }
    opening.failure = None
    assert "evidence" in await tool.retrieve_adk_evidence("q", "CONCEPTUAL", 5)


async def test_the_application_says_what_may_be_seen():
    tool = EvidenceTool(Opening(), allowed_projects=["kit"])
    got = await tool.retrieve_adk_evidence("FunctionTool schema", "CONCEPTUAL", 30)
    assert {item["repo"] for item in got["evidence"]} == {"google/kit"}
    error = (await tool.retrieve_adk_evidence("q", "CONCEPTUAL", 5, repo_scope=["google/guide"]))["error"]
    assert error["hint"] == "Known: google/kit."
    unknown = EvidenceTool(Opening(), allowed_projects=["kit", "nope"])
    error = (await unknown.retrieve_adk_evidence("q", "CONCEPTUAL", 5))["error"]
    assert (error["code"], error["hint"]) == ("unknown_project", "Known: kit.")


async def test_the_data_folder_of_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("HYBRID_RETRIEVAL_DATA_DIR", str(tmp_path / "nowhere"))
    error = (await EvidenceTool().retrieve_adk_evidence("q", "CONCEPTUAL", 5))["error"]
    assert (error["code"], str(tmp_path) in error["message"]) == ("data_folder", True)
