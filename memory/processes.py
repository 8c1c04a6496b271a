"""Processes of this program's own, and the frames in which parent and child speak over a pipe: four bytes of length,
then data.

They are started afresh as `python -c`, never forked: they inherit no lock, need no guard in the user's script, and end
when their input ends, that is with their parent, however that dies.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, Final

import anyio

if TYPE_CHECKING:
    from anyio.abc import Process

LENGTH: Final = struct.Struct(">I")


def read_frame(stream: BinaryIO) -> bytes | None:
    """The next frame; None where they end."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(header)
    data = stream.read(size)
    return data if len(data) == size else None


def framed(data: bytes) -> bytes:
    """Data as a frame."""
    return LENGTH.pack(len(data)) + data


def write_frame(stream: BinaryIO, data: bytes) -> None:
    """One frame, at once."""
    stream.write(framed(data))
    stream.flush()


class EndedError(Exception):
    """The process ended while it was spoken with."""


class Child:
    """One process, as its parent speaks with it."""

    def __init__(self, process: Process) -> None:
        from anyio.streams.buffered import BufferedByteReceiveStream  # noqa: PLC0415 - 45 ms, only for who starts one

        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._requests = process.stdin
        self._answers = BufferedByteReceiveStream(process.stdout)

    async def send(self, data: bytes) -> None:
        """Hand it a frame. Raises EndedError."""
        try:
            await self._requests.send(framed(data))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError) as error:
            raise EndedError from error

    async def receive(self) -> bytes:
        """Its next frame. Raises EndedError."""
        try:
            (size,) = LENGTH.unpack(await self._answers.receive_exactly(LENGTH.size))
            return await self._answers.receive_exactly(size) if size else b""
        except (anyio.IncompleteRead, anyio.BrokenResourceError, anyio.EndOfStream) as error:
            raise EndedError from error

    async def exit_code(self) -> int:
        """What it ended with; below zero the signal's number. Only for one that ended."""
        return await self._process.wait()


@asynccontextmanager
async def child_process(start: str) -> AsyncIterator[Child]:
    """A process that runs this Python code. It ends with the block, whatever it is at: it has nothing to lose."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-c", start]
    # In a session of its own an interrupt of the terminal reaches the parent alone, which ends its workers.
    async with await anyio.open_process(command, stderr=None, env=environment, start_new_session=True) as process:
        try:
            yield Child(process)
        finally:
            with suppress(ProcessLookupError):
                process.kill()
