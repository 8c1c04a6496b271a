"""The order of candidates by a reranker, where there is one (000 §12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import anyio

from agents.evidence.pack import EvidenceItem
from memory.errors import ModelError
from memory.rerankers.port import Reranker
from memory.vector.port import Chunk

__all__ = ["Reranked", "rerank", "rerank_text"]


@dataclass(frozen=True, slots=True)
class Reranked:
    """Items in their final order, what is to be said about it, and whether the reranker failed."""

    items: list[EvidenceItem]
    notes: tuple[str, ...] = ()
    failed: bool = False


def rerank_text(chunk: Chunk) -> str:
    """What a reranker reads: where it stands and what it is, then the text."""
    what = chunk.symbol or chunk.section
    return f"{chunk.repo}/{chunk.path}{f' {what}' if what else ''}\n{chunk.text}"


async def rerank(
    query: str, items: Sequence[EvidenceItem], reranker: Reranker, *, most: int, timeout_s: float
) -> Reranked:
    """The first `most` in the reranker's order, ties as they were, the rest behind them; all as it was if it fails.

    Scores stay as they were; only `rank` says the order.
    """
    read, rest = list(items[:most]), list(items[most:])
    if not read:
        return Reranked(read)
    try:
        with anyio.fail_after(timeout_s):
            scores = await reranker.rerank(query, [rerank_text(item.chunk) for item in read])
    except ModelError as error:
        return _as_it_was(items, reranker, error.message)
    except TimeoutError:
        return _as_it_was(items, reranker, f"no answer within {timeout_s:g} s")
    if len(scores) != len(read):
        return _as_it_was(items, reranker, f"{len(scores)} scores for {len(read)} texts")
    order = sorted(range(len(read)), key=lambda n: (-scores[n], read[n].rank))
    ranked = [replace(item, rank=rank) for rank, item in enumerate([*(read[n] for n in order), *rest], start=1)]
    return Reranked(ranked, (f"reranked by {reranker.model}: {len(read)} of {len(items)} candidates",))


def _as_it_was(items: Sequence[EvidenceItem], reranker: Reranker, why: str) -> Reranked:
    return Reranked(list(items), (f"reranking by {reranker.model} failed, order kept: {why}",), failed=True)
