"""Where a server over HTTP may be reached, the socket that it is reached at, how many connections it keeps there, and
how long each may take to ask.

Its library waits for ever for a request's head, and for the rest of a body that was answered without it.
"""

from __future__ import annotations

import asyncio
import socket
from ipaddress import ip_address
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from memory.errors import InvalidInputError
from orchestrator.logbook import log_info

BACKLOG: Final = 2048


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches it. A name other than `localhost` may be anybody's."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_place(host: str, *, has_policy: bool) -> None:
    """Raises InvalidInputError where other machines would reach a server that asks for no token."""
    if not has_policy and not is_loopback(host):
        raise InvalidInputError(
            f"Other machines reach {host}, and without a policy anybody on them could read every project.",
            "Give --policy FILE (docs/mcp.md), or leave --host out to serve this machine alone.",
        )


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, at any free port for 0.

    Raises InvalidInputError where the port is taken, or the host is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInputError(
            f"Nothing can listen at {host}, port {port}: {reason}.",
            "Give another --port, 0 for any that is free, or another --host.",
        ) from None


_ARRIVING: Final = 10.0
"""Seconds in which a request's head has to arrive, or what is left of a request that is answered already."""


def most_connections(wanted: int) -> int:
    """So many, at most half of the process's file descriptors: the index needs some too."""
    import resource  # noqa: PLC0415 - not every system has it

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else max(1, min(wanted, soft // 2))


class Connection(H11Protocol):
    """A connection that ends where its request does not arrive in time.

    Fewer than `limit_concurrency` are kept: in place of one more, the one ends that has waited longest for a request.
    """

    since = 0.0
    """When it began to wait, by the loop's clock."""
    _limit: asyncio.TimerHandle | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the library's own
        super().connection_made(transport)
        self.since = self.loop.time()
        self._begin_limit()
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            waiting = (one for one in self.connections if isinstance(one, Connection) and one.is_waiting)
            longest = min(waiting, key=lambda one: one.since)
            longest.transport.abort()
            self.connections.discard(longest)
            log_info("too many connections", kept=len(self.connections))

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.is_waiting:
            self._end_limit()
        elif self._limit is None:
            self._begin_limit()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        if self.cycle.more_body or self.transport.is_closing():
            self._begin_limit()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_limit()
        super().connection_lost(exc)

    def timeout_keep_alive_handler(self) -> None:
        self.transport.abort()

    def _begin_limit(self) -> None:
        self._limit = self.loop.call_later(_ARRIVING, self.transport.abort)

    def _end_limit(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
