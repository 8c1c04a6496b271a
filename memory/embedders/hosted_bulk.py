"""Many documents through a hosted model: as many texts a request as it takes, several requests at the same time.

A model that reads a chunk in the context of its document is given the chunks of a file together; what such a vector is
cached under says all that it was made from.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from memory.embedders.cache import text_key
from memory.embedders.hosted import HostedDense
from memory.embedders.kept import KeptVectors
from memory.text.identifiers import estimate_tokens
from memory.together import together

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.cache import EmbeddingCache

__all__ = ["embed_hosted", "hosted_keys"]

_AT_ONCE: Final = 4


def hosted_keys(texts: Sequence[str], files: Sequence[str], dense: HostedDense) -> list[str]:
    """What each text's vector is cached under, in their order."""
    return [key for window in _windows(texts, files, dense) for key in _window_keys(window)]


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

    What `cache` holds is not asked for again; what is new is kept in it request by request. At its end it lets go of the
    connections. Raises ModelError.
    """
    windows = _windows(texts, files, dense)
    keyed = {tuple(_window_keys(window)): window for window in windows}
    kept = KeptVectors(
        [key for window in windows for key in _window_keys(window)],
        dense.cache_key,
        dense.dimension,
        cache=cache,
        progress=progress,
    )
    lacking = set(kept.lacking)
    wanted = {window: keys for keys, window in keyed.items() if not lacking.isdisjoint(keys)}
    batches = deque(dense.batches(list(wanted)))

    async def ask() -> None:
        while batches:
            batch = batches.popleft()
            keys = [key for window in batch for key in wanted[tuple(window)]]
            kept.keep(keys, await dense.embed_chunks(batch))

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
