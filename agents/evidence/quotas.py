"""Both corpora have their share of a pack, as far as the pool goes (000 §8.2, rule 3)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.evidence.pack import EvidenceItem
from memory.vector.port import Corpus

__all__ = ["Mix", "needed", "with_quotas"]

_CORPORA: tuple[Corpus, ...] = ("code", "docs")


@dataclass(frozen=True, slots=True)
class Mix:
    """What was chosen, in rank order, and how many items each corpus lacks."""

    items: list[EvidenceItem]
    missing: dict[Corpus, int] = field(default_factory=dict)


def needed(top_k: int, share: float) -> int:
    """Items of a corpus: ceil(share · top_k), but never more than half of all. Rounded, since .1 · 3 · 10 is above 3."""
    return min(math.ceil(round(share * top_k, 9)), top_k // 2)


def with_quotas(items: Sequence[EvidenceItem], top_k: int, share: float) -> Mix:
    """`top_k` of the ranked items: the best of each corpus up to its share, then whichever ranks higher.

    Where one corpus falls short the other fills up, and `missing` says by how many; nothing is padded.
    """
    need = needed(top_k, share)
    reserved = {id(item) for corpus in _CORPORA for item in [i for i in items if i.chunk.corpus == corpus][:need]}
    free = top_k - len(reserved)
    chosen: list[EvidenceItem] = []
    for item in items:
        if id(item) in reserved:
            chosen.append(item)
        elif free > 0:
            chosen.append(item)
            free -= 1
    return Mix(chosen, missing_of(chosen, need))


def missing_of(items: Sequence[EvidenceItem], need: int) -> dict[Corpus, int]:
    """By how many each corpus stays below what is needed."""
    counts = {corpus: sum(item.chunk.corpus == corpus for item in items) for corpus in _CORPORA}
    return {corpus: need - count for corpus, count in counts.items() if count < need}
