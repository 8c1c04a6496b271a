"""Chunks into the vector store: their text and terms at once, the dense vectors with them or after them (design §5, §6).

Embedding is what indexing costs. Where too many texts are new, their points are stored without a dense vector, so that
the text can be published and asked, and the vectors follow (`complete`). The manifest says which files wait.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread

from indexing.chunk_models import ChunkModels
from indexing.points import dense_field, embedded_text
from memory.embedders import DenseSource, EmbeddingCache, SparseEmbedder
from memory.vector.port import Chunk, Point, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Embedding", "Progress"]

Progress = Callable[[str, int, int], None]

_UPSERT = 256


class Embedding:
    """One run's embedding. `awaiting` counts, by project and path, the chunks that were stored without a dense vector.

    code: the model of code, where it is another than the documents'. text_first_above: so many texts without a cached vector, among the chunks that come at once, are embedded at once.
    """

    def __init__(
        self,
        dense: DenseSource,
        sparse: SparseEmbedder,
        cache: EmbeddingCache,
        *,
        workers: int,
        text_first_above: int,
        code: DenseSource | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._models = ChunkModels(dense, code)
        self._sparse = sparse
        self._cache = cache
        self._workers = workers
        self._text_first_above = text_first_above
        self._progress = progress
        self.awaiting: Counter[tuple[str, str]] = Counter()

    async def add(self, store: VectorStore, chunks: Sequence[Chunk]) -> None:
        """Put chunks into the store. Raises StoreError and ModelError."""
        vectors = self._known(chunks) if len(chunks) > self._text_first_above else {}
        new = {embedded_text(chunk) for chunk in chunks if chunk.id not in vectors}
        if len(new) <= self._text_first_above:
            vectors = await self._embedded(chunks)
        self.awaiting.update((chunk.project, chunk.path) for chunk in chunks if chunk.id not in vectors)
        for start in range(0, len(chunks), _UPSERT):
            make = partial(self._points, chunks[start : start + _UPSERT], vectors)  # SPLADE takes its time
            await store.upsert(await anyio.to_thread.run_sync(make, abandon_on_cancel=True))

    async def complete(self, store: VectorStore, chunks: Sequence[Chunk]) -> None:
        """Give chunks that are in the store their dense vectors. Raises StoreError and ModelError."""
        vectors = await self._embedded(chunks)
        for start in range(0, len(chunks), _UPSERT):
            piece = chunks[start : start + _UPSERT]
            await store.set_dense({chunk.id: {dense_field(chunk): vectors[chunk.id].tolist()} for chunk in piece})

    def forget_but(self, keys: Collection[str]) -> None:
        """Keep the cached vectors under these keys alone."""
        self._cache.keep_only(keys)

    def keys(self, chunks: Sequence[Chunk]) -> Collection[str]:
        """What these chunks' vectors are cached under; a file's chunks have to come together."""
        return self._models.keys(chunks).values()

    def _points(self, chunks: Sequence[Chunk], vectors: Mapping[str, NDArray[np.float32]]) -> list[Point]:
        return [self._point(chunk, vectors) for chunk in chunks]

    def _point(self, chunk: Chunk, vectors: Mapping[str, NDArray[np.float32]]) -> Point:
        dense = {dense_field(chunk): vectors[chunk.id].tolist()} if chunk.id in vectors else {}
        return Point(chunk, self._sparse.embed_document(embedded_text(chunk)), dense)

    def _known(self, chunks: Sequence[Chunk]) -> dict[str, NDArray[np.float32]]:
        """The vectors that the cache has, by chunk."""
        return self._models.known(chunks, self._cache)

    async def _embedded(self, chunks: Sequence[Chunk]) -> dict[str, NDArray[np.float32]]:
        """The vectors of all, by chunk; those that the cache has are not made again."""
        progress = self._progress
        return await self._models.embed(
            chunks,
            self._cache,
            workers=self._workers,
            progress=(lambda done, total: progress("Embedding", done, total)) if progress else None,
        )
