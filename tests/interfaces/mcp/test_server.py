"""Failures as tool errors of one line, prompts and resources, and the lines of standard input."""

from __future__ import annotations

import json
import os

import pytest
import structlog
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from interfaces.mcp.server import lines_of, whole
from memory.errors import DataFolderError, UnknownProjectError
from orchestrator import logbook
from tests.interfaces.mcp.conftest import tools

BEACON = "hybrid-retrieval://chunk/lighthouse/README.md"


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Failing:
    """Tools of which one fails as told."""

    def __init__(self, failure):
        self.failure = failure

    async def list_projects(self, name_contains: str | None = None) -> dict[str, str]:
        """Fails."""
        raise self.failure

    ask_projects = retrieve_evidence = find_entities = explain_path = list_projects


async def refused(failure, tool="list_projects", **arguments):
    from interfaces.mcp.server import build_server  # noqa: PLC0415 - takes a second

    result = await build_server(Failing(failure)).call_tool(tool, arguments)
    assert result.is_error
    [block] = result.content
    return block.text


async def test_an_error_for_people_is_passed_on():
    assert await refused(DataFolderError("There is no index.", "Index some.")) == "There is no index. Index some."
    long = await refused(UnknownProjectError("x", {f"project-{number:03}" for number in range(500)}))
    assert (len(long), long[-1]) == (1_500, "…")


async def test_wrong_arguments_are_named():
    assert await refused(ValueError(), name_contains=3) == (
        "list_projects: name_contains: Input should be a valid string. Call it again as its schema says."
    )
    assert await refused(ValueError(), nane="x") == "list_projects takes no nane. It takes name_contains."
    assert await refused(ValueError(), tool="list_project") == "Unknown tool: list_project."


async def test_what_nobody_foresaw_is_told_without_its_text_and_logged():
    told = []

    def keep(logger, method, event):
        told.append(event)
        raise structlog.DropEvent

    logbook._doors.clear()
    structlog.reset_defaults()
    structlog.configure(processors=[keep])
    try:
        text = await refused(ZeroDivisionError("the secret question"))
    finally:
        structlog.reset_defaults()
    assert text.startswith("list_projects failed (ZeroDivisionError). Go on without, and say so")
    assert [(event["event"], event["error"]) for event in told] == [("a tool failed", "ZeroDivisionError")]


async def test_an_error_of_the_protocol_stays_one():
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - takes a second

    with pytest.raises(MCPError, match="not now"):
        await refused(MCPError(code=-32000, message="not now"))


@pytest.fixture
async def client(harbours):
    from mcp import Client  # noqa: PLC0415 - takes a second

    from interfaces.mcp.server import build_server  # noqa: PLC0415 - as above

    async with tools(harbours, allowed=frozenset({"lighthouse"})) as ours, Client(build_server(ours)) as connected:
        yield connected


async def read(client, uri):
    [content] = (await client.read_resource(uri)).contents
    return content.text


async def test_prompts_say_what_to_fill_in(client):
    listed = {one.name: one for one in (await client.list_prompts()).prompts}
    assert list(listed) == ["ask", "connection", "example"]
    assert all(one.description for one in listed.values())
    assert all(argument.description and argument.required for one in listed.values() for argument in one.arguments)
    [message] = (await client.get_prompt("connection", {"source": "Mooring", "target": "Beacon"})).messages
    assert message.content.text.startswith("How is Mooring connected to Beacon? Call explain_path")


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("asks", {"question": "x"}, "There is no prompt asks. There are ask, connection, example."),
        ("ask", {"question": "x", "code": "y"}, "ask takes question; see to code."),
        ("connection", {"source": "Mooring"}, "connection takes source, target; see to target."),
    ],
)
async def test_a_wrong_argument_of_a_prompt_is_named(client, name, arguments, said):
    with pytest.raises(MCPError) as caught:
        await client.get_prompt(name, arguments)
    assert (caught.value.code, caught.value.message) == (INVALID_PARAMS, said)


async def test_a_chunk_is_read_by_the_place_of_a_citation(client):
    whole = await read(client, f"{BEACON}:1-3")
    assert await read(client, f"{BEACON}:1") == whole.partition("\n")[0]


async def test_an_entity_is_read_by_its_name(client):
    [first, *_] = json.loads(await read(client, "hybrid-retrieval://entity/lighthouse/Beacon"))["entities"]
    assert (first["name"], first["project"]) == ("Beacon", "lighthouse")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        (BEACON, "is no place. Write PROJECT/PATH:FIRST-LAST"),
        (f"{BEACON}:900000", "Nothing is indexed at"),
        ("hybrid-retrieval://chunk/harbour/harbour/mooring.py:1-3", "Nothing is indexed at"),  # not permitted
    ],
)
async def test_what_is_not_there_for_the_caller_says_so(client, uri, said):
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - takes a second

    with pytest.raises(MCPError, match=said):
        await client.read_resource(uri)


async def lines(*pieces):
    """What is read of a pipe that these are written into."""
    reading, writing = os.pipe()
    found = lines_of(reading)
    got = []
    for piece in pieces:
        os.write(writing, piece)
        if piece.endswith(b"\n"):
            got.append(await anext(found))
    os.close(writing)
    got += [line async for line in found]
    os.close(reading)
    return got


async def test_lines_that_come_together_and_one_that_comes_in_pieces():
    assert await lines(b"a\nb\n", b"c", b"d\n", b"e") == ["a", "b", "cd", "e"]


async def test_a_line_longer_than_what_is_read_at_once():
    assert await lines(b"x" * 60_000, b"\ny\n") == ["x" * 60_000, "y"]


async def test_what_is_no_utf_8_and_lines_of_nothing():
    assert await lines(b"\xff\n", b"\n") == ["\ufffd", ""]
    assert await lines() == []


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (r'{"a": "x\ud83d", "b": "\uDC00y"}', '{"a": "x\ufffd", "b": "\ufffdy"}'),
        (r'{"a": "\ud83d\ude00 \\ud800"}', '{"a": "\U0001f600 \\\\ud800"}'),
        (r'{"a": "\u00e9", "b":  1}', r'{"a": "\u00e9", "b":  1}'),
        (r"junk \ud800", r"junk \ud800"),
    ],
)
def test_half_a_surrogate_pair_is_replaced(line, read):
    assert whole(line) == read
