"""Reciprocal rank fusion as 003 §5 parametrises it, and the scores it gives: 0..1 of what can be attained.

See docs/design.md#facades.

    fused = Σ 1 / (k + (rank + 1) / weight − 1)  ÷  the same at rank 0 of every list the chunk can stand in
    final = ((dense + sparse) · fused + rerank · reranked) ÷ (dense + sparse + rerank)

A chunk stands in the list of documents or in that of code, so both are one dense list here; a picture in that of pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.errors import InvalidInputError
from memory.vector.filters import Condition
from memory.vector.port import IMAGE, SPARSE_LEXICAL, DenseVector, FusedQuery, SparseVector, VectorQuery
from memory.vector.rrf import reciprocal_rank
from memory.vector.ties import rounded

__all__ = ["FusionParameters", "blended", "fused_query", "normalised", "spread"]

_PICTURES = Condition("chunk_kind", any_of=("image",))


@dataclass(frozen=True, slots=True)
class FusionParameters:
    """003 §5, word for word: k, the weights, and the least normalised score of the fusion that is returned.

    Raises InvalidInputError for what can't be fused.
    """

    k: int = 60
    dense: float = 0.5
    sparse: float = 0.3
    rerank: float = 0.2
    min_score_threshold: float = 0.5

    def __post_init__(self) -> None:
        if self.k < 1 or min(self.dense, self.sparse) <= 0 or self.rerank < 0 or not 0 <= self.min_score_threshold <= 1:
            raise InvalidInputError(
                f"{self} can't be fused.", "k from 1, weights above 0, the threshold from 0 to 1; rerank may be 0."
            )

    def weight(self, using: str) -> float:
        """Of one list."""
        return self.sparse if using == SPARSE_LEXICAL else self.dense


def fused_query(
    vectors: dict[str, DenseVector | SparseVector],
    parameters: FusionParameters,
    conditions: tuple[Condition, ...],
    *,
    limit: int,
    candidates: int,
) -> FusedQuery:
    """One list a vector, fused by the store into `limit`; the image vector searches pictures alone."""
    return FusedQuery(
        prefetches=tuple(
            VectorQuery(using, vector, candidates, (_PICTURES,) if using == IMAGE else ())
            for using, vector in vectors.items()
        ),
        limit=limit,
        k=parameters.k,
        weights=tuple(parameters.weight(using) for using in vectors),
        conditions=conditions,
    )


def normalised(score: float, query: FusedQuery, parameters: FusionParameters) -> float:
    """A fused score as a share of the best that a chunk could have: first in a dense list and in the sparse one."""
    lists = {leg.using == SPARSE_LEXICAL: parameters.weight(leg.using) for leg in query.prefetches}
    best = rounded(sum(reciprocal_rank(0, parameters.k, weight) for weight in lists.values()))
    return min(1.0, score / best)


def spread(scores: Sequence[float]) -> list[float]:
    """A reranker's scores, which are comparable within one call only, from 0 to 1; equal ones are all 1."""
    least, greatest = min(scores), max(scores)
    return [(score - least) / (greatest - least) if greatest > least else 1.0 for score in scores]


def blended(fused: float, reranked: float, parameters: FusionParameters) -> float:
    """The weighted mean of both."""
    found = parameters.dense + parameters.sparse
    return (found * fused + parameters.rerank * reranked) / (found + parameters.rerank)
