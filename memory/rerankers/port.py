"""The reranker's port (000, part five; 003), its fake, and how a list is ordered by it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Protocol

import anyio

from memory.attempt import attempt
from memory.errors import ModelError
from memory.text import expand

__all__ = ["FakeReranker", "Reordering", "Reranker", "reorder"]


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
    """The texts' numbers in their new order, the notes to show, and whether the reranker failed."""

    order: tuple[int, ...]
    note: str = ""
    failed: bool = False


async def reorder(query: str, texts: Sequence[str], reranker: Reranker, timeout_s: float) -> Reordering:
    """Sorts texts by the reranker's scores, ties as they were.

    Args:
        query: What is asked.
        texts: What the reranker reads, in the order so far.
        reranker: Any; one that raises, is late or gives no score for each text changes nothing.
        timeout_s: Seconds that it may take.
    """
    if not texts:
        return Reordering(())
    done = await attempt(partial(reranker.rerank, query, texts), anyio.current_time() + timeout_s)
    if done.status == "timeout":
        return _unchanged(texts, reranker, f"no answer within {timeout_s:g} s")
    if done.error is not None:
        why = done.error.message if isinstance(done.error, ModelError) else f"{done.reason}"
        return _unchanged(texts, reranker, why)
    scores = done.value
    count = len(scores) if hasattr(scores, "__len__") else 0
    if count != len(texts):
        return _unchanged(texts, reranker, f"{count} scores for {len(texts)} texts")
    if not all(isinstance(score, Real) and math.isfinite(score) for score in scores):
        return _unchanged(texts, reranker, "its scores are no numbers")
    order = tuple(sorted(range(len(texts)), key=lambda number: (-scores[number], number)))
    return Reordering(order, f"reranked by {reranker.model}: {len(texts)}")


def _unchanged(texts: Sequence[str], reranker: Reranker, why: str) -> Reordering:
    note = f"reranking by {reranker.model} failed, order kept: {why}"
    return Reordering(tuple(range(len(texts))), note, failed=True)
