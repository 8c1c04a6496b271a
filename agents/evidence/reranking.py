"""The order of candidates by a reranker, where there is one (000 §12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.evidence.pack import EvidenceItem
from memory.rerankers.port import Reranker, reorder
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
    done = await reorder(query, [rerank_text(item.chunk) for item in read], reranker, timeout_s)
    if done.failed:
        return Reranked(list(items), (done.note,), failed=True)
    ordered = [*(read[number] for number in done.order), *rest]
    ranked = [replace(item, rank=rank) for rank, item in enumerate(ordered, start=1)]
    return Reranked(ranked, (f"{done.note} of {len(items)} candidates",))
