"""Several processes that answer at one address (record 0110).

Connections are accepted by the process that starts the others, and given in turn to those that are up. Who connects
before one is has to wait. A process that ended is followed by another; so is one that no longer says that it is up, as
one that is stopped or stuck in native code.
"""

from __future__ import annotations

import math
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import anyio
import anyio.lowlevel
from anyio.abc import Process

from memory.errors import InvalidInputError
from memory.processes import framed, read_frame
from orchestrator.logbook import log_warning

_SPARE: Final = 1.0
"""Seconds that a process may take to end once it has answered."""
_AGAIN_S: Final = 0.05
"""Seconds until a connection is accepted or given once more, where that could not be."""
_SOCKET: Final = "--socket"
_ONE: Final = b"1"
"""What a message holds: a connection, or that a process is up."""
_AT_ONCE: Final = 16
"""Connections that a process takes before it does anything else."""
_BEAT_S: Final = 1.0
"""Seconds after which a process says again that it is up."""


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
    silent: float = 4.0,
    hung: float = 30.0,
) -> None:
    """Have so many processes serve who connects until this one is told to end, by SIGTERM or SIGINT.

    Args:
        command: what a process is started by; it takes its connections from `--socket NUMBER` (`handed_over`).
        listener: where they are accepted.
        workers: how many processes.
        shutdown_timeout_ms: how long the processes may take to answer who is in.
        given: what each of them is told (`given_by_parent`): what is read from files is read once, for all.
        pause: seconds before one that ended is followed by another.
        silent: seconds after which one that does not say that it is up is given nothing until it does.
        hung: seconds after which it is killed.
    """
    kept = _Workers(command, given, shutdown_timeout_ms / 1000 + _SPARE, pause, silent, hung)
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with anyio.create_task_group() as outer:
            async with anyio.create_task_group() as group:
                for _ in range(workers):
                    group.start_soon(kept.keep_one)
                group.start_soon(_hand_over, listener, kept.turns)
                async for _ in signals:
                    break
                with anyio.move_on_after(_SPARE):
                    await kept.turns.give_all(listener)
                outer.start_soon(_kill_when_told, signals, kept.running)
                group.cancel_scope.cancel()
            outer.cancel_scope.cancel()


async def _kill_when_told(signals: AsyncIterator[signal.Signals], running: Collection[Process]) -> None:
    """A second signal does not wait."""
    async for _ in signals:
        for worker in running:
            worker.kill()


class _Turns:
    """The processes that are up, each by the channel to it, in the order in which they are given connections."""

    def __init__(self) -> None:
        self._channels: deque[socket.socket] = deque()

    def join(self, channel: socket.socket) -> None:
        """One is up."""
        if channel not in self._channels:
            self._channels.append(channel)

    def leave(self, channel: socket.socket) -> None:
        """One has ended, or is silent."""
        if channel in self._channels:
            self._channels.remove(channel)

    async def give_all(self, listener: socket.socket) -> None:
        """Accept whoever waits, and give each to the next that takes it; until one does, all wait."""
        with suppress(BlockingIOError):
            while True:
                await anyio.lowlevel.checkpoint()
                connection, _ = listener.accept()
                with connection:
                    while not any(self._is_taken(connection) for _ in range(len(self._channels))):  # noqa: ASYNC110 - a channel that has room again sets no event
                        await anyio.sleep(_AGAIN_S)

    def _is_taken(self, connection: socket.socket) -> bool:
        self._channels.rotate(-1)
        with suppress(OSError):  # it has ended, or is behind with those before
            socket.send_fds(self._channels[-1], [_ONE], [connection.fileno()])
            return True
        return False


async def _hand_over(listener: socket.socket, turns: _Turns) -> None:
    listener.settimeout(0)
    while True:
        await anyio.wait_readable(listener)
        try:
            await turns.give_all(listener)
        except OSError:  # who connected has gone again, or there is no descriptor left
            await anyio.sleep(_AGAIN_S)


def handed_over(channel: socket.socket) -> list[socket.socket]:
    """In a worker: the connections that have come through its channel; raises EOFError when no more will come."""
    said, numbers, *_ = socket.recv_fds(channel, _AT_ONCE, _AT_ONCE)
    if not said:
        raise EOFError
    return [socket.socket(fileno=number) for number in numbers]


def say_up(channel: socket.socket) -> None:
    """In a worker: it takes connections now."""
    with suppress(BlockingIOError):  # said already, and not heard yet
        channel.send(_ONE, socket.MSG_DONTWAIT)


async def keep_saying(channel: socket.socket) -> None:
    """In a worker: it goes on to take connections, as long as its event loop runs."""
    with suppress(OSError):  # nobody is there to be told any more
        while True:
            say_up(channel)
            await anyio.sleep(_BEAT_S)


@dataclass(frozen=True, slots=True)
class _Workers:
    """Starts the processes, each time anew.

    patience: how long one may take to end; silent, hung: how long one may say nothing; running: those that are.
    """

    command: Sequence[str]
    given: bytes
    patience: float
    pause: float
    silent: float
    hung: float
    turns: _Turns = field(default_factory=_Turns)
    running: set[Process] = field(default_factory=set)

    async def keep_one(self) -> None:
        """Have a process serve, one after the other."""
        while True:
            try:
                ended = str(await self._serve())
            except OSError as error:  # the interpreter is being replaced, or the machine has no room
                ended = str(error)
            log_warning("a worker ended; another follows", code=ended)
            await anyio.sleep(self.pause)

    async def _serve(self) -> int | None:
        """One process from its start to its end; what it ended with."""
        channel, theirs = socket.socketpair()
        with channel:
            channel.settimeout(0)
            # The least there may be: who does not read, since it is busy or stopped, is passed over.
            channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
            with theirs:
                worker = await anyio.open_process(
                    [*self.command, _SOCKET, str(theirs.fileno())],
                    stdin=subprocess.PIPE,  # it ends with this process, and so do they
                    stdout=None,
                    stderr=None,
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,  # an interrupt from the keyboard comes to it through this process alone
                )
            self.running.add(worker)
            try:
                assert worker.stdin is not None
                with suppress(anyio.BrokenResourceError):  # it has ended
                    await worker.stdin.send(framed(self.given))
                async with anyio.create_task_group() as group:
                    group.start_soon(self._listen_to, worker, channel)
                    code = await worker.wait()
                    group.cancel_scope.cancel()
                return code
            finally:
                self.turns.leave(channel)
                with anyio.CancelScope(shield=True):
                    await self._end(worker)
                self.running.discard(worker)

    async def _listen_to(self, worker: Process, channel: socket.socket) -> None:
        """It gets connections while it says that it is up; it may take its time until it says so first."""
        limit, is_silent = math.inf, False
        with suppress(OSError):  # it has ended
            while True:
                with anyio.move_on_after(limit) as waited:
                    await anyio.wait_readable(channel)
                if not waited.cancelled_caught:
                    if not channel.recv(_AT_ONCE):  # it is about to end, and answers who is in
                        await anyio.sleep(self.patience)
                        break
                    self.turns.join(channel)
                    limit, is_silent = self.silent, False
                elif not is_silent:
                    self.turns.leave(channel)
                    limit, is_silent = max(0.0, self.hung - self.silent), True
                else:
                    break
            log_warning("a worker hangs and is killed", code=str(worker.pid))
            worker.kill()

    async def _end(self, worker: Process) -> None:
        if worker.returncode is None:
            worker.terminate()
        with anyio.move_on_after(self.patience):
            await worker.wait()
        if worker.returncode is None:
            worker.kill()
        await worker.aclose()


def given_by_parent() -> bytes:
    """In a worker: what the process that started it tells."""
    return read_frame(sys.stdin.buffer) or b""


async def end_with_parent() -> None:
    """In a worker: tell it to end when the process that started it is gone, and has closed standard input thereby."""
    await anyio.wait_readable(sys.stdin.fileno())
    os.kill(os.getpid(), signal.SIGTERM)
