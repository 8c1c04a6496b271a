"""Where a server over HTTP may be reached, the socket that it is reached at, and several processes that answer there.

Connections are accepted by the process that starts the others, and given in turn to those that are up. Who connects
before one is has to wait. A process that ended is followed by another.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

import anyio

from memory.errors import InvalidInputError
from memory.processes import framed, read_frame
from orchestrator.logbook import log_warning

BACKLOG: Final = 2048
_SPARE: Final = 1.0
"""Seconds that a process may take to end once it has answered."""
_LOST_S: Final = 0.05
"""After a connection that can't be accepted."""
_SOCKET: Final = "--socket"
_ONE: Final = b"1"
"""What a message holds: a connection, or that a process is up."""
_AT_ONCE: Final = 16
"""Connections that a process takes before it does anything else."""


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


def check_workers() -> None:
    """Raises InvalidInputError where the system has no sockets that one process gives to another."""
    if os.name != "posix":
        raise InvalidInputError("Processes cannot hand sockets over on this system.", "Leave --workers out.")


async def serve_with_workers(
    command: Sequence[str],
    listener: socket.socket,
    workers: int,
    shutdown_timeout_ms: int,
    *,
    given: bytes = b"",
    pause: float = 1.0,
) -> None:
    """Have so many processes serve who connects until this one is told to end, by SIGTERM or SIGINT.

    Args:
        command: what a process is started by; it takes its connections from `--socket NUMBER` (`handed_over`).
        listener: where they are accepted.
        workers: how many processes.
        shutdown_timeout_ms: how long the processes may take to answer who is in.
        given: what each of them is told (`given_by_parent`): what is read from files is read once, for all.
        pause: seconds before one that ended is followed by another.
    """
    patience, turns = shutdown_timeout_ms / 1000 + _SPARE, _Turns()
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with anyio.create_task_group() as group:
            for _ in range(workers):
                group.start_soon(_keep, command, turns, given, patience, pause)
            group.start_soon(_hand_over, listener, turns)
            async for _ in signals:
                group.cancel_scope.cancel()
                break


class _Turns:
    """The processes that are up, each by the channel to it, in the order in which they are given connections."""

    def __init__(self) -> None:
        self._channels: deque[socket.socket] = deque()
        self._changed = anyio.Event()

    def join(self, channel: socket.socket) -> None:
        """One is up."""
        self._channels.append(channel)
        self._changed.set()

    def leave(self, channel: socket.socket) -> None:
        """One has ended."""
        if channel in self._channels:
            self._channels.remove(channel)

    async def begun(self) -> None:
        """Wait until one is up."""
        while not self._channels:
            self._changed = anyio.Event()
            await self._changed.wait()

    def give(self, connection: socket.socket) -> None:
        """Give a connection to the next that takes it."""
        for _ in range(len(self._channels)):
            self._channels.rotate(-1)
            with suppress(OSError):  # it has ended, or is behind with those before
                socket.send_fds(self._channels[-1], [_ONE], [connection.fileno()])
                return


async def _hand_over(listener: socket.socket, turns: _Turns) -> None:
    listener.settimeout(0)
    while True:
        await turns.begun()
        await anyio.wait_readable(listener)
        try:
            connection, _ = listener.accept()
        except OSError:  # who connected has gone again, or there is no descriptor left
            await anyio.sleep(_LOST_S)
            continue
        with connection:
            turns.give(connection)


def handed_over(channel: socket.socket) -> list[socket.socket]:
    """In a worker: the connections that have come through its channel; raises EOFError when no more will come."""
    said, numbers, *_ = socket.recv_fds(channel, _AT_ONCE, _AT_ONCE)
    if not said:
        raise EOFError
    return [socket.socket(fileno=number) for number in numbers]


def say_up(channel: socket.socket) -> None:
    """In a worker: it takes connections now."""
    channel.send(_ONE)


async def _keep(command: Sequence[str], turns: _Turns, given: bytes, patience: float, pause: float) -> None:
    """Have a process serve, one after the other."""
    while True:
        code = await _served(command, turns, given, patience)
        log_warning("a worker ended; another follows", code=str(code))
        await anyio.sleep(pause)


async def _served(command: Sequence[str], turns: _Turns, given: bytes, patience: float) -> int | None:
    """One process from its start to its end; what it ended with."""
    channel, theirs = socket.socketpair()
    channel.settimeout(0)
    with theirs:
        worker = await anyio.open_process(
            [*command, _SOCKET, str(theirs.fileno())],
            stdin=subprocess.PIPE,  # it ends with this process, and so do they
            stdout=None,
            stderr=None,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,  # an interrupt from the keyboard comes to it through this process alone
        )
    try:
        assert worker.stdin is not None
        with suppress(anyio.BrokenResourceError):  # it has ended
            await worker.stdin.send(framed(given))
        async with anyio.create_task_group() as group:
            group.start_soon(_join_once_up, channel, turns)
            code = await worker.wait()
            group.cancel_scope.cancel()
        return code
    finally:
        turns.leave(channel)
        with channel, anyio.CancelScope(shield=True):
            if worker.returncode is None:
                worker.terminate()
            with anyio.move_on_after(patience):
                await worker.wait()
            await worker.aclose()


async def _join_once_up(channel: socket.socket, turns: _Turns) -> None:
    await anyio.wait_readable(channel)
    with suppress(OSError):  # it has ended
        if channel.recv(1):
            turns.join(channel)


def given_by_parent() -> bytes:
    """In a worker: what the process that started it tells."""
    return read_frame(sys.stdin.buffer) or b""


async def end_with_parent() -> None:
    """In a worker: tell it to end when the process that started it is gone, and has closed standard input thereby."""
    await anyio.wait_readable(sys.stdin.fileno())
    os.kill(os.getpid(), signal.SIGTERM)
