"""Prompts and resources, as a client gets them."""

from __future__ import annotations

import json

import pytest

from tests.interfaces.mcp.conftest import tools

BEACON = "hybrid-retrieval://chunk/lighthouse/README.md"


@pytest.fixture
def anyio_backend():
    return "asyncio"


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
