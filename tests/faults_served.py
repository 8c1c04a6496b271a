"""A question over HTTP while a part fails, and a policy file that is not what it was."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import anyio

from interfaces.mcp.index import Opened
from interfaces.mcp.policy import ANYBODY, Principal, read_policy
from memory.clock import VirtualClock
from memory.errors import InvalidInputError
from memory.graph import FakeGraphStore
from orchestrator import HybridRetrievalOrchestrator
from tests.organisation import CONFIG

TOKEN: Final = "a token"
POLICY: Final = (
    f"principals:\n- name: ada\n  token_sha256: '{sha256(TOKEN.encode()).hexdigest()}'\n  projects: [harbour]\n"
)


async def served(orchestrator: HybridRetrievalOrchestrator, question: str, *, leaves: bool) -> tuple[str, float]:
    """What a client is sent, and the seconds on the loop's clock. leaves: another one asks first, and goes away."""
    async with _client(orchestrator) as ask:
        if leaves:
            with anyio.move_on_after(0.0):
                await ask(question)
        began = anyio.current_time()
        said = await ask(question)
        return said, anyio.current_time() - began


@asynccontextmanager
async def _client(orchestrator: HybridRetrievalOrchestrator) -> AsyncIterator[Any]:
    import httpx2  # noqa: PLC0415 - takes a while

    from interfaces.mcp import http  # noqa: PLC0415 - takes a second

    @asynccontextmanager
    async def use() -> AsyncIterator[Opened]:
        yield Opened(orchestrator, FakeGraphStore())

    index: Any = SimpleNamespace(questions=SimpleNamespace(use=use))
    async with http.application(index, CONFIG.mcp, (ANYBODY,), project="harbour", clock=VirtualClock()) as app:
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:1", timeout=None) as client:

            async def ask(question: str) -> str:
                params = {"name": "ask_projects", "arguments": {"question": question}}
                reply = await client.post(
                    "/mcp",
                    json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
                    headers={"accept": "application/json, text/event-stream"},
                )
                return f"{reply.status_code} {_status(reply.text)}"

            yield ask


def _status(body: str) -> str:
    *_, last = [json.loads(line[6:]) for line in body.splitlines() if line.startswith("data: ")]
    result = last["result"]
    if result.get("isError"):
        return f"error: {result['content'][0]['text']}"
    status: str = result["structuredContent"]["status"]
    return status


POLICY_FAULTS: Final = ("refused", "garbage", "wrong schema", "partial page", "byte flipped")
"""What may become of a policy file."""


def policies(folder: Path) -> Mapping[str, str]:
    """By fault, what a server that starts with such a policy does. Raises AssertionError where anybody would see more."""
    return {fault: _read(folder, fault) for fault in POLICY_FAULTS}


def _read(folder: Path, fault: str) -> str:
    whole = [Principal("ada", sha256(TOKEN.encode()).hexdigest(), frozenset({"harbour"}))]
    outcomes = set()
    for text in _bent(fault):
        file = folder / "policy.yaml"
        file.unlink(missing_ok=True)
        if text is not None:
            file.write_bytes(text)
        try:
            found = read_policy(file)
        except InvalidInputError:
            outcomes.add("does not start")
            continue
        same_token = [one for one in found if one.digest == whole[0].digest]
        seen = {name for one in same_token for name in one.projects or ("all",)}
        assert len(found) == 1, f"{text!r} has another principal"
        assert seen <= {"harbour"} or not seen & {"harbour", "lighthouse", "all"}, f"{text!r} shows more"
        outcomes.add("starts, and nobody sees more")
    return ", or ".join(sorted(outcomes))


def _bent(fault: str) -> Iterator[bytes | None]:
    whole = POLICY.encode()
    if fault == "refused":
        yield None
    elif fault == "garbage":
        yield b"%PDF-1.4 garbage"
    elif fault == "wrong schema":
        yield b"principals: [{unknown: 1}]\n"
    elif fault == "partial page":
        yield from (whole[:end] for end in range(len(whole)))
    else:
        for place in range(len(whole)):
            for bit in range(8):
                yield whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
