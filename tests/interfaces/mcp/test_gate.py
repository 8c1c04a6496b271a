"""What gets through the gate, what those hear that do not, and how often one may ask; in memory, without a port."""

from __future__ import annotations

import json
from hashlib import sha256
from http import HTTPStatus

import anyio
import pytest
import structlog

from configs import McpSettings
from interfaces.mcp.gate import Allowance, Gate
from interfaces.mcp.policy import ANYBODY, Principal
from memory.clock import VirtualClock

ADA, BEN = (Principal(name, sha256(name.encode()).hexdigest(), None) for name in ("ada", "ben"))
ASKED = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "ping"}).encode()


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Echo:
    """Answers with its name and with what it was sent."""

    def __init__(self, name):
        self.name = name

    async def __call__(self, scope, receive, send):
        message = await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": f"{self.name} {len(message['body'])}".encode()})


class Held:
    """Answers nothing before it is let go; where it has a head, with these headers, it sends that first."""

    def __init__(self, *, head=None):
        self.head = head
        self.asked = 0
        self.gone = 0
        self.first = anyio.Event()
        self.let_go = anyio.Event()

    async def __call__(self, scope, receive, send):
        self.asked += 1
        if self.head is not None:
            await send({"type": "http.response.start", "status": 200, "headers": self.head})
        self.first.set()
        try:
            await self.let_go.wait()
        finally:
            self.gone += 1
        await Echo("held")(scope, receive, send)


class Waiting:
    """Passes on what is known of the other side: that it has gone."""

    async def __call__(self, scope, receive, send):
        await receive()
        assert (await receive())["type"] == "http.disconnect"


class Caller:
    """Calls an ASGI application, and keeps what it is told."""

    def __init__(self, gate):
        self.gate = gate

    async def __call__(self, token=None, chunks=(ASKED,), headers=(), *, stays=True):
        sent = [(b"authorization", f"Bearer {token}".encode())] if token else []
        said = []
        left = list(chunks)

        async def receive():
            if left:
                return {"type": "http.request", "body": left.pop(0), "more_body": bool(left) or not stays}
            return {"type": "http.disconnect"}

        async def send(message):
            said.append(message)

        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": [*sent, *headers]}
        await self.gate(scope, receive, send)
        heads = [message for message in said if message["type"] == "http.response.start"]
        body = b"".join(message.get("body", b"") for message in said)
        [head] = heads or [{"status": None, "headers": []}]
        return head["status"], {name.decode(): value.decode() for name, value in head["headers"]}, body


def gate(apps=None, **limits):
    clock = VirtualClock()
    given = {ADA: Echo("ada"), BEN: Echo("ben")} if apps is None else apps
    return Caller(Gate(given, McpSettings(**limits), clock)), clock


def error(answer):
    document = json.loads(answer[2])
    assert document["jsonrpc"] == "2.0"
    assert answer[1]["content-type"] == "application/json"
    return answer[0], document["id"], document["error"]["message"]


async def test_each_principal_reaches_its_own():
    call, _ = gate()
    assert (await call("ada"))[2] == f"ada {len(ASKED)}".encode()
    assert (await call("ben", chunks=(b"a", b"bc", b"")))[2] == b"ben 3"


async def test_who_is_not_known_is_told_how_to_be():
    call, _ = gate()
    nobody, wrong = await call(), await call("eve")
    assert error(nobody)[0] == error(wrong)[0] == 401
    assert nobody[1]["www-authenticate"] == 'Bearer realm="hybrid-retrieval"'
    assert wrong[1]["www-authenticate"].endswith('error="invalid_token"')
    assert "eve" not in wrong[2].decode()
    twice = await call("ada", headers=[(b"authorization", b"Bearer ben")])
    assert error(twice)[0] == 401


async def test_a_status_is_logged_as_a_number():
    async def enumerated(scope, receive, send):
        await send({"type": "http.response.start", "status": HTTPStatus.ACCEPTED, "headers": []})

    call, _ = gate({ANYBODY: enumerated})
    with structlog.testing.capture_logs() as logged:
        await call()
    assert [repr(one["status"]) for one in logged] == ["202"]


async def test_without_a_policy_nobody_is_asked():
    call, _ = gate({ANYBODY: Echo("any")})
    assert (await call())[2].startswith(b"any")


async def test_who_sends_much_at_once_leaves_the_next_place_to_another():
    held = Held()
    call, _ = gate({ADA: held, BEN: Echo("ben")}, max_running=1, max_waiting=2)
    statuses = []

    async def ask(token):
        statuses.append((token, (await call(token))[0]))

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(ask, "ada")
        await anyio.wait_all_tasks_blocked()
        assert (held.asked, statuses) == (1, [("ada", 503)])
        group.start_soon(ask, "ben")
        await anyio.wait_all_tasks_blocked()
        held.let_go.set()
    assert statuses == [("ada", 503), ("ada", 200), ("ben", 200), ("ada", 200), ("ada", 200)]


async def test_how_often_is_counted_by_principal():
    call, clock = gate(requests_per_minute=2)
    assert [(await call("ada"))[0] for _ in range(3)] == [200, 200, 429]
    refused = await call("ada")
    assert refused[1]["retry-after"] == "30"
    assert "More than 2 requests" in error(refused)[2]
    assert (await call("ben"))[0] == 200
    await clock.sleep(30)
    assert [(await call("ada"))[0] for _ in range(2)] == [200, 429]


@pytest.mark.parametrize(
    ("chunks", "headers"),
    [
        ((b"a" * 11,), ()),
        ((b"a" * 6, b"a" * 6), ()),
        ((b"",), [(b"content-length", b"11")]),
        ((b"",), [(b"content-length", b"9" * 5_000)]),
    ],
)
async def test_a_body_that_is_too_long(chunks, headers):
    call, _ = gate(max_body_bytes=10)
    assert error(await call("ada", chunks, headers)) == (413, None, "A request has at most 10 bytes here.")
    assert (await call("ada", (b"a" * 10,), [(b"content-length", b"10")]))[0] == 200
    assert (await call("ada", (b"a",), [(b"content-length", b"some")]))[0] == 200


async def test_one_that_goes_away_is_seen():
    call, _ = gate({ADA: Waiting()})
    assert (await call("ada"))[0] is None
    cut, _ = gate()
    assert (await cut("ada", (b"abc",), stays=False))[2] == b"ada 3"  # for the protocol to refuse


async def test_a_body_that_does_not_come():
    async def never():
        await anyio.sleep_forever()

    said = []

    async def send(message):
        said.append(message)

    scope = {"type": "http", "headers": [(b"authorization", b"Bearer ada")]}
    await Gate({ADA: Echo("ada")}, McpSettings(), VirtualClock(), reading=0.001)(scope, never, send)
    assert said[0]["status"] == 408


async def test_what_has_no_place_waits_and_then_is_refused():
    held = Held()
    call, _ = gate({ADA: held}, max_running=1, max_waiting=1)
    statuses = []

    async def one():
        statuses.append((await call("ada"))[0])

    async with anyio.create_task_group() as group:
        group.start_soon(one)
        await held.first.wait()
        group.start_soon(one)
        await anyio.wait_all_tasks_blocked()
        refused = await call("ada")
        assert error(refused)[0] == 503
        assert refused[1]["retry-after"] == "1"
        assert held.asked == 1  # the second waits
        held.let_go.set()
    assert (statuses, held.asked) == ([200, 200], 2)


async def test_where_none_may_wait_a_free_place_is_taken():
    held = Held()
    call, _ = gate({ADA: held}, max_running=1, max_waiting=0)
    async with anyio.create_task_group() as group:
        group.start_soon(call, "ada")
        await held.first.wait()
        assert error(await call("ada"))[0] == 503
        held.let_go.set()
    assert (await call("ada"))[0] == 200


async def test_an_answer_that_does_not_come_is_ended():
    held = Held()
    call, _ = gate({ADA: held}, request_timeout_ms=1)
    assert error(await call("ada")) == (504, 7, "No answer within 0.001 s. Ask again, or less at once.")
    assert held.gone == held.asked == 1
    for body in (b"[", b"[1]", b'{"id": [1]}', b"{}"):
        assert error(await call("ada", (body,)))[:2] == (504, None)


async def test_a_stream_that_does_not_end_is_ended():
    call, _ = gate({ADA: Held(head=[])}, request_timeout_ms=1)
    assert await call("ada") == (200, {}, b"")


async def test_a_stream_of_events_ends_with_the_error():
    call, _ = gate({ADA: Held(head=[(b"content-type", b"text/event-stream; charset=utf-8")])}, request_timeout_ms=1)
    status, _, body = await call("ada")
    kind, data, *end = body.decode().split("\r\n")
    assert (status, kind, end) == (200, "event: message", ["", ""])
    said = json.loads(data.removeprefix("data: "))
    assert (said["id"], said["error"]["message"]) == (7, "No answer within 0.001 s. Ask again, or less at once.")


async def test_waiting_for_a_place_counts():
    held = Held()
    call, _ = gate({ADA: held}, max_running=1, request_timeout_ms=20)
    statuses = []

    async def one():
        statuses.append((await call("ada"))[0])

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(one)
    assert statuses == [504] * 3
    assert held.gone == held.asked


def test_it_is_used_up_and_comes_back():
    allowance = Allowance(3, now=100.0)
    assert [allowance.take(100.0) for _ in range(3)] == [0.0] * 3
    assert allowance.take(100.0) == pytest.approx(20.0)
    assert allowance.take(115.0) == pytest.approx(5.0)
    assert allowance.take(121.0) == 0.0
    assert allowance.take(121.0) == pytest.approx(19.0)


def test_it_never_holds_more_than_a_minute_of_it():
    allowance = Allowance(2, now=0.0)
    assert [allowance.take(3_600.0) for _ in range(3)] == [0.0, 0.0, pytest.approx(30.0)]
