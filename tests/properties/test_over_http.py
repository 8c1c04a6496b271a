"""Two principals at once over HTTP: what each is sent is what it would be sent alone, of an index without what it may not see."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from hashlib import sha256
from types import SimpleNamespace

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs import McpSettings
from interfaces.mcp.policy import Principal
from memory.clock import VirtualClock
from tests.organisation import differences, plain
from tests.properties.organisations import PROJECTS, permissions
from tests.properties.questions import Asked, Call, calls
from tests.properties.test_permission import EACH, organisations, tried

pytestmark = [
    pytest.mark.slow,
    pytest.mark.no_cover,  # what it walks through, other tests prove; the tracer would double its time
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mcp.*"),
]

TOOLS = {
    "ask_projects": lambda call: {"question": call.asked.query, "current_project": call.asked.context.get("project")},
    "retrieve_evidence": lambda call: {"query": call.asked.query, "top_k": 30, "paths": [call.path] if call.path else None},
    "find_entities": lambda call: {"name": call.name, "kind": call.kind, "limit": call.limit},
    "explain_path": lambda call: {"source": call.name, "target": call.other},
    "list_projects": lambda call: {"name_contains": call.name if call.kind else None},
}  # fmt: skip
"""By name, the arguments that a call gives."""

LIMITS = McpSettings(requests_per_minute=1_000_000, request_timeout_ms=600_000)


def index_of(world):
    """What the tools read."""
    return SimpleNamespace(questions=world.questions, evidence=world.evidence, catalogue=world.catalogue)


@asynccontextmanager
async def web(index, *allowed):
    """A client of the application on this index, in which each token names a permission by its place."""
    import httpx2  # noqa: PLC0415 - takes a while

    from interfaces.mcp import http  # noqa: PLC0415 - takes a second

    who = tuple(Principal(f"p{at}", sha256(b"%d" % at).hexdigest(), projects) for at, projects in enumerate(allowed))
    async with http.application(index, LIMITS, who, clock=VirtualClock()) as app:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://here", timeout=600) as client:
            yield client


async def sent(client, token, call):
    """All that the answer to a request holds: its status, its headers, its messages."""
    arguments = {name: value for name, value in TOOLS[call.way](call).items() if value is not None}
    if call.only and call.way != "list_projects":
        arguments["only_projects"] = list(call.only)
    params = {"name": call.way, "arguments": arguments, "_meta": {"progressToken": 1}}
    reply = await client.post(
        "/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
        headers={"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"},
    )
    messages = [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: ")]
    return [reply.status_code, sorted(reply.headers), sorted(map(_heard, messages)), *map(_result, messages)]


def _heard(message):
    """The line of one that reports progress; agents end in any order."""
    return message.get("params", {}).get("message", "")


def _result(message):
    """What the last one gives, and nothing for one that reports progress."""
    if "result" not in message:
        return message.get("error")
    [block] = message["result"]["content"]
    return block["text"] if message["result"].get("isError") else plain(json.loads(block["text"]))


def at_once(worlds, world, call, allowed):
    """What each of these principals is sent, all asking the same at the same time, and again."""
    index = index_of(world)

    async def ask():
        found = [[], []], [[], []]
        async with web(index, *allowed) as client:
            for again in found:
                async with anyio.create_task_group() as group:
                    for at in range(len(allowed)):
                        group.start_soon(keep, again, at, client)
        return found

    async def keep(again, at, client):
        again[at] = await sent(client, str(at), call)

    return worlds.portal.call(ask)


def alone(worlds, world, call, projects):
    index = index_of(world)

    async def ask():
        async with web(index, projects) as client:
            return await sent(client, "0", call)

    return worlds.portal.call(ask)


@organisations
@settings(tried, max_examples=max(3, EACH // 8))
@given(data=st.data())
def test_two_principals_at_once_are_each_sent_what_it_would_be_alone(worlds, seed, data):
    call = data.draw(calls(seed, sorted(TOOLS)))
    first, second, _ = permissions(call.asked.seed)
    everybody = worlds.of(call.asked, PROJECTS)
    for both in at_once(worlds, everybody, call, (first, second)):
        for projects, seen in zip((first, second), both, strict=True):
            assert nearest(worlds, call, projects, seen) == []


def nearest(worlds, call, projects, seen):
    """Where it differs from what is sent of an index of the permitted alone; one of three builds, as in `Worlds`."""
    found = []
    for build in range(3):
        world = worlds.of(call.asked, projects, build)
        found = differences(alone(worlds, world, call, projects), seen)
        if not found:
            break
    return found


@pytest.mark.parametrize("tool", TOOLS)
def test_what_is_forbidden_would_be_seen(worlds, tool):
    few, many = frozenset({"auth", "crm"}), frozenset(PROJECTS)
    call = Call(Asked("fakes", 0, few, "How does OrderService connect to PaymentGateway?", {}), tool)
    [[of_few, of_many], _] = at_once(worlds, worlds.of(call.asked, PROJECTS), call, (few, many))
    assert of_few[0] == of_many[0] == 200
    assert differences(of_few, of_many) != []
    if tool == "list_projects":
        assert [one["name"] for one in of_few[-1]["projects"]] == sorted(few)
