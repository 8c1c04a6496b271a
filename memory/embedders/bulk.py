"""Many documents at once: worker processes of one thread each, one text at a time (design §5a, bulk embedding).

A larger batch is slower (padding), a second thread too; two processes are what two cores can give. Workers are started
afresh as `python -c`, never forked: they inherit no lock, need no guard in the user's script, and end when their input
ends, that is with their parent, however that dies. Few texts stay in this process: starting a worker costs more.
"""

from __future__ import annotations

import os
import pickle
import struct
import sys
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import anyio
import anyio.to_thread

from memory.embedders.cache import text_key
from memory.embedders.hosted import HostedDense
from memory.embedders.hosted_bulk import embed_hosted, hosted_keys
from memory.embedders.kept import KeptVectors
from memory.embedders.local import encode_each
from memory.errors import ModelError
from memory.together import together

if TYPE_CHECKING:
    import numpy as np
    from anyio.abc import ByteSendStream
    from anyio.streams.buffered import BufferedByteReceiveStream
    from numpy.typing import NDArray

    from memory.embedders.cache import EmbeddingCache
    from memory.embedders.local import EncoderSource

__all__ = ["IN_PROCESS_CHARS", "DenseSource", "embed_bulk", "vector_keys"]

DenseSource: TypeAlias = "EncoderSource | HostedDense"

IN_PROCESS_CHARS = 40_000
_PIECE = 8
_LENGTH = struct.Struct(">I")
_START = "from memory.embedders.worker import main; main()"


async def embed_bulk(
    texts: Sequence[str],
    source: DenseSource,
    *,
    files: Sequence[str] = (),
    cache: EmbeddingCache | None = None,
    workers: int = 2,
    progress: Callable[[int, int], None] | None = None,
    in_process_chars: int = IN_PROCESS_CHARS,
) -> NDArray[np.float32]:
    """Vectors of texts in their order, shape (texts, dimension), float32.

    Equal texts are embedded once and longest first; what `cache` holds is not embedded again, what is new is kept in it
    piece by piece, so that a run that is killed loses little. `progress(done, total)` counts texts. Up to
    `in_process_chars` characters of new text are embedded without workers. A hosted model is asked over the network
    instead; `files` names the file that each text is of, for one that reads a chunk in its context. Raises ModelError;
    cancelled, it takes its workers along.
    """
    if isinstance(source, HostedDense):
        return await embed_hosted(texts, files or texts, source, cache=cache, progress=progress)
    kept = KeptVectors(vector_keys(texts, source), source.cache_key, source.dimension, cache=cache, progress=progress)
    by_key = {text_key(text): text for text in texts}
    new = sorted(kept.lacking, key=lambda key: (-len(by_key[key]), key))
    pieces = deque(new[start : start + _PIECE] for start in range(0, len(new), _PIECE))
    if workers < 1 or sum(len(by_key[key]) for key in new) <= in_process_chars:
        await _here(pieces, by_key, source, kept.keep)
    else:
        await together([partial(_worker, pieces, by_key, source, kept.keep)] * min(workers, len(pieces)))
    return kept.all()


def vector_keys(texts: Sequence[str], source: DenseSource, *, files: Sequence[str] = ()) -> list[str]:
    """What each text's vector is cached under, in their order."""
    if isinstance(source, HostedDense):
        return hosted_keys(texts, files or texts, source)
    return [text_key(text) for text in texts]


_Keep = Callable[[Sequence[str], "NDArray[np.float32]"], None]


async def _here(pieces: deque[list[str]], by_key: dict[str, str], source: EncoderSource, keep: _Keep) -> None:
    if not pieces:
        return
    encode = await anyio.to_thread.run_sync(source.load, abandon_on_cancel=True)
    for piece in pieces:
        texts = [by_key[key] for key in piece]
        keep(
            piece, await anyio.to_thread.run_sync(encode_each, encode, texts, source.dimension, abandon_on_cancel=True)
        )


async def _worker(pieces: deque[list[str]], by_key: dict[str, str], source: EncoderSource, keep: _Keep) -> None:
    """One worker process, fed until nothing is left. Leaving the block ends it, cancelled or not."""
    import numpy as np  # noqa: PLC0415 - loaded long since
    from anyio.streams.buffered import BufferedByteReceiveStream  # noqa: PLC0415 - 45 ms, only for who starts workers

    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-c", _START]
    # In a session of its own an interrupt of the terminal reaches the parent alone, which ends its workers.
    async with await anyio.open_process(command, stderr=None, env=environment, start_new_session=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = BufferedByteReceiveStream(process.stdout)
        try:
            await _send(process.stdin, source)
            refusal = await _receive(answers)
            if refusal:
                raise ModelError(refusal.decode())
            while pieces:
                piece = pieces.popleft()
                await _send(process.stdin, [by_key[key] for key in piece])
                found = np.frombuffer(await _receive(answers), dtype=np.float32)
                keep(piece, found.reshape(len(piece), source.dimension))
        except (anyio.IncompleteRead, anyio.BrokenResourceError, anyio.EndOfStream) as error:
            raise ModelError(
                "A process that embeds documents ended too soon.", "Run it again; what it did is kept."
            ) from error


async def _send(stream: ByteSendStream, value: object) -> None:
    data = pickle.dumps(value)
    await stream.send(_LENGTH.pack(len(data)) + data)


async def _receive(stream: BufferedByteReceiveStream) -> bytes:
    (size,) = _LENGTH.unpack(await stream.receive_exactly(_LENGTH.size))
    return await stream.receive_exactly(size) if size else b""
