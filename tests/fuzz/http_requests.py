"""Requests over HTTP that nobody wrote with care, and what the server makes of them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any, Final

import anyio

from configs import McpSettings
from interfaces.mcp.policy import Principal
from memory.clock import VirtualClock
from tests.fuzz.inputs import mutated, replaced, shaped, stored

STATUSES: Final = frozenset({200, 202, 307, 400, 401, 404, 405, 406, 413, 415, 503})
"""What a client may be sent; 5xx but for a server that is not ready would be the server's own fault."""

TOKEN: Final = "a token"
_LIMITS: Final = McpSettings(requests_per_minute=1_000_000, max_body_bytes=20_000)
_METHODS: Final = ("POST", "POST", "POST", "POST", "GET", "PUT", "DELETE", "OPTIONS", "HEAD", "BREW")
_PATHS: Final = (*["/mcp"] * 8, "/ready", "/health", "/", "/mcp/", "/mcp/../etc", "//", "/\u00fc", "/mcp\r\nx: y")
_CALLS: Final = (
    "tools/call",
    "tools/call",
    "tools/call",
    "tools/list",
    "initialize",
    "ping",
    "resources/read",
    "prompts/get",
    "nothing",
)


@dataclass(frozen=True)
class Request:
    """One of them. leaves: its client goes away before the body has come."""

    method: str
    path: str
    headers: tuple[tuple[bytes, bytes], ...]
    pieces: tuple[bytes, ...]
    leaves: bool

    @property
    def has_token(self) -> bool:
        """Whether it carries one, and only one."""
        given = [value for name, value in self.headers if name == b"authorization"]
        return len(given) == 1 and given[0].partition(b" ")[2].strip() == TOKEN.encode()


@asynccontextmanager
async def application_on(index: Any) -> AsyncIterator[Any]:
    """The application, for one principal."""
    from interfaces.mcp import http  # noqa: PLC0415 - takes a second

    who = Principal("ada", sha256(TOKEN.encode()).hexdigest(), frozenset({"harbour"}))
    async with http.application(index, _LIMITS, (who,), clock=VirtualClock()) as app:
        yield app


def drawn_request(draw: Random, tools: Mapping[str, Any]) -> Request:
    """Any; most have a token and a body that is near to what the protocol asks for."""
    body = _body(draw, tools)
    cuts = sorted(draw.randrange(len(body) + 1) for _ in range(draw.choice((0, 0, 1, 3))))
    pieces = tuple(body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True))
    return Request(draw.choice(_METHODS), draw.choice(_PATHS), _headers(draw, body), pieces, draw.random() < 0.05)


def _headers(draw: Random, body: bytes) -> tuple[tuple[bytes, bytes], ...]:
    headers = {
        "host": "127.0.0.1:8000",
        "authorization": f"Bearer {TOKEN}",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "content-length": str(len(body)),
        "mcp-protocol-version": draw.choice(("2025-06-18", "2025-11-25", "1", "")),
    }
    if draw.random() < 0.3:
        name = draw.choice(sorted(headers))
        headers[name] = mutated(draw, headers[name], [shaped(draw)])
    for name in draw.sample(sorted(headers), draw.choice((0, 0, 0, 1, 2))):
        del headers[name]
    pairs = [(name.encode(), stored(value).encode("utf-8", "replace")[:4000]) for name, value in headers.items()]
    if draw.random() < 0.05:
        pairs.append(draw.choice(pairs))
    return tuple(pairs)


def _body(draw: Random, tools: Mapping[str, Any]) -> bytes:
    name = draw.choice(sorted(tools))
    message = {
        "jsonrpc": "2.0",
        "id": draw.choice((1, "a", None, 10**30, [1])),
        "method": draw.choice(_CALLS),
        "params": {"name": name, "arguments": replaced(draw, dict(tools[name])), "uri": "hybrid://lines/a:1-2"},
    }
    document = replaced(draw, message) if draw.random() < 0.5 else message
    if draw.random() < 0.1:
        document = [document] * draw.choice((0, 2))
    text = json.dumps(document)
    if draw.random() < 0.2:
        text = mutated(draw, text, [shaped(draw)])
    raw = stored(text).encode("utf-8", "replace")
    return draw.choice((raw, raw, raw, raw, b"", b"\xff\xfe" + raw, raw * 40))


async def answered(application: Any, request: Request) -> tuple[int, bytes]:
    """The status and the body; 0 where nothing was sent, as to a client that went away."""
    sent: list[Any] = []
    left = [*request.pieces]

    async def receive() -> Any:
        if request.leaves and len(left) < 2:
            return {"type": "http.disconnect"}
        if not left:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": request.method, "scheme": "http",
        "path": request.path, "raw_path": request.path.encode(), "query_string": b"", "root_path": "",
        "headers": list(request.headers), "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000),
    }  # fmt: skip
    with anyio.fail_after(60):
        await application(scope, receive, send)
    status = next((one["status"] for one in sent if one["type"] == "http.response.start"), 200 if request.leaves else 0)
    return status, b"".join(one.get("body", b"") for one in sent)
