"""The order of candidates: the store's, ties by corpus and place (000 §8.2, rule 5), or a reranker's (part five)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from agents.evidence.intents import Intent
from agents.evidence.pack import EvidenceItem, item_of
from memory.errors import ModelError
from memory.rerankers.port import Reranker
from memory.vector.port import Chunk, Hit

__all__ = ["Reranked", "candidates", "rerank", "rerank_text"]


@dataclass(frozen=True, slots=True)
class Reranked:
    """Items in their final order, what is to be said about it, and whether the reranker failed."""

    items: list[EvidenceItem]
    notes: tuple[str, ...] = ()
    failed: bool = False


def candidates(hits: Sequence[Hit], intent: Intent) -> list[EvidenceItem]:
    """Items ranked from 1 by score; equal scores by corpus (code first, for HOW_TO_IMPLEMENT alone), file and line."""

    def key(hit: Hit) -> tuple[Any, ...]:
        chunk = hit.chunk
        later = intent is Intent.HOW_TO_IMPLEMENT and chunk.corpus != "code"
        return -hit.score, later, chunk.repo, chunk.path, chunk.start_line, chunk.id

    return [item_of(hit, rank) for rank, hit in enumerate(sorted(hits, key=key), start=1)]


def rerank_text(chunk: Chunk) -> str:
    """What a reranker reads: where it stands and what it is, then the text."""
    what = chunk.symbol or chunk.section
    return f"{chunk.repo}/{chunk.path}{f' {what}' if what else ''}\n{chunk.text}"


async def rerank(
    query: str, items: Sequence[EvidenceItem], reranker: Reranker, *, most: int, timeout_s: float
) -> Reranked:
    """The first `most` in the reranker's order, ties as they were, the rest behind them; all as it was if it fails.

    Scores stay the fusion's; only `rank` says the order.
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
    return Reranked(list(items), (f"reranking by {reranker.model} failed, fused order kept: {why}",), failed=True)
