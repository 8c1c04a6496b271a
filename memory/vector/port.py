"""The vector store's port: one batched read, the permission in every call (docs/design.md#vectors).

Adapters: `edge` (embedded), `qdrant` (server), `fake` (shipped, exact arithmetic in memory). All inherit the suite in
`tests/contracts/vector_store.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias

from memory.errors import InvalidInputError
from memory.vector.filters import Condition

DENSE_DOCS = "dense_docs"
DENSE_CODE = "dense_code"
IMAGE = "image"
"""Of pictures, and of documents in the pictures' space; only where there is an image model."""
SPARSE_LEXICAL = "sparse_lexical"

Corpus = Literal["docs", "code"]
ChunkKind = Literal["doc", "code", "config", "test", "example", "table", "image"]
DenseVector: TypeAlias = Sequence[float]
_NOTHING: Mapping[str, Any] = MappingProxyType({})  # of most hits, of which a question has hundreds


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term ids and their weights, of equal length; ids are unique."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a file as it is stored: the payload of 000 §6.3 plus project, header and section.

    id: UUIDv5 of project, path, lines and text hash; repo: owner/name of the remote `origin`, else the project's name;
    commit: HEAD of the repository that it is of, of an installed distribution its version, else ''; symbol: the
    qualified name of the definition it holds, '' if none; section: the heading trail of a document; text: exactly the
    lines start_line..end_line, of a picture (lines 0..0) what documents say of it; header: `project path symbols` split
    into words, which is embedded in front of the text and not shown.
    """

    id: str
    project: str
    repo: str
    path: str
    commit: str
    corpus: Corpus
    lang: str
    chunk_kind: ChunkKind
    symbol: str
    section: str
    start_line: int
    end_line: int
    text: str
    header: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class Point:
    """A chunk with its vectors. `dense` may be missing and be added later (`set_dense`).

    `extra` is stored beside the chunk under its own names and comes back with the hit; a chunk's keys are not for it.
    """

    chunk: Chunk
    sparse: SparseVector
    dense: Mapping[str, DenseVector] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VectorQuery:
    """One search of a batch: a named vector against the points that pass `conditions` and the permission.

    `vector` of type SparseVector searches `using` = sparse_lexical with IDF computed over the permission; None lists
    points without a score (sorted by id). `with_vectors` names the vectors to return with each hit. A dense search is
    exact, or walks the graph with a list of `hnsw_ef` (None: the store's default) where the store has built one.
    places_only: whoever asks needs no more of a hit's chunk than its project, path, lines and kind; a store may leave
    out the rest, which is most of what reading a long list costs.
    """

    using: str
    vector: DenseVector | SparseVector | None
    limit: int
    conditions: tuple[Condition, ...] = ()
    with_vectors: tuple[str, ...] = ()
    hnsw_ef: int | None = None
    exact: bool = True
    places_only: bool = False


@dataclass(frozen=True, slots=True)
class FusedQuery:
    """Several searches fused into one list by reciprocal rank (`memory.vector.rrf`), `prefetch` in Qdrant's words.

    `weights` are one a prefetch, all positive; none given: all 1. `conditions` hold in every prefetch, beside its own.
    Search parameters stand in the prefetches, where alone they act. Raises InvalidInputError for what can't be fused.
    """

    prefetches: tuple[VectorQuery, ...]
    limit: int
    k: int = 60
    weights: tuple[float, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if not self.prefetches or any(prefetch.vector is None for prefetch in self.prefetches):
            raise InvalidInputError("A fused query needs searches to fuse.", "Give prefetches that have a vector.")
        if self.weights and len(self.weights) != len(self.prefetches):
            raise InvalidInputError(
                f"{len(self.weights)} weights for {len(self.prefetches)} prefetches.", "Give one weight a prefetch."
            )
        if self.k < 1 or any(weight <= 0 for weight in self.weights):
            raise InvalidInputError("k and weights of a fused query are above 0.", "Leave out what should not count.")

    @property
    def legs(self) -> tuple[VectorQuery, ...]:
        """The prefetches as searches of their own, with the conditions that hold in all; each returns all vectors."""
        vectors = tuple(dict.fromkeys(name for prefetch in self.prefetches for name in prefetch.with_vectors))
        return tuple(
            replace(prefetch, conditions=(*self.conditions, *prefetch.conditions), with_vectors=vectors)
            for prefetch in self.prefetches
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """A found chunk. Dense scores are cosine similarities (-1..1), sparse ones dot products with IDF, rounded to six
    places; `dense` and `sparse` hold the vectors that were asked for. The score of a FusedQuery's hit is a sum of
    reciprocal ranks, and `routes` names the vectors whose prefetches found it. `extra` is what is stored beside a
    chunk, under its own names.
    """

    chunk: Chunk
    score: float
    dense: Mapping[str, DenseVector] = field(default_factory=lambda: _NOTHING)
    sparse: SparseVector | None = None
    routes: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)


class VectorStore(Protocol):
    """Dense and sparse search over all projects' chunks.

    Every method takes the permission (reads) or the project (writes): nothing is read outside it. An empty permission
    answers with empty lists and no call. Raises StoreError when the engine is out of reach.
    """

    async def query_batch(
        self, queries: Sequence[VectorQuery | FusedQuery], *, permission: frozenset[str]
    ) -> list[list[Hit]]:
        """One list of hits a query, best first, ties by id; ties are never cut: a full list's last group of equal
        scores is dropped when it may go on beyond the limit. So are the lists that are fused:
        docs/design.md#equal-answers.
        """
        ...

    async def file_chunks(self, project: str, paths: Iterable[str], *, permission: frozenset[str]) -> list[Chunk]:
        """All chunks of these files, by path and line."""
        ...

    async def count(self, *, permission: frozenset[str]) -> int:
        """How many points the permission covers."""
        ...

    async def upsert(self, points: Sequence[Point]) -> None:
        """Add points, or replace those of the same id."""
        ...

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        """Give points (by id) the dense vectors they lacked."""
        ...

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        """Remove every chunk of these files."""
        ...

    async def delete_project(self, project: str) -> None:
        """Remove a whole project."""
        ...

    async def close(self) -> None:
        """Flush and let go."""
        ...
