"""Processes that are spoken with in frames, and how they show that they ended."""

from __future__ import annotations

import io

import pytest

from memory.processes import EndedError, child_process, read_frame, write_frame

ECHO = """
import sys
from memory.processes import read_frame, write_frame
while (data := read_frame(sys.stdin.buffer)) is not None:
    if data == b"quit":
        sys.exit(5)
    write_frame(sys.stdout.buffer, data)
"""


async def test_frames_come_back_whole():
    async with child_process(ECHO) as child:
        for data in (b"", b"a", b"\0" * 300_000):
            await child.send(data)
            assert await child.receive() == data


async def test_an_end_in_between_is_an_error_with_its_code():
    async with child_process(ECHO) as child:
        await child.send(b"quit")
        with pytest.raises(EndedError):
            await child.receive()
        assert await child.exit_code() == 5
        with pytest.raises(EndedError):
            await child.send(b"x" * 300_000)


def test_a_frame_that_was_cut_short_is_none():
    stream = io.BytesIO()
    write_frame(stream, b"four")
    whole = stream.getvalue()
    assert read_frame(io.BytesIO(whole)) == b"four"
    assert [read_frame(io.BytesIO(whole[:size])) for size in range(len(whole))] == [None] * len(whole)
