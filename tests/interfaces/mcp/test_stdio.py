"""The server as editors run it: a process of its own, a real client, and an index that changes meanwhile."""

from __future__ import annotations

import json
import os
import sys
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from interfaces.cli.main import run
from orchestrator import logbook
from tests.organisation import index, write

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning:mcp.*"), pytest.mark.slow]

ROOT = Path(__file__).parents[3]
COMMAND = "import sys; from interfaces.cli.main import main; main(sys.argv[1:])"
SERVERS = Path(__file__).parent / "servers.py"
NIGHT = "lighthouse/README.md"
OLD, NEW = "three flashes each", "seven flashes each"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
def org(tmp_path_factory):
    return write(tmp_path_factory.mktemp("mcp") / "org")


@pytest.fixture(scope="module")
def data(org):
    folder = org.parent / "data"
    assert run(["index", str(org), "--each", "--quiet", "--data-dir", str(folder)]) == 0
    logbook._doors.clear()  # no log of that command's in the tests to come
    return folder


@asynccontextmanager
async def process(*arguments, errors=sys.__stderr__):
    """A client of a Python process with these arguments, connected."""
    from mcp import Client, StdioServerParameters  # noqa: PLC0415 - takes a second
    from mcp.client.stdio import stdio_client  # noqa: PLC0415

    parameters = StdioServerParameters(
        command=sys.executable, args=[str(argument) for argument in arguments], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}
    )
    with anyio.fail_after(300):
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            yield client


def serving(data, *more):
    return process("-c", COMMAND, "serve", "--data-dir", data, *more)


async def call(client, tool, progress=None, **arguments):
    """Whether it is an error, and the text for the model: a document where it is none."""
    result = await client.call_tool(tool, arguments, progress_callback=progress)
    [block] = result.content
    if result.is_error:
        return block.text
    document = json.loads(block.text)
    assert document == result.structured_content
    return document


async def test_every_tool_over_a_pipe(data):
    async with serving(data, "--allow", "harbour", "--allow", "lighthouse", "--project", "harbour") as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == [
            "ask_projects",
            "retrieve_evidence",
            "find_entities",
            "explain_path",
            "list_projects",
            "refresh",
        ]
        assert "list_projects" in client.instructions
        projects = (await call(client, "list_projects"))["projects"]
        assert [one["name"] for one in projects] == ["harbour", "lighthouse"]

        told = []

        async def progress(done, total, message):
            told.append((done, message))

        answer = await call(client, "ask_projects", progress, question="How many flashes does the Beacon signal?")
        assert (answer["status"], OLD in answer["answer"]) == ("answered", True)
        assert told[0] == (1, "Asking …")
        assert [done for done, _ in told] == list(range(1, len(told) + 1))
        assert any(message.startswith("vector: ok") for _, message in told)
        ours = await call(client, "ask_projects", question="What does our CLAUDE.md say about moorings?")
        assert "pilot" in ours["answer"]

        evidence = await call(client, "retrieve_evidence", query="give ships their berth", intent="CODE_ONLY", top_k=5)
        assert evidence["evidence"][0]["path"] == "harbour/mooring.py"
        [desk, *_] = (await call(client, "find_entities", name="MooringDesk"))["entities"]
        assert (desk["match"], desk["project"], "Beacon" in desk["uses"][0]) == ("exact", "harbour", True)
        way = await call(client, "explain_path", source="MooringDesk", target="Beacon")
        assert (way["direction"], way["paths"][0]["edges"][0]["path"]) == ("as_asked", "harbour/mooring.py")

        assert (
            await call(client, "ask_projects")
            == "ask_projects: question: Field required. Call it again as its schema says."
        )
        assert "Known: harbour, lighthouse." in await call(
            client, "ask_projects", question="x", only_projects=["tower"]
        )
        assert (await call(client, "explain_path", source="Mooring", target="Beacon")).startswith("Nothing is called")


async def test_a_cancelled_question_ends_and_the_server_goes_on():
    out, into = os.pipe()
    with os.fdopen(out) as said, os.fdopen(into, "w") as errors:
        async with process(SERVERS, "hanging", errors=errors) as client:
            begun = anyio.Event()

            async def progress(done, total, message):
                begun.set()

            async with anyio.create_task_group() as group:
                group.start_soon(lambda: call(client, "ask_projects", progress, question="Where is the berth?"))
                await begun.wait()
                group.cancel_scope.cancel()
            lines = {await anyio.to_thread.run_sync(said.readline, abandon_on_cancel=True) for _ in ("asked", "ended")}
            assert lines == {"asked\n", "ended\n"}  # what is printed goes to standard error, beside the protocol
            assert "It takes question" in await call(client, "ask_projects", questions="?")


async def test_a_call_with_half_a_surrogate_pair_is_answered():
    about = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "a test", "version": "1"}}
    cut = {"name": "ask_projects", "arguments": {"questions": "Where is the berth? \ud83d"}}
    sent = [
        {"id": 0, "method": "initialize", "params": about},
        {"method": "notifications/initialized"},
        {"id": 1, "method": "tools/call", "params": cut},
    ]
    with anyio.fail_after(60):
        async with await anyio.open_process(
            [sys.executable, str(SERVERS), "hanging"], env={"PYTHONPATH": str(ROOT)}
        ) as server:
            for one in sent:
                await server.stdin.send(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n")
            said = b""
            while said.count(b"\n") < 2:
                said += await server.stdout.receive()
            await server.stdin.aclose()
    assert "It takes question" in json.loads(said.splitlines()[1])["result"]["content"][0]["text"]


async def test_without_an_index_it_serves_all_the_same_and_ends_with_its_input(tmp_path):
    command = [sys.executable, "-c", COMMAND, "serve", "--data-dir", str(tmp_path / "nowhere")]
    done = await anyio.run_process(command, cwd=ROOT)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"There is no index in ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
async def test_three_servers_while_the_index_changes(tmp_path):
    org, data, said = write(tmp_path / "org"), tmp_path / "data", []

    async def publish(old, new):
        page = org / NIGHT
        page.write_text(page.read_text().replace(old, new))
        await index(data, org, each=True)

    async def ask(client):
        answer = await call(client, "ask_projects", question="How many flashes does the Beacon signal at night?")
        assert answer["status"] == "answered"
        [text] = [text for text in (OLD, NEW) if text in json.dumps(answer)]
        return text

    await publish("", "")
    async with process(SERVERS, data) as one, process(SERVERS, data) as two, process(SERVERS, data) as three:
        clients = (one, two, three)
        assert [await ask(client) for client in clients] == [OLD] * 3

        asking = anyio.Event()

        async def keep_asking():
            for client in cycle(clients):
                said.append(await ask(client))
                asking.set()

        async with anyio.create_task_group() as group:
            group.start_soon(keep_asking)
            await asking.wait()
            await anyio.to_thread.run_sync(lambda: anyio.run(publish, OLD, NEW))
            group.cancel_scope.cancel()
        assert said[0] == OLD  # and every answer since was whole: of the one generation or of the other
        assert [await ask(client) for client in clients] == [NEW] * 3
        await publish(NEW, OLD)
        assert "1" not in {folder.name for folder in (data / "generations").iterdir()}  # nobody holds it any more
        assert [await ask(client) for client in clients] == [OLD] * 3
