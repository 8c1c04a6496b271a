"""What stands in a vector store, read file by file: to be written anew, to be embedded, to be kept in mind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from indexing.lots import lots
from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import SPARSE_LEXICAL, Point, SparseVector, VectorQuery

if TYPE_CHECKING:
    from memory.generation import FileRecord, ProjectRecord
    from memory.vector.port import Chunk, VectorStore

__all__ = ["ProjectFile", "by_chunks", "project_files", "stored_chunks", "stored_points"]

ProjectFile: TypeAlias = "tuple[str, FileRecord]"
"""A file, and the name of its project."""

_PAGE = 500
_NO_TERMS = SparseVector((), ())


def project_files(projects: Iterable[ProjectRecord]) -> Iterator[ProjectFile]:
    """All files of these projects."""
    return ((project.name, file) for project in projects for file in project.files)


def by_chunks(files: Iterable[ProjectFile], enough: int = _PAGE) -> Iterator[list[ProjectFile]]:
    """As many files at once as have so many chunks together."""
    return lots(files, lambda one: one[1].chunks, enough)


async def stored_points(
    store: VectorStore, files: Iterable[ProjectFile], vectors: Sequence[str]
) -> AsyncIterator[list[Point]]:
    """Every point of these files with these dense vectors, some hundreds of a project at once, a file's together. Raises
    StoreError.
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
