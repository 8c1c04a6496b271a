"""Standard input, line by line, however it comes."""

from __future__ import annotations

import os

import pytest

from interfaces.mcp.stdio import lines_of


@pytest.fixture
def anyio_backend():
    return "asyncio"


async def lines(*pieces):
    """What is read of a pipe that these are written into."""
    reading, writing = os.pipe()
    found = lines_of(reading)
    got = []
    for piece in pieces:
        os.write(writing, piece)
        if piece.endswith(b"\n"):
            got.append(await anext(found))
    os.close(writing)
    got += [line async for line in found]
    os.close(reading)
    return got


async def test_lines_that_come_together_and_one_that_comes_in_pieces():
    assert await lines(b"a\nb\n", b"c", b"d\n", b"e") == ["a", "b", "cd", "e"]


async def test_a_line_longer_than_what_is_read_at_once():
    assert await lines(b"x" * 60_000, b"\ny\n") == ["x" * 60_000, "y"]


async def test_what_is_no_utf_8_and_lines_of_nothing():
    assert await lines(b"\xff\n", b"\n") == ["\ufffd", ""]
    assert await lines() == []
