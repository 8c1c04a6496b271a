"""`ChunkModels`: which dense model embeds which chunk (000 §4: one for documents, one for code), and with which
neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from indexing.points import dense_field, embedded_text
from memory.embedders import (
    DenseSource,
    EmbeddingCache,
    EmbeddingWorkers,
    HostedDense,
    WordsOnly,
    embed_bulk,
    vector_keys,
)
from memory.vector.port import DENSE_CODE, DENSE_DOCS, Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ChunkModels"]


class ChunkModels:
    """The dense models of an index. code: where it is another than the documents'."""

    def __init__(self, docs: DenseSource, code: DenseSource | None = None) -> None:
        self._sources = {DENSE_DOCS: docs, DENSE_CODE: code or docs}

    def keys(self, chunks: Sequence[Chunk]) -> dict[str, str]:
        """What each chunk's vector is cached under, by chunk; a file's chunks have to come together."""
        return {
            chunk.id: key
            for source, group in self._groups(chunks)
            for chunk, key in zip(group, vector_keys(_texts(group), source, files=_files(group)), strict=True)
        }

    def known(self, chunks: Sequence[Chunk], cache: EmbeddingCache) -> dict[str, NDArray[np.float32]]:
        """The vectors that the cache has, by chunk."""
        found: dict[str, NDArray[np.float32]] = {}
        for source, group in self._groups(chunks):
            keys = vector_keys(_texts(group), source, files=_files(group))
            cached = cache.get(source.cache_key, keys)
            right = {key: vector for key, vector in cached.items() if len(vector) == source.dimension}
            found |= {chunk.id: right[key] for chunk, key in zip(group, keys, strict=True) if key in right}
        return found

    async def start(self, workers: EmbeddingWorkers) -> None:
        """Have workers load the model that is asked first, if it is one of theirs."""
        source = self._sources[DENSE_DOCS]
        if not isinstance(source, (HostedDense, WordsOnly)):
            await workers.start(source)

    async def embed(
        self,
        chunks: Sequence[Chunk],
        cache: EmbeddingCache,
        *,
        workers: EmbeddingWorkers | int,
        progress: Callable[[int, int], None] | None = None,
    ) -> dict[str, NDArray[np.float32]]:
        """The vectors of all, by chunk; those that the cache has are not made again. Raises ModelError."""
        found: dict[str, NDArray[np.float32]] = {}
        for source, group in self._groups(chunks):
            vectors = await embed_bulk(
                _texts(group),
                source,
                files=_files(group),
                cache=cache,
                workers=workers,
                progress=_from(len(found), len(chunks), progress) if progress else None,
            )
            found |= dict(zip((chunk.id for chunk in group), vectors, strict=True))
        return found

    def _groups(self, chunks: Sequence[Chunk]) -> list[tuple[DenseSource, list[Chunk]]]:
        """Each model with its chunks, by file and place: a vector must not depend on the order they come in."""
        groups = []
        for source in dict.fromkeys(self._sources.values()):
            fields = {field for field, one in self._sources.items() if one is source}
            own = [chunk for chunk in chunks if dense_field(chunk) in fields]
            groups.append((source, sorted(own, key=_place)))
        return [(source, own) for source, own in groups if own]


def _place(chunk: Chunk) -> tuple[str, str, int, int, str]:
    return chunk.project, chunk.path, chunk.start_line, chunk.end_line, chunk.id


def _texts(chunks: Sequence[Chunk]) -> list[str]:
    return [embedded_text(chunk) for chunk in chunks]


def _files(chunks: Sequence[Chunk]) -> list[str]:
    return [f"{chunk.project}/{chunk.path}" for chunk in chunks]


def _from(start: int, total: int, progress: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """Progress of a part as progress of the whole."""
    return lambda done, _: progress(start + done, total)
