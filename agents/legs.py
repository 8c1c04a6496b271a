"""What one hybrid search sends to the store in one batch: a query a dense field, and the sparse one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, DenseVector, SparseVector, VectorQuery

_MOST_CHUNKS = 2_000  # of the files that statements alone name


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A question as the store sees it: a dense vector for each named field, and the sparse one."""

    dense: Mapping[str, DenseVector]
    sparse: SparseVector


def near(
    vectors: QueryVectors, limit: int, conditions: tuple[Condition, ...] = (), *, places_only: bool = True
) -> list[VectorQuery]:
    """One query a dense field, and the sparse one. Vectors come with the few that are kept (`by_id`)."""
    asked: dict[str, DenseVector | SparseVector] = dict(vectors.dense)
    if vectors.sparse.indices:
        asked[SPARSE_LEXICAL] = vectors.sparse
    return [VectorQuery(using, one, limit, conditions, places_only=places_only) for using, one in asked.items()]


def by_id(ids: Sequence[str], with_vectors: Sequence[str]) -> VectorQuery:
    """The query that lists these chunks with these of their vectors,
    so that neither confidence nor merging needs a model.
    """
    return VectorQuery("", None, len(ids), (Condition("id", any_of=tuple(ids)),), tuple(with_vectors))


def chunks_of_files(files: Sequence[tuple[str, str]]) -> VectorQuery:
    """The query that lists the chunks of these files, by project and path, with their vectors."""
    keys = tuple(file_key(project, path) for project, path in files)
    wanted = (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL)
    return VectorQuery("", None, _MOST_CHUNKS, (Condition("file", any_of=keys),), wanted)
