"""Standard input for the protocol: all lines that have come are read at once.

The library reads each line in a thread of the pool that the agents use too. With a hundred requests on their way a line
then waits for the questions before it, and so does the one that cancels them.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
import anyio.to_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["lines_of", "standard_input"]

_PIECE: Final = 2**16


@contextmanager
def standard_input() -> Iterator[int]:
    """A descriptor of its own; meanwhile programs that are started here find nothing on theirs."""
    own, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield own
    finally:
        os.dup2(own, 0)  # `own` stays open: an abandoned thread may still read from it


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Each line as it comes, until the other side closes."""
    own_thread, begun = anyio.CapacityLimiter(1), list[bytes]()
    read = partial(os.read, descriptor, _PIECE)
    while piece := await anyio.to_thread.run_sync(read, limiter=own_thread, abandon_on_cancel=True):
        first, *others = piece.split(b"\n")
        begun.append(first)
        for other in others:
            yield b"".join(begun).decode("utf-8", "replace")
            begun = [other]
    if any(begun):
        yield b"".join(begun).decode("utf-8", "replace")
