"""Reciprocal rank fusion and its scores as 003 §5 has them, and the reranker (docs/design.md#facades).

    fused = Σ 1 / (k + (rank + 1) / weight − 1)  ÷  the same at rank 0 of every list the chunk can stand in
    final = ((dense + sparse) · fused + rerank · reranked) ÷ (dense + sparse + rerank)

A chunk is in the list of documents or in that of code, so both are one dense list here; a picture in that of pictures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Self

from facades.hybrid.parts import Document
from facades.portal import wait_for
from memory.errors import ConfigError, InvalidInputError
from memory.query import is_count, is_number
from memory.rerankers import Reordering, reorder
from memory.rerankers import Reranker as RerankerModel
from memory.text import estimate_tokens
from memory.vector.filters import Condition
from memory.vector.port import IMAGE, SPARSE_LEXICAL, DenseVector, FusedQuery, SparseVector, VectorQuery
from memory.vector.rrf import reciprocal_rank
from memory.vector.ties import rounded
from wiring import environment_config
from wiring.local_models import open_cross_encoder
from wiring.models import open_models

_LARGEST_K: Final = 1_000_000
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
        numbers = (self.dense, self.sparse, self.rerank, self.min_score_threshold)
        whole = isinstance(self.k, int) and not isinstance(self.k, bool)
        if not whole or not all(is_number(number) and math.isfinite(number) for number in numbers):
            raise InvalidInputError(f"{self} can't be fused.", "k is a whole number, the others are numbers.")
        if (
            not 1 <= self.k <= _LARGEST_K
            or min(self.dense, self.sparse) <= 0
            or self.rerank < 0
            or not 0 <= self.min_score_threshold <= 1
        ):
            raise InvalidInputError(
                f"{self} can't be fused.",
                "k from 1 to a million, weights above 0, the threshold from 0 to 1; rerank may be 0.",
            )

    def weight(self, using: str) -> float:
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


def normalised(score: float, query: FusedQuery, parameters: FusionParameters, *, words: bool = False) -> float:
    """A fused score as a share of the best that a chunk could have: first in a dense list and in the sparse one.

    words: the sparse list counts, sent or not.
    """
    sent = (*(leg.using for leg in query.prefetches), *((SPARSE_LEXICAL,) if words else ()))
    lists = {using == SPARSE_LEXICAL: parameters.weight(using) for using in sent}
    best = rounded(sum(reciprocal_rank(0, parameters.k, weight) for weight in lists.values()))
    return min(1.0, score / best)


def spread(scores: Sequence[float]) -> list[float]:
    """A reranker's scores, which are comparable within one call only, from 0 to 1; equal ones are all 1."""
    halves = [score / 2 for score in scores]  # whose difference a float always holds
    least, greatest = min(halves), max(halves)
    return [(half - least) / (greatest - least) if greatest > least else 1.0 for half in halves]


def blended(fused: float, reranked: float, parameters: FusionParameters) -> float:
    found = parameters.dense + parameters.sparse
    return (found * fused + parameters.rerank * reranked) / (found + parameters.rerank)


class Reranker:
    """Document reranking for relevance optimization, on any reranker of `memory.rerankers`.

    timeout_ms: of one call. Raises ModelError.
    """

    def __init__(self, model: RerankerModel, *, timeout_ms: int = 10_000) -> None:
        self._model = model
        self._timeout_ms = timeout_ms

    @classmethod
    def open(cls, profile: str | None = None) -> Self:
        """With a profile's reranker, by default the environment's, else that of `fastembed`. Raises ConfigError."""
        config = environment_config(profile, "fastembed")[1]
        model = open_models(config.vector, config.hosted).reranker or open_cross_encoder(config.vector)
        if model is None:
            raise ConfigError(
                "vector.reranker_model", "settings", "there is none.", "Set it, or use profile fastembed."
            )
        return cls(model)

    def rerank(self, query: str, documents: Sequence[Document], top_k: int = 10) -> list[Document]:
        """The `top_k` most relevant, best first, their score the model's; ties as they came."""
        return wait_for(partial(self.arerank, query, documents, top_k), twin="arerank")

    async def arerank(self, query: str, documents: Sequence[Document], top_k: int = 10) -> list[Document]:
        if not isinstance(query, str) or not query.strip():
            raise InvalidInputError("There is no query to rerank for.", "Give one.")
        if not is_count(top_k, least=0):
            raise InvalidInputError(f"top_k is {top_k!r}.", "Give a whole number from 0.")
        if not isinstance(documents, Sequence) or not all(isinstance(one, Document) for one in documents):
            raise InvalidInputError("What is to be reranked is no list of documents.", "Give what `retrieve` returned.")
        if not documents or not top_k:
            return []
        done = await _read(self._model, query, documents, self._timeout_ms)
        if done.error is not None:
            raise done.error
        return [replace(documents[n], score=round(done.scores[n], 6)) for n in done.order[:top_k]]


@dataclass(frozen=True, slots=True)
class FoundDocuments:
    """Documents by their score, 0..1, and the notes to show; failed: a model was left out; of a reranker also how many
    tokens it read, and whether it was done.
    """

    documents: list[Document]
    notes: tuple[str, ...] = ()
    tokens: int = 0
    done: bool = False
    failed: bool = False


async def reranked(
    query: str,
    documents: list[Document],
    model: RerankerModel | None,
    parameters: FusionParameters,
    *,
    most: int,
    timeout_ms: int,
) -> FoundDocuments:
    """The first `most` by their blended score, then the rest; the fused order, and why, where it can't be done."""
    read, rest = documents[:most], documents[most:]
    if not read:
        return FoundDocuments(documents)
    if model is None:
        return FoundDocuments(
            documents, ("no reranker is configured (vector.reranker_model): the order is the fusion's",)
        )
    done = await _read(model, query, read, timeout_ms)
    if done.failed:
        return FoundDocuments(documents, (done.note,), failed=True)
    finals = [blended(one.score, score, parameters) for one, score in zip(read, spread(done.scores), strict=True)]
    moved = [replace(one, score=round(final, 6)) for one, final in zip(read, finals, strict=True)]
    least = min(finals)
    behind = [replace(one, score=round(min(one.score, least), 6)) for one in rest]
    tokens = sum(estimate_tokens(one.content) for one in read)
    return FoundDocuments(sorted(moved, key=lambda one: (-one.score, one.id)) + behind, tokens=tokens, done=True)


async def _read(model: RerankerModel, query: str, documents: Sequence[Document], timeout_ms: int) -> Reordering:
    return await reorder(query, [document.content for document in documents], model, timeout_ms / 1000)
