"""Both tools as ADK declares and calls them, through its runner, with arguments of any kind."""

from __future__ import annotations

import json

import pytest

from interfaces.adk import AskTool, EvidenceTool
from interfaces.adk.tools import LookupTools
from interfaces.adk.turns import Turns
from interfaces.asking import MOST_CHARS, compact_result
from memory.errors import DataFolderError, InvalidInputError
from orchestrator.running.fakes import FakeAgent, found
from tests.agents.evidence.making import retriever
from tests.interfaces.adk.conftest import QUESTION, Opening, Talk, last_text

pytestmark = pytest.mark.filterwarnings("ignore")  # of what ADK imports and calls experimental


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Evidence:
    """Opens the evidence retriever on the fake store."""

    def __call__(self):
        return self

    async def __aenter__(self):
        return (await retriever())[0]

    async def __aexit__(self, *_):
        return None


def toolset(opening=None, **more):
    from interfaces.adk import HybridRetrievalToolset  # noqa: PLC0415 - takes a second

    return HybridRetrievalToolset(ask=AskTool(opening or Opening()), evidence=EvidenceTool(Evidence()), **more)


def agent(model, tools):
    from google.adk.agents import LlmAgent  # noqa: PLC0415 - takes a second

    return Talk(agent=LlmAgent(name="helper", model=model, tools=[tools]))


def call(name, **arguments):
    from google.genai import types  # noqa: PLC0415 - takes a second

    return types.FunctionCall(name=name, args=arguments)


def scripted(*turns):
    from interfaces.adk import ScriptedLlm  # noqa: PLC0415 - takes a second

    return ScriptedLlm(turns=list(turns))


async def returned(name, **arguments):
    """What a tool returned to a model that called it so."""
    talk = agent(scripted(call(name, **arguments), "Thank you."), toolset())
    events = await talk.say(QUESTION)
    assert last_text(events) == "Thank you."
    [answer] = [response.response for event in events for response in event.get_function_responses()]
    return answer, await talk.kept_state()


async def test_what_adk_declares():
    ask, evidence, *lookups = await toolset().get_tools()
    assert [tool.name for tool in lookups] == ["find_entities", "explain_path", "list_projects"]
    declared = ask._get_declaration()
    assert (declared.name, evidence.name) == ("ask_projects", "retrieve_adk_evidence")
    schema = declared.parameters_json_schema
    assert schema["required"] == ["question"]
    assert list(schema["properties"]) == ["question", "current_project", "only_projects"]
    assert all(one["description"] for one in schema["properties"].values())
    assert "When to call this tool" in declared.description


async def test_filter_and_prefix():
    tools = toolset(tool_filter=["ask_projects"], tool_name_prefix="shop")
    assert [tool.name for tool in await tools.get_tools_with_prefix()] == ["shop_ask_projects"]


@pytest.mark.parametrize("door", [toolset, AskTool, EvidenceTool, LookupTools, Turns])
def test_one_name_is_not_taken_for_its_letters(door):
    with pytest.raises(InvalidInputError, match="allowed_projects is one text"):
        door(allowed_projects="billing")


async def test_a_question_through_a_runner():
    answer, state = await returned("ask_projects", question=QUESTION)
    assert answer["status"] == "answered"
    row = {
        "project": "billing",
        "path": "retries.md",
        "lines": "1-1",
        "located": True,
        "supported": True,
        "verified": True,
        "stale": False,
    }
    assert {"marker": "[vector:billing/retries.md:1-1]", **row} in answer["citations"]
    assert answer["agents"] == {"local": "empty", "graph": "empty", "vector": "ok"}
    assert answer["evidence"][0].startswith("[vector:")
    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert state["ask_projects:last"]["status"] == "answered"


async def test_evidence_through_a_runner():
    pack, state = await returned("retrieve_adk_evidence", query="FunctionTool schema", intent="CONCEPTUAL", top_k=5)
    assert pack["stats"]["returned"] == 5
    assert state["retrieve_adk_evidence:last"] == [item["evidence_id"] for item in pack["evidence"]]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({"question": ""}, "invalid_query", "empty"),
        ({"question": 7}, "invalid_input", "question"),
        ({"question": None}, "invalid_input", "question"),
        ({"question": "x" * 9000}, "invalid_query", "9000"),
        ({"question": QUESTION, "current_project": 3}, "invalid_input", "current_project"),
        ({"question": QUESTION, "current_project": "nope"}, "unknown_project", "nope"),
        ({"question": QUESTION, "only_projects": ["nope"]}, "unknown_project", "nope"),
        ({"question": QUESTION, "only_projects": "billing"}, "invalid_input", "only_projects"),
        ({"question": QUESTION, "only_projects": [1]}, "invalid_input", "only_projects"),
    ],
)
async def test_what_is_wrong_is_returned(arguments, code, words):
    error = (await returned("ask_projects", **arguments))[0]["error"]
    assert set(error) == {"code", "message", "hint"}
    assert error["code"] == code
    assert words in error["message"]


async def test_an_argument_that_is_missing_ends_no_run():
    assert "error" in (await returned("ask_projects"))[0]
    assert "error" in (await returned("retrieve_adk_evidence", query="x"))[0]


@pytest.mark.parametrize("failure", [DataFolderError("There is no index.", "Index."), ZeroDivisionError("oh")])
async def test_an_index_that_cannot_be_opened_is_returned(failure):
    tool = AskTool(Opening(failure))
    error = (await tool.ask_projects(QUESTION))["error"]
    assert error["message"] in {"There is no index.", "ZeroDivisionError: oh"}


async def test_limits_in_prose_and_in_arguments_narrow_the_permission():
    opening = Opening()
    tool = AskTool(opening, allowed_projects=["billing", "auth"])
    await tool.ask_projects("How do teams handle retries? only show code from billing")
    await tool.ask_projects(QUESTION, only_projects=["auth"])
    await tool.ask_projects(QUESTION, only_projects=[])
    assert [context.permission for _, context in opening.vector.asked] == [{"billing"}, {"auth"}, {"auth", "billing"}]
    error = (await tool.ask_projects(QUESTION, only_projects=["crm"]))["error"]
    assert error["hint"] == "Known: auth, billing."


async def test_a_result_stays_small():
    many = [found(f"Retries {number} back off {'again ' * 400}", "billing") for number in range(10)]
    async with Opening(vector=FakeAgent(many))() as orchestrator:
        small = compact_result(await orchestrator.retrieve(QUESTION))
    assert 0 < len(small["evidence"]) <= 6
    assert len(json.dumps(small)) <= MOST_CHARS


async def test_without_a_key_an_agent_with_the_tools_answers():
    from interfaces.adk import ExtractiveLlm  # noqa: PLC0415 - takes a second

    opening = Opening()
    talk = agent(ExtractiveLlm(), toolset(opening))
    assert "[vector:billing/retries.md:1-1]" in last_text(await talk.say(QUESTION))
    said = last_text(await agent(ExtractiveLlm(), toolset(Opening(DataFolderError("No index.", "Index.")))).say("x y"))
    assert said == "No index. Index."
    evidence = toolset(tool_filter=["retrieve_adk_evidence"])
    assert last_text(await agent(ExtractiveLlm(), evidence).say("What is a FunctionTool schema?"))
    await talk.runner.close()
    assert (opening.opened, opening.closed) == (1, 1)


async def test_closing_and_opening_again():
    opening = Opening()
    tools = toolset(opening)
    ask, *_ = await tools.get_tools()
    for _ in range(2):
        assert (await ask.run_async(args={"question": QUESTION}, tool_context=None))["status"] == "answered"
    await tools.close()
    assert (opening.opened, opening.closed) == (1, 1)
    await tools.close()
    assert (await ask.run_async(args={"question": QUESTION}, tool_context=None))["status"] == "answered"
    assert opening.opened == 2


async def test_the_sessions_project_is_in_hand_and_its_last_question_is_leaned_on():
    opening = Opening()
    model = scripted(
        call("ask_projects", question="How does OrderService retry?"), "So.",
        call("ask_projects", question="And who calls it?"), "So.",
        call("ask_projects", question=QUESTION, current_project="auth"), "So.",
    )  # fmt: skip
    talk = agent(model, toolset(opening))
    talk.state = {"project": "billing"}
    for _ in range(3):
        await talk.say(QUESTION)
    asked = [(question, context.project) for question, context in opening.vector.asked]
    assert asked == [
        ("How does OrderService retry?", "billing"),
        ("And who calls OrderService?", "billing"),
        (QUESTION, "auth"),
    ]


async def test_an_argument_that_a_tool_needs_is_named():
    talk = agent(scripted(call("explain_path", target="Beacon"), "So."), toolset(Opening()))
    events = await talk.say(QUESTION)
    [answer] = [response.response for event in events for response in event.get_function_responses()]
    assert answer["error"] == {
        "code": "invalid_input",
        "message": "explain_path needs source.",
        "hint": "It takes source, target, max_hops, only_projects.",
    }


async def test_an_argument_that_a_tool_does_not_have_is_refused():
    opening = Opening()
    talk = agent(scripted(call("ask_projects", question=QUESTION, only_project=["billing"]), "So."), toolset(opening))
    events = await talk.say(QUESTION)
    [answer] = [response.response for event in events for response in event.get_function_responses()]
    assert answer["error"]["message"] == "ask_projects takes no only_project."
    assert answer["error"]["hint"] == "It takes question, current_project, only_projects."
    assert opening.vector.asked == []
