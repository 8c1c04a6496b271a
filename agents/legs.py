"""What one hybrid search sends to the store in one batch: a query a dense field, and the sparse one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, DenseVector, Hit, SparseVector, VectorQuery

_MOST_CHUNKS = 2_000  # of the files that statements alone name


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A question as the store sees it: a dense vector for each named field, and the sparse one."""

    dense: Mapping[str, DenseVector]
    sparse: SparseVector


@dataclass
class SearchBatch:
    """Collects the queries of a search, and hands their hits back by vector."""

    vectors: QueryVectors
    limit: int
    places_only: bool = True
    queries: list[VectorQuery] = field(default_factory=list)

    def add(self, conditions: tuple[Condition, ...] = ()) -> None:
        """One query a dense field, and the sparse one. Vectors come with the few that are kept (`details`)."""
        asked: dict[str, DenseVector | SparseVector] = dict(self.vectors.dense)
        if self.vectors.sparse.indices:
            asked[SPARSE_LEXICAL] = self.vectors.sparse
        self.queries += [
            VectorQuery(using, vector, self.limit, conditions, places_only=self.places_only)
            for using, vector in asked.items()
        ]

    def hits_of(self, answers: Sequence[Sequence[Hit]]) -> dict[str, Sequence[Hit]]:
        """The hits by vector name."""
        return {query.using: hits for query, hits in zip(self.queries, answers, strict=True)}


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
