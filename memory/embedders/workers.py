"""`Workers`: processes that embed, of one thread each, one text at a time (docs/design.md#bulk-embedding).

Each is handed its next texts while it is at the last, so that it never waits for what this process does with an answer.
Its input is an encoder source, then lists of texts, as pickles; back comes a message, empty when the model could be
loaded, then float32. End of input ends it.
"""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Self

import anyio.to_thread

from memory.embedders.local import Encode, EncoderSource, encode_each
from memory.errors import ModelError
from memory.processes import Child, EndedError, child_process, read_frame, write_frame
from memory.together import together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Piece = Mapping[str, str]
"""Texts by their keys."""
Keep = Callable[[Sequence[str], "NDArray[np.float32]"], None]
"""Takes the vectors of a piece."""

_AHEAD = 2
_START = f"from {__name__} import main; main()"  # whatever name the package goes by


class Workers:
    """At most `count` processes, which have one model at a time. Leaving the block ends them, cancelled or not."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._source: EncoderSource | None = None
        self._running: list[_Worker] = []
        self._exits = AsyncExitStack()
        self._here: dict[str, Encode] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def loaded(self, source: EncoderSource) -> Encode:
        """This model in this process, where few texts are embedded; it stays for the next ones. Raises ModelError."""
        if source.cache_key not in self._here:
            self._here[source.cache_key] = await anyio.to_thread.run_sync(source.load, abandon_on_cancel=True)
        return self._here[source.cache_key]

    def have(self, source: EncoderSource) -> bool:
        """Whether any was started with this model."""
        return bool(self._running) and source == self._source

    async def start(self, source: EncoderSource, most: int | None = None) -> None:
        """Have all, or `most` of them, load this model while the caller goes on: what comes of it `embed` says."""
        if source != self._source:
            await self._end()
        self._source = source
        while len(self._running) < min(self.count, self.count if most is None else most):
            worker = _Worker(await self._exits.enter_async_context(child_process(_START)), source)
            await worker.load()
            self._running.append(worker)

    async def embed(self, pieces: deque[Piece], source: EncoderSource, keep: Keep) -> None:
        """Take pieces until none is left, and keep their vectors as they come. Raises ModelError."""
        await self.start(source, len(pieces))
        async with AsyncExitStack() as failed:
            failed.push_async_callback(self._end)  # the answers of what was cut short must not meet the next question
            await together([partial(worker.embed, pieces, keep) for worker in self._running])
            failed.pop_all()

    async def _end(self) -> None:
        self._running = []
        await self._exits.aclose()


class _Worker:
    """One process, and how it is spoken with (`serve`)."""

    def __init__(self, child: Child, source: EncoderSource) -> None:
        self._child = child
        self._source = source
        self._loaded = False

    async def load(self) -> None:
        """Tell it the model; whether it could be loaded comes before the first answer."""
        with _dying():
            await self._child.send(pickle.dumps(self._source))

    async def embed(self, pieces: deque[Piece], keep: Keep) -> None:
        """Have it embed pieces until none is left."""
        import numpy as np  # noqa: PLC0415 - loaded long since

        asked: deque[Piece] = deque()
        with _dying():
            await self._until_loaded()
            while pieces or asked:
                while pieces and len(asked) < _AHEAD:
                    asked.append(pieces.popleft())
                    await self._child.send(pickle.dumps(list(asked[-1].values())))
                found = np.frombuffer(await self._child.receive(), dtype=np.float32)
                piece = list(asked.popleft())
                keep(piece, found.reshape(len(piece), self._source.dimension))

    async def _until_loaded(self) -> None:
        if not self._loaded:
            refusal = await self._child.receive()
            if refusal:
                raise ModelError(refusal.decode())
            self._loaded = True


@contextmanager
def _dying() -> Iterator[None]:
    """What a process that ends in between shows itself by, as the error it is."""
    try:
        yield
    except EndedError as error:
        raise ModelError(
            "A process that embeds documents ended too soon.", "Run it again; what it did is kept."
        ) from error


def main() -> None:
    """What a worker runs: serve the parent on the standard streams."""
    with suppress(BrokenPipeError):  # the parent is gone
        serve(sys.stdin.buffer, sys.stdout.buffer)


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Load the source that comes first, then answer each list of texts with their vectors."""
    source = _receive(requests)
    if source is None:
        return
    try:
        encode = source.load()
    except ModelError as error:
        write_frame(answers, str(error).encode())
        return
    write_frame(answers, b"")
    while (texts := _receive(requests)) is not None:
        write_frame(answers, encode_each(encode, texts, source.dimension).tobytes())


def _receive(requests: BinaryIO) -> Any:
    data = read_frame(requests)
    return None if data is None else pickle.loads(data)  # noqa: S301 - our own parent wrote it
