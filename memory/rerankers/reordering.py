"""The order of texts by a reranker, which may fail or be late: then they stay as they were (000 §12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from memory.errors import ModelError
from memory.rerankers.port import Reranker

__all__ = ["Reordering", "reorder"]


@dataclass(frozen=True, slots=True)
class Reordering:
    """The texts' numbers in their new order, what is to be said about it, and whether the reranker failed."""

    order: tuple[int, ...]
    note: str = ""
    failed: bool = False


async def reorder(query: str, texts: Sequence[str], reranker: Reranker, timeout_s: float) -> Reordering:
    """Sorts texts by the reranker's scores, ties as they were.

    Args:
        query: What is asked.
        texts: What the reranker reads, in the order so far.
        reranker: Any; one that raises ModelError, is late or gives too few scores changes nothing.
        timeout_s: Seconds that it may take.
    """
    if not texts:
        return Reordering(())
    try:
        with anyio.fail_after(timeout_s):
            scores = await reranker.rerank(query, texts)
    except ModelError as error:
        return _unchanged(texts, reranker, error.message)
    except TimeoutError:
        return _unchanged(texts, reranker, f"no answer within {timeout_s:g} s")
    if len(scores) != len(texts):
        return _unchanged(texts, reranker, f"{len(scores)} scores for {len(texts)} texts")
    order = tuple(sorted(range(len(texts)), key=lambda number: (-scores[number], number)))
    return Reordering(order, f"reranked by {reranker.model}: {len(texts)}")


def _unchanged(texts: Sequence[str], reranker: Reranker, why: str) -> Reordering:
    note = f"reranking by {reranker.model} failed, order kept: {why}"
    return Reordering(tuple(range(len(texts))), note, failed=True)
