"""What left the index leaves the disk: a deleted point's text stays in an engine's files until it is written anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from indexing.lots import lots
from memory.generation import FileRecord, ProjectRecord
from memory.vector.filters import Condition
from memory.vector.port import SPARSE_LEXICAL, Chunk, Hit, Point, SparseVector, VectorQuery, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["cached_keys", "copy_points", "turned_secret"]

_PAGE = 500
_NO_TERMS = SparseVector((), ())


def _no_keys(chunks: Sequence[Chunk]) -> Iterable[str]:  # noqa: ARG001 - one of what `copy_points` takes
    return ()


async def copy_points(
    old: VectorStore,
    new: VectorStore,
    projects: Iterable[ProjectRecord],
    vectors: Sequence[str],
    *,
    keys_of: Callable[[Sequence[Chunk]], Iterable[str]] = _no_keys,
    dense: Mapping[str, Mapping[str, NDArray[np.float32]]] | None = None,
) -> set[str]:
    """Every point of these projects with these dense vectors, into another store; returns what their embeddings are
    cached under (`keys_of`). dense: vectors that points are given on the way, by their ids. Raises StoreError.
    """
    keys: set[str] = set()
    for project in projects:
        for files in _pages(project.files):
            within = Condition("file", any_of=tuple(f"{project.name}/{file.path}" for file in files))
            most = sum(file.chunks for file in files) + 1  # a list that is not full was not cut
            everything = VectorQuery("", None, most, (within,), (*vectors, SPARSE_LEXICAL))
            [hits] = await old.query_batch([everything], permission=frozenset({project.name}))
            await new.upsert([_point(hit, (dense or {}).get(hit.chunk.id, {})) for hit in hits])
            keys |= set(keys_of([hit.chunk for hit in hits]))
    return keys


async def cached_keys(
    store: VectorStore, projects: Iterable[ProjectRecord], keys_of: Callable[[Sequence[Chunk]], Iterable[str]]
) -> set[str]:
    """What the embeddings of these projects' chunks are cached under (`keys_of`). Raises StoreError."""
    keys: set[str] = set()
    for project in projects:
        for files in _pages(project.files):
            paths = [file.path for file in files]
            keys |= set(keys_of(await store.file_chunks(project.name, paths, permission=frozenset({project.name}))))
    return keys


def turned_secret(before: ProjectRecord | None, now: ProjectRecord) -> bool:
    """Whether a file that was indexed is a secret now."""
    indexed = {file.path for file in before.files} if before else set()
    return any(row.reason == "secret" and row.path in indexed for row in now.skipped)


def _point(hit: Hit, given: Mapping[str, NDArray[np.float32]]) -> Point:
    dense = {**hit.dense, **{field: vector.tolist() for field, vector in given.items()}}
    return Point(hit.chunk, hit.sparse or _NO_TERMS, dense, hit.extra)


def _pages(files: Iterable[FileRecord]) -> Iterator[list[FileRecord]]:
    """Files with some hundreds of chunks together."""
    return lots(files, lambda file: file.chunks, _PAGE)
