"""The doors that load comes through, each a real process: Python itself, MCP over stdio, MCP over HTTP with one process
and two.

The two servers are spoken to in plain JSON-RPC: a full client takes as much of the processor as the server does.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, Protocol

import anyio
import httpx
from anyio.streams.buffered import BufferedByteReceiveStream

from configs import load_config
from memory.errors import BusyError, HybridRetrievalError
from orchestrator import HybridRetrievalOrchestrator

Outcome = Literal["answered", "partial", "not_found", "refused", "failed"]
"""A status, or why there is none."""

_VERSION = "2025-06-18"
_UNLIMITED = ("--set", "mcp.requests_per_minute=1000000")
_LONGEST = 64 * 2**20


class Door(Protocol):
    """One open door."""

    process: int
    """Whose memory and processor are looked at."""

    async def ask(self, question: str) -> tuple[Outcome, str]:
        """How it went, and all that was said."""


class _Python:
    def __init__(self, orchestrator: HybridRetrievalOrchestrator) -> None:
        self.process = os.getpid()
        self._orchestrator = orchestrator

    async def ask(self, question: str) -> tuple[Outcome, str]:
        try:
            result = await self._orchestrator.retrieve(question)
        except BusyError as error:
            return "refused", str(error)
        except HybridRetrievalError as error:
            return "failed", str(error)
        return result.status, result.answer.text


class _Stdio:
    """Requests on one pipe; who waits for which answer is known by its id."""

    def __init__(self, server: anyio.abc.Process) -> None:
        assert server.stdin is not None
        self.process = server.pid
        self._stdin = server.stdin
        self._writing = anyio.Lock()
        self._number = 0
        self._waiting: dict[int, tuple[anyio.Event, list[Any]]] = {}

    async def ask(self, question: str) -> tuple[Outcome, str]:
        return _outcome(await self.request("tools/call", _call(question)))

    async def request(self, method: str, params: Any) -> Any:
        self._number += 1
        number, answer = self._number, list[Any]()
        self._waiting[number] = event, _ = anyio.Event(), answer
        try:
            await self.send({"id": number, "method": method, "params": params})
            await event.wait()
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self.send({"method": "notifications/cancelled", "params": {"requestId": number}})
            raise
        finally:
            del self._waiting[number]
        return answer[0]

    async def send(self, message: dict[str, Any]) -> None:
        async with self._writing:
            await self._stdin.send(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def read(self, stdout: anyio.abc.ByteReceiveStream) -> None:
        lines = BufferedByteReceiveStream(stdout)
        while True:
            message = json.loads(await lines.receive_until(b"\n", _LONGEST))
            waiting = self._waiting.get(message.get("id"))
            if waiting is not None:
                waiting[1].append(message)
                waiting[0].set()


class _Http:
    def __init__(self, client: httpx.AsyncClient, process: int) -> None:
        self.process = process
        self._client = client

    async def ask(self, question: str) -> tuple[Outcome, str]:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": _call(question)}
        try:
            reply = await self._client.post("/mcp", json=body)
        except httpx.HTTPError as error:
            return "failed", f"{type(error).__name__}: {error}"
        if reply.status_code == 503:
            return "refused", reply.json()["error"]["message"]
        lines = [one.removeprefix("data: ") for one in reply.text.splitlines() if one.startswith("data: ")]
        messages = [json.loads(one) for one in (lines or [reply.text])]
        return _outcome(next(one for one in messages if "id" in one))


def _call(question: str) -> dict[str, Any]:
    return {"name": "ask_projects", "arguments": {"question": question}}


def _outcome(message: Any) -> tuple[Outcome, str]:
    if "error" in message:
        return "failed", message["error"]["message"]
    text = message["result"]["content"][0]["text"]
    if message["result"].get("isError"):
        return ("refused" if text.startswith("Too many questions") else "failed"), text
    outcome: Outcome = json.loads(text)["status"]
    return outcome, text


@asynccontextmanager
async def _python(data: Path) -> AsyncIterator[Door]:
    async with HybridRetrievalOrchestrator.open(data, config=load_config()) as orchestrator:
        yield _Python(orchestrator)


@asynccontextmanager
async def _stdio(data: Path) -> AsyncIterator[Door]:
    async with await anyio.open_process(_serve(data), stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        door = _Stdio(server)
        async with anyio.create_task_group() as group:
            group.start_soon(door.read, server.stdout)
            client = {"name": "load", "version": "1"}
            await door.request("initialize", {"protocolVersion": _VERSION, "capabilities": {}, "clientInfo": client})
            await door.send({"method": "notifications/initialized"})
            yield door
            group.cancel_scope.cancel()
        server.terminate()


@asynccontextmanager
async def over_http(data: Path, *options: str) -> AsyncIterator[Door]:
    """A server over HTTP with these options of the command line."""
    command = [*_serve(data), "--http", "--port", "0", *options, *_UNLIMITED]
    async with await anyio.open_process(command, stdout=subprocess.DEVNULL) as server:
        assert server.stderr is not None
        lines = BufferedByteReceiveStream(server.stderr)
        async with anyio.create_task_group() as group:
            place = ""
            while not place:
                said = (await lines.receive_until(b"\n", _LONGEST)).decode()
                place = "".join(re.findall(r"Serving on (\S+)/mcp", said))
            group.start_soon(_read_away, lines)
            headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": _VERSION}
            limits = httpx.Limits(max_connections=None)
            async with httpx.AsyncClient(base_url=place, headers=headers, timeout=120, limits=limits) as client:
                yield _Http(client, server.pid)
            group.cancel_scope.cancel()
        server.terminate()


async def _read_away(lines: BufferedByteReceiveStream) -> None:
    """So that the server's log does not fill the pipe."""
    while True:
        await lines.receive()


def _serve(data: Path) -> list[str]:
    return [str(Path(sys.executable).with_name("hybrid-retrieval")), "serve", "--quiet", "--data-dir", str(data)]


DOORS = {
    "python": _python,
    "stdio": _stdio,
    "http": over_http,
    "http-2": lambda data: over_http(data, "--workers", "2"),
}
"""By name, what opens each on a data folder."""
