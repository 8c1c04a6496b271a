"""What is in a vector store, read file by file: to be written anew, to be embedded, to be kept in mind, to be
forgotten.

What left the index leaves the disk: a deleted point's text stays in an engine's files until it is written anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias, TypeVar

from memory.generation import FileRecord, ProjectRecord
from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import SPARSE_LEXICAL, Chunk, Point, SparseVector, VectorQuery, VectorStore

__all__ = [
    "ProjectFile",
    "by_chunks",
    "cached_keys",
    "lots",
    "project_files",
    "stored_chunks",
    "stored_points",
    "turned_secret",
]

_Thing = TypeVar("_Thing")
ProjectFile: TypeAlias = "tuple[str, FileRecord]"
"""A file, and the name of its project."""
_PAGE = 500
_NO_TERMS = SparseVector((), ())


def lots(things: Iterable[_Thing], size: Callable[[_Thing], int], enough: int) -> Iterator[list[_Thing]]:
    """In their order, as many at once as come to `enough`; fewer in the last lot."""
    lot: list[_Thing] = []
    held = 0
    for thing in things:
        lot.append(thing)
        held += size(thing)
        if held >= enough:
            yield lot
            lot, held = [], 0
    if lot:
        yield lot


def project_files(projects: Iterable[ProjectRecord]) -> Iterator[ProjectFile]:
    """All files of these projects."""
    return ((project.name, file) for project in projects for file in project.files)


def by_chunks(files: Iterable[ProjectFile], enough: int = _PAGE) -> Iterator[list[ProjectFile]]:
    """As many files at once as have so many chunks together."""
    return lots(files, lambda one: one[1].chunks, enough)


async def stored_points(
    store: VectorStore, files: Iterable[ProjectFile], vectors: Sequence[str]
) -> AsyncIterator[list[Point]]:
    """Every point of these files with these dense vectors, some hundreds of a project at once,
    a file's together. Raises StoreError.
    """
    for project, own in groupby(files, key=itemgetter(0)):
        for some in by_chunks(own):
            within = Condition("file", any_of=tuple(file_key(project, file.path) for _, file in some))
            most = sum(file.chunks for _, file in some) + 1  # a list that is not full was not cut
            everything = VectorQuery("", None, most, (within,), (*vectors, SPARSE_LEXICAL))
            [hits] = await store.query_batch([everything], permission=frozenset({project}))
            yield [Point(hit.chunk, hit.sparse or _NO_TERMS, hit.dense, hit.extra) for hit in hits]


async def stored_chunks(store: VectorStore, files: Iterable[ProjectFile]) -> list[Chunk]:
    """Every chunk of these files. Raises StoreError."""
    chunks: list[Chunk] = []
    for project, own in groupby(files, key=itemgetter(0)):
        chunks += await store.file_chunks(project, [file.path for _, file in own], permission=frozenset({project}))
    return chunks


async def cached_keys(
    store: VectorStore, projects: Iterable[ProjectRecord], keys_of: Callable[[Sequence[Chunk]], Iterable[str]]
) -> set[str]:
    """What the embeddings of these projects' chunks are cached under (`keys_of`). Raises StoreError."""
    keys: set[str] = set()
    for some in by_chunks(project_files(projects)):
        keys |= set(keys_of(await stored_chunks(store, some)))
    return keys


def turned_secret(before: ProjectRecord | None, now: ProjectRecord) -> bool:
    """Whether a file that was indexed is a secret now."""
    indexed = {file.path for file in before.files} if before else set()
    return any(row.reason == "secret" and row.path in indexed for row in now.skipped)
