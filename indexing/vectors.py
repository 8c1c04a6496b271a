"""The vector store of a generation in the making: what changed, the vectors that follow, and what is to be forgotten."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio.to_thread

from indexing.embedding import Embedding, Progress
from indexing.forgetting import cached_keys, copy_points
from indexing.images import PictureWriter
from indexing.ports import StageStores
from indexing.project import ProjectUpdate
from indexing.sources import Source
from memory.generation import Manifest, Stage
from memory.vector.port import Chunk, VectorStore

__all__ = ["VectorWriter"]


class VectorWriter:
    """Writes a stage's vector store. vectors: name -> dimension; at_once: how many chunks are gathered before they are
    embedded and let go of.
    """

    def __init__(
        self,
        stores: StageStores,
        embedding: Embedding,
        vectors: Mapping[str, int],
        namespace: str,
        *,
        at_once: int,
        pictures: PictureWriter | None = None,
        progress: Progress | None = None,
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

    async def update(
        self,
        stage: Stage,
        gone: Collection[str],
        changed: Sequence[Source],
        read: Callable[[Source], ProjectUpdate],
    ) -> dict[str, ProjectUpdate]:
        """Take out what went, put in what came. Raises StoreError and ModelError, and what `read` raises."""
        updates: dict[str, ProjectUpdate] = {}
        pending: list[Chunk] = []
        async with self._open(stage.vectors_path, copied=stage.copied) as store:
            for name in sorted(gone):
                await store.delete_project(name)
            for number, source in enumerate(changed, start=1):
                name = source.project.name
                update = await anyio.to_thread.run_sync(
                    read, source, abandon_on_cancel=True
                )  # an interrupt need not wait
                if update.stale:
                    await store.delete_files(name, update.stale)
                updates[name] = replace(update, chunks=(), pictures=())
                pending += update.chunks
                if self._pictures:
                    hashes = {file.path: file.hash for file in update.record.files}
                    await self._pictures.add(store, source.project.root, update.pictures, hashes)
                if self._progress:
                    self._progress("Reading", number, len(changed))
                if len(pending) >= self._at_once:
                    await self._add(store, pending)
                    pending = []
            await self._add(store, pending)
        return updates

    async def _add(self, store: VectorStore, chunks: Sequence[Chunk]) -> None:
        await self._embedding.add(store, chunks)
        if self._pictures:
            await self._pictures.relate(store, chunks)

    async def complete(self, stage: Stage, manifest: Manifest) -> None:
        """Every dense vector that the manifest says is lacking. Raises StoreError and ModelError."""
        pending: list[Chunk] = []
        async with self._open(stage.vectors_path, copied=True) as store:
            for project in manifest.projects:
                paths = [file.path for file in project.files if file.awaiting]
                pending += await store.file_chunks(project.name, paths, permission=frozenset({project.name}))
                if len(pending) >= self._at_once:
                    await self._embedding.complete(store, pending)
                    pending = []
            await self._embedding.complete(store, pending)

    async def forget(self, stage: Stage, manifest: Manifest) -> None:
        """Write the store anew, and cut the cache down to it: in their files stands what was deleted. The files of a server
        are its own business. Raises StoreError.
        """
        if not self._stores.keeps_deleted:
            async with self._open(stage.vectors_path, copied=True) as store:
                self._embedding.forget_but(await cached_keys(store, manifest.projects, self._embedding.keys))
            return
        old = stage.path / "with-deleted"
        stage.vectors_path.rename(old)
        async with self._open(old, copied=True) as source, self._open(stage.vectors_path, copied=False) as target:
            keys = await copy_points(source, target, manifest.projects, tuple(self._fields), self._embedding.keys)
        shutil.rmtree(old) if old.is_dir() else old.unlink()
        self._embedding.forget_but(keys)

    @asynccontextmanager
    async def _open(self, path: Path, *, copied: bool) -> AsyncIterator[VectorStore]:
        store = self._stores.open_vectors(str(path), self._fields, self._namespace, copied=copied)
        try:
            yield store
        finally:
            await store.close()
