"""Chunks into the vector store: their text and terms at once, the dense vectors with them or after them.

Embedding is what indexing costs (docs/design.md#bulk-embedding). Where too many texts are new, their points are stored
without a dense vector, so that the text can be published and asked, and the vectors follow (`complete`). The manifest
says which files wait.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

import anyio
import anyio.to_thread

from indexing.chunks import dense_field, embedded_text
from memory.embedders import (
    IN_PROCESS_CHARS,
    DenseSource,
    EmbeddingCache,
    EmbeddingWorkers,
    HostedDense,
    SparseEmbedder,
    WordsOnly,
    embed_bulk,
    vector_keys,
)
from memory.together import ahead, batches, together
from memory.vector.port import DENSE_CODE, DENSE_DOCS, Chunk, Point, SparseVector, VectorStore
from memory.vocabulary import FileTerms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[str, int, int], None]
Vectors: TypeAlias = "Mapping[str, NDArray[np.float32]]"
"""Dense vectors by chunk."""
_BATCH = 256
_AT_ONCE = 3  # batches: a server, or a cluster that writes to one, is not waited for
_PLACE = attrgetter("project", "path", "start_line", "end_line", "id")


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
        found: dict[str, NDArray[np.float32]] = {}
        for source, group in self._groups(chunks):
            keys = vector_keys(_texts(group), source, files=_files(group))
            cached = cache.get(source.cache_key, keys, source.dimension)
            found |= {chunk.id: cached[key] for chunk, key in zip(group, keys, strict=True) if key in cached}
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
            groups.append((source, sorted(own, key=_PLACE)))
        return [(source, own) for source, own in groups if own]


def _texts(chunks: Sequence[Chunk]) -> list[str]:
    return [embedded_text(chunk) for chunk in chunks]


def _files(chunks: Sequence[Chunk]) -> list[str]:
    return [f"{chunk.project}/{chunk.path}" for chunk in chunks]


def _from(start: int, total: int, progress: Callable[[int, int], None]) -> Callable[[int, int], None]:
    """Progress of a part as progress of the whole."""
    return lambda done, _: progress(start + done, total)


class CountedTerms:
    """Counts, by project and path, how many chunks hold a term. A file's chunks come in one run."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, defaultdict[str, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self._chunks: Counter[tuple[str, str]] = Counter()

    def add(self, points: Iterable[Point]) -> None:
        """Count what is stored now."""
        for point in points:
            chunk = point.chunk
            self._counts[chunk.project][chunk.path].update(point.sparse.indices)
            self._chunks[chunk.project, chunk.path] += 1

    def take(self, project: str, before: Mapping[str, FileTerms], kept: Collection[str]) -> dict[str, FileTerms]:
        """A project's files as they are now, forgotten here; of those that are `kept`, if not counted, as `before`."""
        counted: Mapping[str, Counter[int]] = self._counts.pop(project, {})
        now = {path: before[path] for path in kept if path in before and path not in counted}
        return now | {path: FileTerms(self._chunks.pop((project, path)), counts) for path, counts in counted.items()}


class Embedding:
    """One run's embedding. `awaiting` counts, by project and path, the chunks that were stored without a dense vector;
    `counted` has the terms of what was stored.

    code: the model of code, where it is another than the documents'. text_first_above: so many texts without a cached
    vector, among the chunks that come at once, are embedded with them; once others wait, new ones wait too.
    """

    def __init__(
        self,
        dense: DenseSource,
        sparse: SparseEmbedder,
        cache: EmbeddingCache,
        *,
        workers: EmbeddingWorkers,
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
        self._done = 0
        self._expected = 0
        self._turn = anyio.Lock()
        self.awaiting: Counter[tuple[str, str]] = Counter()
        self.counted = CountedTerms()

    async def expect(self, chars: int) -> None:
        """So much text is to come that is not embedded yet: workers that will embed it load the model meanwhile."""
        if chars > IN_PROCESS_CHARS:
            await self._models.start(self._workers)

    def expect_vectors(self, chunks: int) -> None:
        """So many chunks are to be embedded in the calls that follow: progress counts them all together."""
        self._expected = self._done + chunks

    async def add(self, store: VectorStore, chunks: Sequence[Chunk], expansions: Mapping[str, str]) -> None:
        """Put chunks into the store, a file's together, and count their terms. Raises StoreError and ModelError.
        expansions: by chunk, what its terms hold beside its text.
        """
        looks = self.awaiting or len(chunks) > self._text_first_above
        vectors = self._models.known(chunks, self._cache) if looks else {}
        terms: Mapping[str, SparseVector] = {}
        new = {embedded_text(chunk) for chunk in chunks if chunk.id not in vectors}
        if not self.awaiting and len(new) <= self._text_first_above:
            lacking = [one for one in chunks if one.id not in vectors]
            terms, vectors = await self._weighed_and_embedded(chunks, lacking, expansions)
        self.awaiting.update((chunk.project, chunk.path) for chunk in chunks if chunk.id not in vectors)

        async def put(some: Sequence[Chunk]) -> list[Point]:
            make = partial(self._points, some, terms, vectors, expansions)  # SPLADE takes its time
            points = await anyio.to_thread.run_sync(make, abandon_on_cancel=True)
            await store.upsert(points)
            return points

        async with ahead([partial(put, some) for some in batches(chunks, _BATCH)], _AT_ONCE) as stored:
            async for points in stored:
                self.counted.add(points)

    async def vectors(self, chunks: Sequence[Chunk]) -> Vectors:
        """The dense vectors of all, by chunk; those that the cache has are not made again. Raises ModelError.

        Of several who ask, the second is served when the first is: what that made it finds in the cache.
        """
        shown = 0

        def show(done: int, total: int) -> None:
            nonlocal shown
            self._done, shown = self._done + done - shown, done
            if self._progress:
                self._progress("Embedding", self._done, max(self._expected, self._done + total - done))

        async with self._turn:
            return await self._models.embed(chunks, self._cache, workers=self._workers, progress=show)

    async def complete(self, store: VectorStore, chunks: Sequence[Chunk], vectors: Vectors) -> None:
        """Give chunks that are in the store their dense vectors. Raises StoreError."""

        async def give(some: Sequence[Chunk]) -> None:
            await store.set_dense({chunk.id: _dense(chunk, vectors) for chunk in some})

        async with ahead([partial(give, some) for some in batches(chunks, _BATCH)], _AT_ONCE) as given:
            async for _ in given:
                pass

    async def renew(self, store: VectorStore, points: Sequence[Point], vectors: Vectors) -> None:
        """Put points of another store into this one, with the dense vectors that they lacked. Raises StoreError."""
        for some in batches(points, _BATCH):
            await store.upsert(
                [replace(point, dense={**point.dense, **_dense(point.chunk, vectors)}) for point in some]
            )

    def forget_but(self, keys: Collection[str]) -> None:
        self._cache.keep_only(keys)

    def keys(self, chunks: Sequence[Chunk]) -> Collection[str]:
        """What these chunks' vectors are cached under; a file's chunks have to come together."""
        return self._models.keys(chunks).values()

    async def _weighed_and_embedded(
        self, chunks: Sequence[Chunk], new: Sequence[Chunk], expansions: Mapping[str, str]
    ) -> tuple[dict[str, SparseVector], dict[str, NDArray[np.float32]]]:
        """The terms of what is new, weighed while workers embed it, and the vectors of all."""
        terms: dict[str, SparseVector] = {}
        vectors: dict[str, NDArray[np.float32]] = {}

        async def weigh() -> None:
            found = await anyio.to_thread.run_sync(
                lambda: [self._terms(chunk, expansions) for chunk in new], abandon_on_cancel=True
            )
            terms.update(zip((chunk.id for chunk in new), found, strict=True))

        async def embed() -> None:
            vectors.update(await self.vectors(chunks))

        await together([embed, weigh])
        return terms, vectors

    def _points(
        self,
        chunks: Sequence[Chunk],
        terms: Mapping[str, SparseVector],
        vectors: Vectors,
        expansions: Mapping[str, str],
    ) -> list[Point]:
        found = ((chunk, terms.get(chunk.id) or self._terms(chunk, expansions)) for chunk in chunks)
        return [Point(chunk, sparse, _dense(chunk, vectors)) for chunk, sparse in found]

    def restated(self, point: Point, expansion: str) -> Point:
        """A stored point with the terms of its text and of what its lines prove now; its dense vectors stay."""
        return replace(point, sparse=self._terms(point.chunk, {point.chunk.id: expansion}))

    def _terms(self, chunk: Chunk, expansions: Mapping[str, str]) -> SparseVector:
        expansion = expansions.get(chunk.id)
        text = embedded_text(chunk)
        return self._sparse.embed_document(f"{text}\n{expansion}" if expansion else text)


def _dense(chunk: Chunk, vectors: Vectors) -> dict[str, list[float]]:
    """A chunk's dense vector by its name; nothing where it is not among these."""
    return {dense_field(chunk): vectors[chunk.id].tolist()} if chunk.id in vectors else {}
