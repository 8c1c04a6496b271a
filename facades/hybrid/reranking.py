"""`Reranker`: documents in the order of a cross-encoder (003 §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

import anyio

from facades.hybrid.documents import Document
from facades.hybrid.fusion import FusionParameters, blended, spread
from facades.portal import wait_for
from memory.errors import ConfigError, ModelError
from memory.rerankers import Reranker as RerankerModel
from memory.text.identifiers import estimate_tokens
from wiring.environment import environment_config
from wiring.local_models import open_cross_encoder
from wiring.models import open_models

__all__ = ["Reranked", "Reranker", "reranked"]


class Reranker:
    """Document reranking for relevance optimization, on any reranker of `memory.rerankers`.

    timeout_ms: of one call. Raises ModelError.
    """

    def __init__(self, model: RerankerModel, *, timeout_ms: int = 10_000) -> None:
        self._model = model
        self._timeout_ms = timeout_ms

    @classmethod
    def open(cls, profile: str | None = None) -> Self:
        """With the reranker of a profile, by default the one the environment names, else `fastembed`'s. Raises ConfigError."""
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
        """`rerank`, awaited."""
        if not documents or top_k < 1:
            return []
        scores = await _scores(self._model, query, documents, self._timeout_ms)
        order = sorted(range(len(documents)), key=lambda n: (-scores[n], n))
        return [replace(documents[n], score=round(scores[n], 6)) for n in order[:top_k]]


@dataclass(frozen=True, slots=True)
class Reranked:
    """Documents in their final order, what is to be said of it, how many tokens were read, and whether it was done."""

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
) -> Reranked:
    """The first `most` by their blended score, the rest behind them; the fused order, and why, where it can't be done."""
    read, rest = documents[:most], documents[most:]
    if not read:
        return Reranked(documents)
    if model is None:
        return Reranked(documents, ("no reranker is configured (vector.reranker_model): the order is the fusion's",))
    try:
        scores = await _scores(model, query, read, timeout_ms)
    except ModelError as error:
        note = f"reranking by {model.model} failed, the order is the fusion's: {error.message}"
        return Reranked(documents, (note,), failed=True)
    finals = [blended(one.score, score, parameters) for one, score in zip(read, spread(scores), strict=True)]
    moved = [replace(one, score=round(final, 6)) for one, final in zip(read, finals, strict=True)]
    least = min(finals)
    behind = [replace(one, score=round(min(one.score, least), 6)) for one in rest]
    tokens = sum(estimate_tokens(one.content) for one in read)
    return Reranked(sorted(moved, key=lambda one: (-one.score, one.id)) + behind, tokens=tokens, done=True)


async def _scores(model: RerankerModel, query: str, documents: Sequence[Document], timeout_ms: int) -> list[float]:
    """The model's, one a document. Raises ModelError also when it is late or miscounts."""
    try:
        with anyio.fail_after(timeout_ms / 1000):
            scores = list(await model.rerank(query, [document.content for document in documents]))
    except TimeoutError:
        raise ModelError(f"The reranker {model.model} gave no answer within {timeout_ms} ms.", "Try again.") from None
    if len(scores) != len(documents):
        raise ModelError(f"The reranker {model.model} gave {len(scores)} scores for {len(documents)} texts.")
    return scores
