"""The tools over HTTP: a real client, with the application in memory or behind a socket of the file system."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from pathlib import Path

import anyio
import pytest

from configs import McpSettings
from interfaces.mcp.policy import ANYBODY, Principal, within
from memory.clock import VirtualClock
from tests.interfaces.mcp.conftest import served

pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning:mcp.*"), pytest.mark.slow]

ROOT = Path(__file__).parents[3]
COMMAND = "import sys; from interfaces.cli.main import main; main(sys.argv[1:])"
ADA = Principal("ada", sha256(b"a").hexdigest(), frozenset({"harbour"}))
BEN = Principal("ben", sha256(b"b").hexdigest(), frozenset({"lighthouse", "harbour"}))
EVE = Principal("eve", sha256(b"e").hexdigest(), frozenset())
LIMITS = McpSettings()
HERE = "http://127.0.0.1:8000"
FLASHES = "How many flashes does the Beacon signal?"


@pytest.fixture
def anyio_backend():
    return "asyncio"


@asynccontextmanager
async def application(data, *principals, limits=LIMITS, project=None):
    from interfaces.mcp import http  # noqa: PLC0415 - takes a second

    async with (
        served(data) as index,
        http.application(index, limits, principals, project=project, clock=VirtualClock()) as app,
    ):
        yield app


def web(app, token=None, headers=(), base=HERE):
    import httpx2  # noqa: PLC0415 - takes a while

    given = {"authorization": f"Bearer {token}"} if token else {}
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=base, headers={**given, **dict(headers)})


@asynccontextmanager
async def client(http_client, mode="auto", url=f"{HERE}/mcp"):
    from mcp import Client  # noqa: PLC0415 - takes a second
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415

    with anyio.fail_after(300):
        async with (
            http_client,
            Client(streamable_http_client(url, http_client=http_client), mode=mode) as one,
        ):
            yield one


async def call(one, tool, progress=None, **arguments):
    result = await one.call_tool(tool, arguments, progress_callback=progress)
    [block] = result.content
    return block.text if result.is_error else json.loads(block.text)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_two_who_see_different_projects(harbours, mode):
    async with (
        application(harbours, ADA, BEN) as app,
        client(web(app, "a"), mode) as ada,
        client(web(app, "b"), mode) as ben,
    ):
        told, answers = [], {}

        async def ask(name, one):
            async def progress(done, total, message):
                told.append((name, message))

            answers[name] = [
                await call(one, "list_projects"),
                await call(one, "ask_projects", progress, question=FLASHES),
                await call(one, "retrieve_evidence", query="Beacon flashes", top_k=5),
                await call(one, "find_entities", name="Beacon"),
            ]

        async with anyio.create_task_group() as group:
            group.start_soon(ask, "ada", ada)
            group.start_soon(ask, "ben", ben)
        assert [one["name"] for one in answers["ada"][0]["projects"]] == ["harbour"]
        assert [one["name"] for one in answers["ben"][0]["projects"]] == ["harbour", "lighthouse"]
        assert "three flashes each" in answers["ben"][1]["answer"]
        assert "lighthouse" in json.dumps(answers["ben"][2])
        for secret in ("lighthouse/", '"lighthouse"', "class Beacon", "flashes each"):
            assert secret not in json.dumps(answers["ada"])
        assert "lighthouse" not in json.dumps([line for name, line in told if name == "ada"])
        assert {name for name, _ in told} == {"ada", "ben"}
        assert "No project 'lighthouse' here. Known: harbour." in await call(
            ada, "retrieve_evidence", query="Beacon", only_projects=["lighthouse"]
        )


async def test_who_may_see_nothing_sees_nothing(harbours):
    async with application(harbours, EVE, project="harbour") as app, client(web(app, "e")) as eve:
        assert (await call(eve, "list_projects"))["projects"] == []
        asked = await call(eve, "ask_projects", question=FLASHES)
        assert "flashes each" not in json.dumps(asked)
        assert "harbour" not in json.dumps(await call(eve, "retrieve_evidence", query="Beacon", top_k=5))


@pytest.mark.parametrize(
    ("token", "message"),
    [
        ("x", "Nobody with this token may ask here."),
        ("a", "More than 3 requests in a minute. Ask again in 20 s."),
    ],
)
async def test_what_is_refused_reaches_people(harbours, token, message):
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - takes a second

    async def ask():
        async with client(web(app, token)) as one:
            for _ in range(4):
                await one.list_tools()

    async with application(harbours, ADA, limits=McpSettings(requests_per_minute=3)) as app:
        with pytest.raises(BaseExceptionGroup) as caught:
            await ask()
    [told] = _errors(caught.value, MCPError)
    assert message in str(told)


def _errors(group, kind):
    return [
        one
        for error in group.exceptions
        for one in (_errors(error, kind) if isinstance(error, BaseExceptionGroup) else [error])
        if isinstance(one, kind)
    ]


async def test_its_state_is_told_to_anybody_and_nothing_else(harbours, tmp_path):
    async with application(harbours, ADA) as app, web(app) as nobody:
        health, ready = await nobody.get("/health"), await nobody.get("/ready")
        assert (health.status_code, health.json()) == (200, {"status": "ok"})
        assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
        assert (await nobody.post("/mcp", json={})).status_code == 401
        assert (await nobody.get("/mcp")).status_code == 405
        assert (await nobody.get("/")).status_code == 404
    async with application(tmp_path / "nowhere", ADA) as app, web(app) as nobody:
        ready = await nobody.get("/ready")
        assert (ready.status_code, ready.json()) == (503, {"status": "not ready", "code": "data_folder"})
        assert (await nobody.get("/health")).status_code == 200


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ACCEPT = {"accept": "application/json, text/event-stream"}


async def test_without_tokens_no_page_of_a_browser_gets_in(harbours):
    async with application(harbours, within(ANYBODY, frozenset({"harbour"}))) as app:
        async with web(app, headers=ACCEPT) as here:
            assert (await here.post("/mcp", json=PING)).status_code == 200
            elsewhere = await here.post("/mcp", json=PING, headers={"origin": "http://example.org"})
            assert elsewhere.status_code == 403
        async with web(app, headers=ACCEPT, base="http://example.org:8000") as rebound:
            assert (await rebound.post("/mcp", json=PING)).status_code == 421
        async with client(web(app)) as one:
            assert [p["name"] for p in (await call(one, "list_projects"))["projects"]] == ["harbour"]
    async with application(harbours, ADA) as app, web(app, "a", ACCEPT, "http://team.example.org") as proxied:
        assert (await proxied.post("/mcp", json=PING)).status_code == 200


async def test_it_ends_when_told_and_lets_those_who_are_in_finish(tmp_path):
    import httpx2  # noqa: PLC0415 - takes a while

    from interfaces.mcp.http import run_until_signalled  # noqa: PLC0415

    inside, go_on = anyio.Event(), anyio.Event()

    async def app(scope, receive, send):
        inside.set()
        await go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"done"})

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s"))
    said, ended = [], anyio.Event()

    async def serve():
        await run_until_signalled(app, listener, LIMITS)
        ended.set()

    async def ask():
        transport = httpx2.AsyncHTTPTransport(uds=str(tmp_path / "s"))
        async with httpx2.AsyncClient(transport=transport) as one:
            said.append((await one.get(f"{HERE}/x")).text)

    with anyio.fail_after(300):
        async with anyio.create_task_group() as group:
            group.start_soon(serve)
            await _connectable(tmp_path / "s")
            group.start_soon(ask)
            await inside.wait()
            os.kill(os.getpid(), signal.SIGTERM)
            while True:
                try:
                    await (await anyio.connect_unix(tmp_path / "s")).aclose()
                except OSError:
                    break
            assert not ended.is_set()
            go_on.set()
    assert said == ["done"]
    assert ended.is_set()


async def test_connections_that_ask_nothing_hold_up_nobody(tmp_path):
    import httpx2  # noqa: PLC0415 - takes a while

    from interfaces.mcp.http import run_until_signalled  # noqa: PLC0415

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"here"})

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "s"))
    async with AsyncExitStack() as stack:
        stack.enter_context(anyio.fail_after(300))
        group = await stack.enter_async_context(anyio.create_task_group())
        group.start_soon(run_until_signalled, app, listener, McpSettings(max_connections=2))
        await _connectable(tmp_path / "s")
        silent = [await stack.enter_async_context(await anyio.connect_unix(tmp_path / "s")) for _ in range(3)]
        transport = httpx2.AsyncHTTPTransport(uds=str(tmp_path / "s"))
        async with httpx2.AsyncClient(transport=transport) as one:
            assert (await one.get(f"{HERE}/x")).text == "here"
        for gone in silent[:2]:
            with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await gone.receive()
        os.kill(os.getpid(), signal.SIGTERM)


async def _connectable(path):
    """Until uvicorn listens, which it does some time after it was given the socket."""
    while True:
        try:
            stream = await anyio.connect_unix(path)
        except OSError:
            await anyio.lowlevel.checkpoint()
        else:
            await stream.aclose()
            return


@asynccontextmanager
async def serving(*more):
    """A server of its own process, which nothing but a signal ends: without one the test would wait for it."""
    async with await anyio.open_process([sys.executable, "-c", COMMAND, "serve", *more], cwd=ROOT) as process:
        try:
            yield process
        finally:
            if process.returncode is None:
                process.kill()


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("workers", ["1", "2"])
async def test_processes_of_their_own(harbours, tmp_path, workers):
    import httpx2  # noqa: PLC0415 - takes a while

    policy = tmp_path / "policy.yaml"
    policy.write_text(f"principals: [{{name: ada, token_sha256: '{ADA.digest}', projects: [harbour]}}]")
    more = ["--data-dir", str(harbours), "--http", "--port", "0", "--policy", str(policy), "--workers", workers]
    async with serving(*more) as process:
        with anyio.fail_after(300):
            line = (await process.stderr.receive()).decode()
            assert line.startswith("Serving on http://127.0.0.1:")
            url = line.split()[2]
            async with client(httpx2.AsyncClient(headers={"authorization": "Bearer a"}), url=url) as ada:
                assert [one["name"] for one in (await call(ada, "list_projects"))["projects"]] == ["harbour"]
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0
