"""Where a server over HTTP may be reached, the socket that it is reached at, and several processes that answer there.

Each process has a socket of its own at the address, and the system shares the connections out among them
(`SO_REUSEPORT`). The sockets are opened before the processes are started, so that who connects meanwhile waits, and a
process that ended is followed by another on the same one. The socket of one that does not come up is closed until it is
tried again, so that the others get what would wait there.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from ipaddress import ip_address
from typing import Final

import anyio

from memory.errors import InvalidInputError
from memory.processes import framed, read_frame
from orchestrator.logbook import log_warning

BACKLOG: Final = 2048
_SPARE: Final = 1.0
"""Seconds that a process may take to end once it has answered."""
_COMES_UP_S: Final = 10.0
_SOCKET: Final = "--socket"


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


def listen(host: str, port: int, *, is_shared: bool = False) -> socket.socket:
    """A socket that listens there, at any free port for 0. is_shared: others of this user may listen there too.

    Raises InvalidInputError where the port is taken, or the host is not this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG, reuse_port=is_shared)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInputError(
            f"Nothing can listen at {host}, port {port}: {reason}.",
            "Give another --port, 0 for any that is free, or another --host.",
        ) from None


@contextmanager
def listen_together(host: str, port: int, workers: int) -> Iterator[list[socket.socket]]:
    """So many sockets that listen there. Raises as `listen`, and where the system has none that share a port."""
    if not hasattr(socket, "SO_REUSEPORT"):
        raise InvalidInputError("Sockets cannot share a port on this system.", "Leave --workers out.")
    with listen(host, port) as free:  # one that shares its port would be given one that is taken
        port = free.getsockname()[1]
    with ExitStack() as stack:
        yield [stack.enter_context(listen(host, port, is_shared=True)) for _ in range(workers)]


async def serve_with_workers(
    command: Sequence[str],
    listeners: Sequence[socket.socket],
    shutdown_timeout_ms: int,
    *,
    given: bytes = b"",
    pause: float = 1.0,
    comes_up_s: float = _COMES_UP_S,
) -> None:
    """Have a process serve each socket until this one is told to end, by SIGTERM or SIGINT.

    Args:
        command: what a process is started by; it finds its socket by `--socket NUMBER`.
        shutdown_timeout_ms: how long the processes may take to answer who is in.
        given: what each of them is told (`given_by_parent`): what is read from files is read once, for all.
        pause: seconds before one that ended is followed by another.
        comes_up_s: one that ends sooner has not come up.
    """
    patience = shutdown_timeout_ms / 1000 + _SPARE
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with anyio.create_task_group() as group:
            for listener in listeners:
                group.start_soon(partial(_keep, command, listener, given, patience, pause, comes_up_s))
            async for _ in signals:
                group.cancel_scope.cancel()
                break


async def _keep(
    command: Sequence[str], listener: socket.socket, given: bytes, patience: float, pause: float, comes_up_s: float
) -> None:
    """Have a process serve the socket, one after the other."""
    place = listener.getsockname()[:2]
    try:
        while True:
            began = anyio.current_time()
            code = await _served(command, listener.fileno(), given, patience)
            log_warning("a worker ended; another follows", code=str(code))
            if anyio.current_time() - began < comes_up_s:
                listener.close()
            await anyio.sleep(pause)
            if listener.fileno() < 0:
                listener = listen(*place, is_shared=True)
    finally:
        listener.close()


async def _served(command: Sequence[str], socket_number: int, given: bytes, patience: float) -> int | None:
    """One process from its start to its end; what it ended with."""
    worker = await anyio.open_process(
        [*command, _SOCKET, str(socket_number)],
        stdin=subprocess.PIPE,  # it ends with this process, and so do they
        stdout=None,
        stderr=None,
        pass_fds=(socket_number,),
        start_new_session=True,  # an interrupt from the keyboard comes to it through this process alone
    )
    try:
        assert worker.stdin is not None
        with suppress(anyio.BrokenResourceError):  # it has ended
            await worker.stdin.send(framed(given))
        return await worker.wait()
    finally:
        with anyio.CancelScope(shield=True):
            if worker.returncode is None:
                worker.terminate()
            with anyio.move_on_after(patience):
                await worker.wait()
            await worker.aclose()


def given_by_parent() -> bytes:
    """In a worker: what the process that started it tells."""
    return read_frame(sys.stdin.buffer) or b""


async def end_with_parent() -> None:
    """In a worker: tell it to end when the process that started it is gone, and has closed standard input thereby."""
    await anyio.wait_readable(sys.stdin.fileno())
    os.kill(os.getpid(), signal.SIGTERM)
