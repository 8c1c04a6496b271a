"""Many documents at once: worker processes of one thread each, one text at a time (docs/design.md#bulk-embedding).

A larger batch is slower (padding), a second thread too; two processes are what two cores can give. Few texts stay in this
process: starting a worker costs more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import anyio.to_thread

from memory.embedders.cache import text_key
from memory.embedders.hosted import HostedDense
from memory.embedders.hosted_bulk import embed_hosted, hosted_keys
from memory.embedders.kept import KeptVectors
from memory.embedders.local import encode_each
from memory.embedders.workers import Keep, Piece, Workers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.cache import EmbeddingCache
    from memory.embedders.local import EncoderSource
    from memory.embedders.port import EmbeddingWorkers

__all__ = ["IN_PROCESS_CHARS", "DenseSource", "embed_bulk", "vector_keys"]

DenseSource: TypeAlias = "EncoderSource | HostedDense"

IN_PROCESS_CHARS = 40_000
_PIECE = 8


async def embed_bulk(
    texts: Sequence[str],
    source: DenseSource,
    *,
    files: Sequence[str] = (),
    cache: EmbeddingCache | None = None,
    workers: EmbeddingWorkers | int = 2,
    progress: Callable[[int, int], None] | None = None,
    in_process_chars: int = IN_PROCESS_CHARS,
) -> NDArray[np.float32]:
    """Vectors of texts in their order, shape (texts, dimension), float32.

    Equal texts are embedded once and longest first; what `cache` holds is not embedded again, what is new is kept in it
    piece by piece, so that a run that is killed loses little. `progress(done, total)` counts texts. Up to
    `in_process_chars` characters of new text are embedded without workers, unless they were started already; a number of
    workers are this call's own. A hosted model is asked over the network instead; `files` names the file that each text is
    of, for one that reads a chunk in its context. Raises ModelError; cancelled, it takes its workers along.
    """
    if isinstance(source, HostedDense):
        return await embed_hosted(texts, files or texts, source, cache=cache, progress=progress)
    if isinstance(workers, int):
        async with Workers(workers) as own:
            return await embed_bulk(
                texts, source, cache=cache, workers=own, progress=progress, in_process_chars=in_process_chars
            )
    kept = KeptVectors(vector_keys(texts, source), source.cache_key, source.dimension, cache=cache, progress=progress)
    by_key = {text_key(text): text for text in texts}
    new = sorted(kept.lacking, key=lambda key: (-len(by_key[key]), key))
    pieces: deque[Piece] = deque(
        {key: by_key[key] for key in new[start : start + _PIECE]} for start in range(0, len(new), _PIECE)
    )
    few = sum(len(by_key[key]) for key in new) <= in_process_chars and not workers.have(source)
    if few or workers.count < 1:
        await _here(pieces, source, kept.keep)
    else:
        await workers.embed(pieces, source, kept.keep)
    return kept.all()


def vector_keys(texts: Sequence[str], source: DenseSource, *, files: Sequence[str] = ()) -> list[str]:
    """What each text's vector is cached under, in their order."""
    if isinstance(source, HostedDense):
        return hosted_keys(texts, files or texts, source)
    return [text_key(text) for text in texts]


async def _here(pieces: deque[Piece], source: EncoderSource, keep: Keep) -> None:
    if not pieces:
        return
    encode = await anyio.to_thread.run_sync(source.load, abandon_on_cancel=True)
    for piece in pieces:
        embed = partial(encode_each, encode, list(piece.values()), source.dimension)
        keep(list(piece), await anyio.to_thread.run_sync(embed, abandon_on_cancel=True))
