"""The vector store of a generation in the making: what changed, the vectors that follow, and what is to be forgotten.

What left the index leaves the disk: a deleted point's text stays in an engine's files until it is written anew.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from indexing.embedding import CountedTerms, Embedding, Progress, Vectors
from indexing.images import PictureWriter
from indexing.ports import StageStores
from indexing.project import ProjectUpdate
from indexing.sources import Source
from indexing.statements import spoken_of
from memory.generation import FileRecord, Manifest, ProjectRecord, Stage
from memory.together import ahead, lots
from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import SPARSE_LEXICAL, Chunk, Point, SparseVector, VectorQuery, VectorStore

ProjectFile: TypeAlias = "tuple[str, FileRecord]"
"""A file, and the name of its project."""
_PAGE = 500
_AHEAD = 2  # lots: while one is written the next is embedded
_NO_TERMS = SparseVector((), ())


class VectorWriter:
    """Writes a stage's vector store. vectors: name -> dimension; at_once: so many chunks are embedded together."""

    def __init__(
        self,
        stores: StageStores,
        embedding: Embedding,
        vectors: Mapping[str, int],
        namespace: str,
        *,
        at_once: int,
        pictures: PictureWriter | None,
        progress: Progress | None,
    ) -> None:
        self._stores = stores
        self._embedding = embedding
        self._fields = vectors
        self._namespace = namespace
        self._at_once = at_once
        self._pictures = pictures
        self._progress = progress

    @property
    def awaiting(self) -> Mapping[tuple[str, str], int]:
        """How many chunks were stored without a dense vector, by project and path."""
        return self._embedding.awaiting

    async def expect(self, new: Iterable[Source]) -> None:
        """These projects are read for the first time: their size says whether workers are worth starting already."""
        await self._embedding.expect(sum(map(_size, new)))

    async def update(
        self,
        stage: Stage,
        gone: Collection[str],
        changed: Sequence[Source],
        read: Callable[[Source], Coroutine[Any, Any, ProjectUpdate]],
        count: Callable[[ProjectUpdate, CountedTerms], None],
        *,
        at_once: int = 1,
    ) -> dict[str, ProjectUpdate]:
        """Take out what went, put in what came. Raises StoreError and ModelError, and what `read` raises.

        count: is handed each project when all its terms are counted; at_once: how many projects are read at the same
        time.
        """
        updates: dict[str, ProjectUpdate] = {}
        pending: list[Chunk] = []
        expansions: dict[str, str] = {}
        uncounted: list[ProjectUpdate] = []
        async with (
            self._open(stage.vectors_path, copied=stage.copied) as store,
            ahead([partial(read, source) for source in changed], at_once) as found,
        ):
            for name in sorted(gone):
                await store.delete_project(name)
            async for update in found:
                name = update.record.name
                if update.stale:
                    await store.delete_files(name, update.stale)
                updates[name] = replace(update, chunks=(), pictures=(), sentences={})
                uncounted.append(updates[name])
                pending += update.chunks
                expansions |= {
                    chunk.id: text for chunk in update.chunks if (text := spoken_of(chunk, update.sentences))
                }
                await self._restate(store, update)
                if self._pictures:
                    hashes = {file.path: file.hash for file in update.record.files}
                    await self._pictures.add(store, Path(update.record.root), update.pictures, hashes)
                if self._progress:
                    self._progress("Reading", len(updates), len(changed))
                if len(pending) >= self._at_once:
                    await self._add(store, pending, expansions)
                    pending, expansions = [], {}
                    for one in uncounted:
                        count(one, self._embedding.counted)
                    uncounted = []
            await self._add(store, pending, expansions)
            for one in uncounted:
                count(one, self._embedding.counted)
        return updates

    async def _restate(self, store: VectorStore, update: ProjectUpdate) -> None:
        """Write the terms of files anew whose lines prove other relations than before."""
        restated = frozenset(update.restated)
        files = [(update.record.name, file) for file in update.record.files if file.path in restated]
        async for points in stored_points(store, files, tuple(self._fields)):
            restated_points = [
                self._embedding.restated(point, spoken_of(point.chunk, update.sentences)) for point in points
            ]
            self._embedding.counted.add(restated_points)
            await store.upsert(restated_points)

    async def _add(self, store: VectorStore, chunks: Sequence[Chunk], expansions: Mapping[str, str]) -> None:
        await self._embedding.add(store, chunks, expansions)
        if self._pictures:
            await self._pictures.relate(store, chunks)

    async def complete(self, stage: Stage, manifest: Manifest) -> None:
        """Every dense vector that the manifest says is lacking. Where most are, the files of an embedded store are
        written anew: in them a point that is given a vector is another point, and the old one still takes its place.
        Raises StoreError and ModelError.
        """
        self._embedding.expect_vectors(manifest.awaiting)
        if self._stores.keeps_deleted and 2 * manifest.awaiting > sum(project.chunks for project in manifest.projects):
            every = by_chunks(project_files(manifest.projects), self._at_once)
            async with (
                self._anew(stage) as (old, target),
                ahead([partial(self._renewed, old, files) for files in every], _AHEAD) as renewed,
            ):
                async for points, vectors in renewed:
                    await self._embedding.renew(target, points, vectors)
            return
        waiting = by_chunks((one for one in project_files(manifest.projects) if one[1].awaiting), self._at_once)
        async with (
            self._open(stage.vectors_path, copied=True) as store,
            ahead([partial(self._lacking, store, files) for files in waiting], _AHEAD) as completed,
        ):
            async for chunks, vectors in completed:
                await self._embedding.complete(store, chunks, vectors)

    async def _renewed(self, old: Path, files: Sequence[ProjectFile]) -> tuple[list[Point], Vectors]:
        """The points of these files, and the dense vectors that they lack."""
        async with self._open(old, copied=True) as source:  # what it reads stays mapped until it is closed
            pages = stored_points(source, files, tuple(self._fields))
            points = [point async for page in pages for point in page]
        waiting = {(name, one.path) for name, one in files if one.awaiting}
        chunks = [point.chunk for point in points if (point.chunk.project, point.chunk.path) in waiting]
        return points, await self._embedding.vectors(chunks)

    async def _lacking(self, store: VectorStore, files: Iterable[ProjectFile]) -> tuple[list[Chunk], Vectors]:
        chunks = await stored_chunks(store, files)
        return chunks, await self._embedding.vectors(chunks)

    async def forget(self, stage: Stage, manifest: Manifest) -> None:
        """Write the store anew, and cut the cache down to it: in their files is what was deleted. The files of a server
        are its own business. Raises StoreError.
        """
        keys: set[str] = set()
        if not self._stores.keeps_deleted:
            async with self._open(stage.vectors_path, copied=True) as store:
                for some in by_chunks(project_files(manifest.projects)):
                    keys |= set(self._embedding.keys(await stored_chunks(store, some)))
            self._embedding.forget_but(keys)
            return
        async with self._anew(stage) as (old, target), self._open(old, copied=True) as source:
            async for points in stored_points(source, project_files(manifest.projects), tuple(self._fields)):
                await target.upsert(points)
                keys |= set(self._embedding.keys([point.chunk for point in points]))
        self._embedding.forget_but(keys)

    @asynccontextmanager
    async def _anew(self, stage: Stage) -> AsyncIterator[tuple[Path, VectorStore]]:
        """Where the stage's store is now, and an empty one in its place; the old one goes."""
        old = stage.path / "before"
        stage.vectors_path.rename(old)
        async with self._open(stage.vectors_path, copied=False) as target:
            yield old, target
        shutil.rmtree(old) if old.is_dir() else old.unlink()

    @asynccontextmanager
    async def _open(self, path: Path, *, copied: bool) -> AsyncIterator[VectorStore]:
        store = self._stores.open_vectors(str(path), self._fields, self._namespace, copied=copied)
        try:
            yield store
        finally:
            await store.close()


def _size(source: Source) -> int:
    """Bytes of the project's files, but for those that are gone by now."""
    size = 0
    for path in source.project.files:
        with suppress(OSError):
            size += (source.project.root / path).stat().st_size
    return size


def project_files(projects: Iterable[ProjectRecord]) -> Iterator[ProjectFile]:
    return ((project.name, file) for project in projects for file in project.files)


def by_chunks(files: Iterable[ProjectFile], enough: int = _PAGE) -> Iterator[list[ProjectFile]]:
    """As many files at once as have so many chunks together."""
    return lots(files, lambda one: one[1].chunks, enough)


async def stored_points(
    store: VectorStore, files: Iterable[ProjectFile], vectors: Sequence[str]
) -> AsyncIterator[list[Point]]:
    """These files' points with these dense vectors, some hundreds at once, a file's together. Raises StoreError."""
    for project, own in groupby(files, key=itemgetter(0)):
        for some in by_chunks(own):
            within = Condition("file", any_of=tuple(file_key(project, file.path) for _, file in some))
            most = sum(file.chunks for _, file in some) + 1  # a list that is not full was not cut
            everything = VectorQuery("", None, most, (within,), (*vectors, SPARSE_LEXICAL))
            [hits] = await store.query_batch([everything], permission=frozenset({project}))
            yield [Point(hit.chunk, hit.sparse or _NO_TERMS, hit.dense, hit.extra) for hit in hits]


async def stored_chunks(store: VectorStore, files: Iterable[ProjectFile]) -> list[Chunk]:
    chunks: list[Chunk] = []
    for project, own in groupby(files, key=itemgetter(0)):
        chunks += await store.file_chunks(project, [file.path for _, file in own], permission=frozenset({project}))
    return chunks


def turned_secret(before: ProjectRecord | None, now: ProjectRecord) -> bool:
    indexed = {file.path for file in before.files} if before else set()
    return any(row.reason == "secret" and row.path in indexed for row in now.skipped)
