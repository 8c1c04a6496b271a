"""Where a server may listen; how long a connection may take to ask, and how many there may be: these in memory and in
virtual time, without a port.
"""

from __future__ import annotations

import asyncio
import resource

import anyio
import pytest
import uvicorn
from uvicorn.server import ServerState

from interfaces.mcp.connections import Connection, check_place, is_loopback, listen, most_connections
from memory.errors import InvalidInputError
from tests.orchestrator.conftest import anyio_backend  # noqa: F401 - virtual time

HEAD = b"POST /mcp HTTP/1.1\r\nHost: here\r\n"


class Wire(asyncio.Transport):
    """Keeps what is written. What is closed while the other side does not read stays open, as sockets do."""

    def __init__(self, *, is_read=True):
        super().__init__()
        self.is_read = is_read
        self.written = b""
        self.closing = self.is_open = None
        self.protocol = None

    def connect(self, protocol):
        self.protocol, self.closing, self.is_open = protocol, False, True
        protocol.connection_made(self)
        return self

    def write(self, data):
        self.written += data

    def is_closing(self):
        return self.closing

    def close(self):
        self.closing = True
        if self.is_read:
            self.abort()

    def abort(self):
        self.closing = True
        if self.is_open:
            self.is_open = False
            self.protocol.connection_lost(None)

    def pause_reading(self):
        pass

    resume_reading = pause_reading


class Server:
    """Whom connections reach: an application that answers at once, with 401."""

    def __init__(self, most=None):
        self.go_on = anyio.Event()
        self.go_on.set()
        self.config = uvicorn.Config(
            self.app,
            interface="asgi3",
            lifespan="off",
            log_config=None,
            timeout_keep_alive=75,
            limit_concurrency=most and most + 1,
        )
        self.config.load()
        self.state = ServerState()

    async def app(self, scope, receive, send):
        await self.go_on.wait()
        await send({"type": "http.response.start", "status": 401, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"no"})

    def wire(self, **more):
        return Wire(**more).connect(Connection(self.config, self.state, {}))


async def test_a_head_that_does_not_come():
    server = Server()
    silent, slow = server.wire(), server.wire()
    for letter in HEAD[:4]:
        slow.protocol.data_received(bytes([letter]))
        await anyio.sleep(2.4)
    assert silent.is_open
    assert slow.is_open
    await anyio.sleep(0.5)
    assert not silent.is_open
    assert not slow.is_open
    assert not server.state.connections


async def test_one_that_asks_may_wait_for_its_answer_and_ask_again():
    server = Server()
    server.go_on = anyio.Event()
    wire = server.wire()
    wire.protocol.data_received(HEAD + b"\r\n")
    await anyio.sleep(59)
    server.go_on.set()
    await anyio.sleep(74)
    assert wire.is_open
    wire.protocol.data_received(HEAD)
    await anyio.sleep(9)
    wire.protocol.data_received(b"\r\n")
    await anyio.sleep(74)
    assert wire.written.count(b"401") == 2
    assert wire.is_open
    wire.protocol.data_received(HEAD)
    await anyio.sleep(11)
    assert not wire.is_open


async def test_a_body_that_is_answered_before_it_came():
    wire = Server().wire()
    wire.protocol.data_received(HEAD + b"Content-Length: 999999\r\n\r\nabc")
    for _ in range(5):
        await anyio.sleep(1.9)
        wire.protocol.data_received(b"more")
    assert b"401" in wire.written
    assert wire.is_open
    await anyio.sleep(0.6)
    assert not wire.is_open


@pytest.mark.parametrize(("more", "seconds"), [(b"Connection: close\r\n", 10), (b"", 75)])
async def test_an_answer_that_is_not_read(more, seconds):
    wire = Server().wire(is_read=False)
    wire.protocol.data_received(HEAD + more + b"\r\n")
    await anyio.sleep(seconds - 1)
    assert wire.is_open
    await anyio.sleep(1.5)
    assert not wire.is_open


async def test_one_more_takes_the_place_of_the_one_that_has_waited_longest():
    server = Server(most=3)
    asked, first, second = (server.wire() for _ in range(3))
    await anyio.sleep(1)
    asked.protocol.data_received(HEAD + b"\r\n")
    await anyio.sleep(1)
    third = server.wire()
    assert [one.is_open for one in (asked, first, second, third)].count(True) == 3
    assert asked.is_open
    server.wire()
    assert [one.is_open for one in (asked, first, second, third)] == [True, False, False, True]
    third.protocol.data_received(HEAD + b"\r\n")
    await anyio.sleep(1)
    assert b"401" in third.written


async def test_where_all_are_being_answered_one_more_is_let_go():
    server = Server(most=2)
    server.go_on = anyio.Event()
    busy = [server.wire() for _ in range(2)]
    for one in busy:
        one.protocol.data_received(HEAD + b"\r\n")
    assert not server.wire().is_open
    server.go_on.set()
    await anyio.sleep(1)
    assert all(b"401" in one.written for one in busy)


def test_half_of_the_descriptors_are_for_the_index():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 1024), hard))
        assert most_connections(512) == min(soft, 1024) // 2
        assert most_connections(20) == 20
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),  # noqa: S104 - a text
        ("::", False),
        ("192.168.0.7", False),
        ("example.org", False),
        ("localhost.example.org", False),
        ("", False),
    ],
)
def test_only_this_machine_is_served_without_a_policy(host, here):
    assert is_loopback(host) is here
    check_place(host, has_policy=True)
    if here:
        check_place(host, has_policy=False)
    else:
        with pytest.raises(InvalidInputError, match="Give --policy FILE"):
            check_place(host, has_policy=False)


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_port_that_is_taken():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(InvalidInputError, match=f"Nothing can listen at 127.0.0.1, port {port}: .*in use"):
            listen("127.0.0.1", port)
    with listen("127.0.0.1", port) as again:  # no wait after the last one
        assert again.getsockname()[1] == port


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_host_that_is_not_this_machine():
    with pytest.raises(InvalidInputError, match="another --host"):
        listen("192.0.2.1", 0)
