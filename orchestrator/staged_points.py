"""The points of a generation in the making, on a server that is asked for nothing before the first call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from memory.vector.port import Chunk, DenseVector, FusedQuery, Hit, Point, VectorQuery, VectorStore

__all__ = ["StagedPoints"]


class StagedPoints:
    """The vector store that `opening` gives. Raises what that raises, and the store's errors."""

    def __init__(self, opening: Callable[[], Awaitable[VectorStore]]) -> None:
        self._opening = opening
        self._opened: VectorStore | None = None

    async def _store(self) -> VectorStore:
        if self._opened is None:
            self._opened = await self._opening()
        return self._opened

    async def query_batch(
        self, queries: Sequence[VectorQuery | FusedQuery], *, permission: frozenset[str]
    ) -> list[list[Hit]]:
        return await (await self._store()).query_batch(queries, permission=permission)

    async def file_chunks(self, project: str, paths: Iterable[str], *, permission: frozenset[str]) -> list[Chunk]:
        return await (await self._store()).file_chunks(project, paths, permission=permission)

    async def count(self, *, permission: frozenset[str]) -> int:
        return await (await self._store()).count(permission=permission)

    async def upsert(self, points: Sequence[Point]) -> None:
        await (await self._store()).upsert(points)

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        await (await self._store()).set_dense(vectors)

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        await (await self._store()).delete_files(project, paths)

    async def delete_project(self, project: str) -> None:
        await (await self._store()).delete_project(project)

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()
