"""Where a server over HTTP may be reached, and the socket that it is reached at."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from typing import Final

from memory.errors import InvalidInputError

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
