"""Many documents at once: worker processes of one thread each, one text at a time (docs/design.md#bulk-embedding).

A larger batch is slower (padding), a second thread too; two processes are what two cores can give. Few texts stay in
this process: starting a worker costs more.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

import anyio.to_thread

from memory.embedders.cache import EmbeddingCache, text_key
from memory.embedders.hosted import HostedDense
from memory.embedders.local import EncoderSource, encode_each
from memory.embedders.workers import Keep, Piece, Workers
from memory.text import estimate_tokens
from memory.together import batches, together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.port import EmbeddingWorkers

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
    `in_process_chars` characters of new text are embedded without workers, unless they were started already; a number
    of workers are this call's own. A hosted model is asked over the network instead; `files` names the file that each
    text is of, for one that reads a chunk in its context. Raises ModelError; cancelled, it takes its workers along.
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
    pieces: deque[Piece] = deque({key: by_key[key] for key in some} for some in batches(new, _PIECE))
    few = sum(len(by_key[key]) for key in new) <= in_process_chars and not workers.have(source)
    if few or workers.count < 1:
        await _here(pieces, source, workers, kept.keep)
    else:
        await workers.embed(pieces, source, kept.keep)
    return kept.all()


def vector_keys(texts: Sequence[str], source: DenseSource, *, files: Sequence[str] = ()) -> list[str]:
    """What each text's vector is cached under, in their order."""
    if isinstance(source, HostedDense):
        return [key for window in _windows(texts, files or texts, source) for key in _window_keys(window)]
    return [text_key(text) for text in texts]


async def _here(pieces: deque[Piece], source: EncoderSource, workers: EmbeddingWorkers, keep: Keep) -> None:
    if not pieces:
        return
    encode = await workers.loaded(source)
    for piece in pieces:
        embed = partial(encode_each, encode, list(piece.values()), source.dimension)
        keep(list(piece), await anyio.to_thread.run_sync(embed, abandon_on_cancel=True))


class KeptVectors:
    """Vectors by key. `progress(done, total)` counts texts, equal ones each."""

    def __init__(
        self,
        keys: Sequence[str],
        model: str,
        dimension: int,
        *,
        cache: EmbeddingCache | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._keys = keys
        self._model = model
        self._dimension = dimension
        self._cache = cache
        self._progress = progress
        self._copies = Counter(keys)
        self._vectors = cache.get(model, self._copies, dimension) if cache is not None else {}
        self._done = sum(self._copies[key] for key in self._vectors)
        self._tell()

    @property
    def lacking(self) -> list[str]:
        """The keys without a vector, each once."""
        return [key for key in self._copies if key not in self._vectors]

    def keep(self, keys: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Take these in; one that is there already stays."""
        fresh = {key: vector for key, vector in zip(keys, vectors, strict=True) if key not in self._vectors}
        self._vectors |= fresh
        if self._cache is not None:
            self._cache.put(self._model, fresh)
        self._done += sum(self._copies[key] for key in fresh)
        self._tell()

    def all(self) -> NDArray[np.float32]:
        """One vector a key, in the order they were given, shape (keys, dimension)."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        if not self._keys:
            return np.empty((0, self._dimension), dtype=np.float32)
        return np.stack([self._vectors[key] for key in self._keys])

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._done, len(self._keys))


_AT_ONCE: Final = 4


async def embed_hosted(
    texts: Sequence[str],
    files: Sequence[str],
    dense: HostedDense,
    *,
    cache: EmbeddingCache | None = None,
    progress: Callable[[int, int], None] | None = None,
    at_once: int = _AT_ONCE,
) -> NDArray[np.float32]:
    """Vectors of texts in their order, shape (texts, dimension), float32; `files` names the file each is of.

    What `cache` holds is not asked for again; what is new is kept in it request by request. At its end it lets go of
    the connections. Raises ModelError.
    """
    windows = _windows(texts, files, dense)
    keyed = {tuple(_window_keys(window)): window for window in windows}
    keys = [key for window in windows for key in _window_keys(window)]
    kept = KeptVectors(keys, dense.cache_key, dense.dimension, cache=cache, progress=progress)
    lacking = set(kept.lacking)
    wanted = {window: keys for keys, window in keyed.items() if not lacking.isdisjoint(keys)}
    batches = deque(dense.batches(list(wanted)))

    async def ask() -> None:
        while batches:
            batch = batches.popleft()
            asked = [key for window in batch for key in wanted[tuple(window)]]
            kept.keep(asked, await dense.embed_chunks(batch))

    try:
        await together([ask] * min(at_once, len(batches)))
    finally:
        await dense.close()
    return kept.all()


def _windows(texts: Sequence[str], files: Sequence[str], dense: HostedDense) -> list[tuple[str, ...]]:
    """What is embedded together: each text alone, or neighbours of one file as far as a document may go."""
    if not dense.in_context:
        return [(text,) for text in texts]
    windows: list[tuple[str, ...]] = []
    for _, group in groupby(zip(files, texts, strict=True), key=lambda one: one[0]):
        window: tuple[str, ...] = ()
        tokens = 0
        for _, text in group:
            size = estimate_tokens(text)
            if window and (tokens + size > dense.limits.document_tokens or len(window) == dense.limits.texts):
                windows.append(window)
                window, tokens = (), 0
            window, tokens = (*window, text), tokens + size
        windows.append(window)
    return windows


def _window_keys(window: tuple[str, ...]) -> list[str]:
    """A text alone has its own key, one among others the key of its place among them."""
    if len(window) == 1:
        return [text_key(window[0])]
    together = text_key("".join(map(text_key, window)))
    return [text_key(f"{place} of {together}") for place in range(len(window))]
