"""What requests pass before the tools over HTTP: who asks, how often, how much, how long and how many at once."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final

import anyio

from configs.documents import DocumentError, parse_json
from interfaces.mcp.policy import Principal, principal_of
from memory.errors import BusyError
from memory.together import Places
from orchestrator.logbook import log_info

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from configs import McpSettings
    from memory.clock import Clock

_SAYING: Final = 5.0
"""Seconds in which a client has to take an error in place of an answer."""
_REFUSED: Final = -32_010  # JSON-RPC leaves these numbers to servers; the protocol and its library use others of them


class Gate:
    """An ASGI application that lets a principal's requests through to that principal's own.

    Args:
        apps: who may ask, and what answers; one without a digest where no token is needed.
        clock: what allowances refill by.
        reading: seconds in which a request's body has to arrive.
    """

    def __init__(
        self, apps: Mapping[Principal, ASGIApp], limits: McpSettings, clock: Clock, *, reading: float = 10.0
    ) -> None:
        self._apps = apps
        self._anybody = next((one for one in apps if not one.digest), None)
        self._limits = limits
        self._clock = clock
        self._reading = reading
        self._places = Places(limits.max_running, limits.max_running * len(apps))
        self._own = {one: Places(limits.max_running, limits.max_waiting) for one in apps}
        self._allowances: dict[Principal, Allowance] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send)
        begun, principal = self._clock.monotonic(), None
        try:
            principal = self._principal(scope)
            self._allow(principal)
            body = await self._body(scope, receive)
            await self._through(principal, body, scope, receive, answer)
        except Refusal as refusal:
            with anyio.move_on_after(_SAYING):
                await refusal.send(answer)
        finally:
            took = round((self._clock.monotonic() - begun) * 1000)
            log_info("request", principal=principal.name if principal else None, status=answer.status, ms=took)

    def _principal(self, scope: Scope) -> Principal:
        """Who asks. Raises Refusal where no known principal does."""
        if self._anybody is not None:
            return self._anybody
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        found = principal_of(given[0], self._apps) if len(given) == 1 else None
        if found is None:
            wrong = ', error="invalid_token"' if given else ""
            raise Refusal(
                401,
                "Nobody with this token may ask here. Send the header `Authorization: Bearer TOKEN`.",
                headers={"www-authenticate": f'Bearer realm="hybrid-retrieval"{wrong}'},
            )
        return found

    def _allow(self, principal: Principal) -> None:
        """Raises Refusal where this one has asked too often."""
        now = self._clock.monotonic()
        most = self._limits.requests_per_minute
        wait = self._allowances.setdefault(principal, Allowance(most, now)).take(now)
        if wait > 0:
            seconds = math.ceil(wait)
            raise Refusal(
                429,
                f"More than {most} requests in a minute. Ask again in {seconds} s.",
                headers={"retry-after": str(seconds)},
            )

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """All of the body. Raises Refusal for one that is too long, or too late."""
        most = self._limits.max_body_bytes
        too_long = Refusal(413, f"A request has at most {most} bytes here.")
        declared = dict(scope["headers"]).get(b"content-length", b"")
        if declared.isdigit() and (len(declared) > len(str(most)) or int(declared) > most):
            raise too_long
        body = bytearray()
        with anyio.move_on_after(self._reading):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > most:
                    raise too_long
                if not message.get("more_body", False):  # all is here, or the client has gone
                    return bytes(body)
        raise Refusal(408, f"The request did not arrive within {self._reading:g} s. Send it again.")

    async def _through(
        self, principal: Principal, body: bytes, scope: Scope, receive: Receive, answer: _Answer
    ) -> None:
        """Let the application answer. Raises Refusal where all places are taken, or time is up before it began to."""
        seconds = self._limits.request_timeout_ms / 1000
        with anyio.move_on_after(seconds) as limit:
            try:
                # Each waits among their own first, so that at most max_running of one principal are before another.
                async with self._own[principal].place(), self._places.place():
                    await self._apps[principal](scope, _again(body, receive), answer)
            except BusyError as busy:
                headers = {"retry-after": "1"}
                raise Refusal(503, "Too many are asking. Ask again in a second.", headers=headers) from busy
        if not limit.cancelled_caught:
            return
        late = Refusal(504, f"No answer within {seconds:g} s. Ask again, or less at once.", request=_id(body))
        if answer.status is None:
            raise late
        with anyio.move_on_after(_SAYING):  # its head is sent: what is left to say is an event of its stream
            await answer({"type": "http.response.body", "body": late.event if answer.streams else b""})


class _Answer:
    """Sends, and remembers the status once it is sent, and whether events follow it."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status: int | None = None
        self.streams = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = int(message["status"])  # of an enumeration, which a log would name
            self.streams = dict(message.get("headers", ())).get(b"content-type", b"").startswith(b"text/event-stream")
        await self._send(message)


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives the body that was read, and then what else the client does: that it goes away."""
    left = [body]

    async def again() -> Message:
        return {"type": "http.request", "body": left.pop(), "more_body": False} if left else await receive()

    return again


def _id(body: bytes) -> str | int | None:
    """The id of the JSON-RPC request, None where it has none."""
    try:
        document = parse_json(body)
    except DocumentError:
        return None
    found = document.get("id") if isinstance(document, dict) else None
    return found if isinstance(found, str | int) else None


class Allowance:
    """A token bucket that is full at first; as many requests as it holds come back in a minute.

    now: seconds on a clock that never runs backwards, here and in `take`.
    """

    def __init__(self, per_minute: int, now: float) -> None:
        self._per_minute = per_minute
        self._left = float(per_minute)
        self._at = now

    def take(self, now: float) -> float:
        """Take one request. Returns 0, or without taking one the seconds until there is one again."""
        self._left = min(self._left + (now - self._at) * self._per_minute / 60, float(self._per_minute))
        self._at = now
        if self._left < 1:
            return (1 - self._left) * 60 / self._per_minute
        self._left -= 1
        return 0.0


class Refusal(Exception):  # noqa: N818 - carries an answer to the one place that sends it
    """What a request hears that does not get through: a JSON-RPC error that a client shows to people.

    request: the id of the JSON-RPC request, where it is known.
    """

    def __init__(
        self, status: int, message: str, *, request: str | int | None = None, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self._request = request
        self._headers = headers or {}

    @property
    def event(self) -> bytes:
        """It as a server-sent event."""
        return b"event: message\r\ndata: " + self._body + b"\r\n\r\n"

    @property
    def _body(self) -> bytes:
        error = {"code": _REFUSED, "message": self.message}
        return json.dumps({"jsonrpc": "2.0", "id": self._request, "error": error}).encode()

    async def send(self, send: Send) -> None:
        body = self._body
        headers = {"content-type": "application/json", "content-length": str(len(body)), **self._headers}
        encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": encoded})
        await send({"type": "http.response.body", "body": body})
