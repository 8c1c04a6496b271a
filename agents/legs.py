"""The legs of one hybrid search: what is sent to the store in one batch (design §5a, §8).

probe      dense + sparse, anywhere within the permission
scoped     the same, within the scope's projects
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory.vector.filters import Condition
from memory.vector.payload import file_key
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, DenseVector, Hit, SparseVector, VectorQuery

__all__ = ["PROBE", "SCOPED", "QueryVectors", "SearchBatch", "by_id", "chunks_of_files", "details"]

PROBE, SCOPED = "probe", "scoped"
_MOST_CHUNKS = 2_000  # of the files that statements alone name


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """A question as the store sees it: a dense vector for each named field, and the sparse one."""

    dense: Mapping[str, DenseVector]
    sparse: SparseVector


@dataclass
class SearchBatch:
    """Collects the legs of a search, and hands their hits back by leg and vector."""

    vectors: QueryVectors
    limit: int
    places_only: bool = True
    queries: list[VectorQuery] = field(default_factory=list)
    labels: list[tuple[str, str]] = field(default_factory=list)

    def add_leg(self, leg: str, conditions: tuple[Condition, ...]) -> None:
        """One query a dense field, and the sparse one. Vectors come with the few that are kept (`details`)."""
        for using, vector in self.vectors.dense.items():
            self._add(leg, VectorQuery(using, vector, self.limit, conditions, places_only=self.places_only))
        if self.vectors.sparse.indices:
            self._add(
                leg,
                VectorQuery(SPARSE_LEXICAL, self.vectors.sparse, self.limit, conditions, places_only=self.places_only),
            )

    def _add(self, leg: str, query: VectorQuery) -> None:
        self.queries.append(query)
        self.labels.append((leg, query.using))

    def hits_of(self, answers: Sequence[Sequence[Hit]], leg: str) -> dict[str, Sequence[Hit]]:
        """A leg's hits by vector name."""
        return {using: hits for (name, using), hits in zip(self.labels, answers, strict=True) if name == leg}


def details(ids: Sequence[str]) -> VectorQuery:
    """The query that lists these chunks with their vectors, so that neither confidence nor merging needs a model."""
    wanted = (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL)
    return VectorQuery("", None, len(ids), (Condition("id", any_of=tuple(ids)),), wanted)


def by_id(ids: Sequence[str]) -> VectorQuery:
    """The query that lists these chunks with their terms."""
    return VectorQuery("", None, len(ids), (Condition("id", any_of=tuple(ids)),), (SPARSE_LEXICAL,))


def chunks_of_files(files: Sequence[tuple[str, str]]) -> VectorQuery:
    """The query that lists the chunks of these files, by project and path, with their vectors."""
    keys = tuple(file_key(project, path) for project, path in files)
    wanted = (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL)
    return VectorQuery("", None, _MOST_CHUNKS, (Condition("file", any_of=keys),), wanted)
