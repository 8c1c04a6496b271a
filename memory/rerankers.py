"""Rerankers: the port (000, part five; 003), its adapters, its fake, and how a list is ordered by one."""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Protocol

import anyio
import anyio.to_thread

from memory.attempt import Attempt, attempt
from memory.embedders.fastembed_dense import FastEmbedModel
from memory.errors import ModelError
from memory.text import expand

if TYPE_CHECKING:
    from voyageai.client_async import AsyncClient

    from memory.embedders.voyage import VoyageConnection

Attempting = Callable[[Callable[[], Any], float], Awaitable[Attempt]]
"""A call into foreign code until a time of the event loop, as `memory.attempt.attempt` makes it."""
_BATCH = 8  # texts of about equal length: padding costs more than calls


class Reranker(Protocol):
    """A cross-encoder, here or hosted. Scores are comparable within one call only."""

    model: str

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, in their order, higher is better. Raises ModelError when the model is out of reach."""
        ...


class FakeReranker:
    """Scores by shared words, identifiers split; with `failure` set it raises. `calls` holds what it was asked."""

    model = "fake-shared-words"

    def __init__(self, failure: ModelError | None = None) -> None:
        self.failure = failure
        self.calls: list[tuple[str, tuple[str, ...]]] = []

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        self.calls.append((query, tuple(texts)))
        if self.failure is not None:
            raise self.failure
        asked = _words(query)
        return [len(asked & _words(text)) / max(1, len(asked)) for text in texts]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", expand(text).casefold()))


@dataclass(frozen=True, slots=True)
class Reordering:
    """The texts' numbers in their new order, the note to show, and the scores, one a text in the order so far.

    error: why the reranker failed; then the order is the one so far, and there are no scores.
    """

    order: tuple[int, ...]
    note: str = ""
    scores: tuple[float, ...] = ()
    error: ModelError | None = None

    @property
    def failed(self) -> bool:
        return self.error is not None


async def reorder(
    query: str, texts: Sequence[str], reranker: Reranker, timeout_s: float, attempt: Attempting = attempt
) -> Reordering:
    """Sorts texts by the reranker's scores, ties as they were.

    Args:
        query: What is asked.
        texts: What the reranker reads, in the order so far.
        reranker: Any; one that raises, is late or gives no score for each text changes nothing.
        timeout_s: Seconds that it may take.
        attempt: How it is called; another one may leave a reranker behind that does not stop at the deadline.
    """
    if not texts:
        return Reordering(())
    own = list(texts)  # its own: it may change what it is given
    done = await attempt(partial(reranker.rerank, query, own), anyio.current_time() + timeout_s)
    if done.status == "ok":
        done = await attempt(partial(_numbers, done.value), math.inf)
    if done.status == "timeout":
        return _unchanged(texts, reranker, f"no answer within {timeout_s:g} s")
    if done.error is not None:
        error = done.error if isinstance(done.error, ModelError) else None
        return _unchanged(texts, reranker, error.message if error else f"{done.reason}", error)
    scores: tuple[float, ...] = done.value
    if len(scores) != len(texts):
        return _unchanged(texts, reranker, f"{len(scores)} scores for {len(texts)} texts")
    if not all(map(math.isfinite, scores)):
        return _unchanged(texts, reranker, "its scores are no numbers")
    order = tuple(sorted(range(len(texts)), key=lambda number: (-scores[number], number)))
    return Reordering(order, f"reranked by {reranker.model}: {len(texts)}", scores=scores)


def _numbers(scores: Any) -> tuple[float, ...]:
    """What a reranker returned, NaN for what is no number. Raises whatever it raises when it is looked at."""
    if not hasattr(scores, "__len__"):
        return ()
    return tuple(float(score) if isinstance(score, Real) else math.nan for score in scores)


def _unchanged(texts: Sequence[str], reranker: Reranker, why: str, error: ModelError | None = None) -> Reordering:
    note = f"reranking by {reranker.model} failed, order kept: {why}"
    error = error or ModelError(f"The reranker {reranker.model} failed: {why}.", "Try again.")
    return Reordering(tuple(range(len(texts))), note, error=error)


class CrossEncoderReranker(FastEmbedModel):
    """A reranker on a fastembed model, which reads question and text together."""

    kind = "fastembed.rerank.cross_encoder:TextCrossEncoder"
    what = "reranker"
    setting = "vector.reranker_model"

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await anyio.to_thread.run_sync(partial(self._scores, query, texts), abandon_on_cancel=True)

    def _scores(self, query: str, texts: Sequence[str]) -> list[float]:
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        logits = self._model().rerank(query, [texts[n] for n in order], batch_size=_BATCH)
        by_place = dict(zip(order, logits, strict=True))
        return [_sigmoid(by_place[n]) for n in range(len(texts))]


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(logit))


class VoyageReranker:
    """A `Reranker` at Voyage; relevance scores are 0..1. Voyage shortens a text that is too long for the model."""

    def __init__(self, connection: VoyageConnection, model: str) -> None:
        self.model = model
        self._connection = connection

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in their order. One request. Raises ModelError."""
        if not texts:
            return []

        async def ask(client: AsyncClient) -> dict[int, float]:
            answer = await client.rerank(query, list(texts), self.model)
            return {result.index: float(result.relevance_score) for result in answer.results}

        scores = await self._connection.call("rerank", ask)
        if scores.keys() != set(range(len(texts))):
            raise ModelError(f"{self.model} gives {len(scores)} scores for {len(texts)} texts.", "Try again.")
        return [scores[number] for number in range(len(texts))]
