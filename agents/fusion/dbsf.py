"""Distribution-based score fusion.

M. Mazzeschi: Distribution-Based Score Fusion (2023), as Qdrant defines it: each list is mapped so that its mean minus
three standard deviations becomes 0 and its mean plus three becomes 1, then the lists are added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev

__all__ = ["dbsf"]


def dbsf(lists: Sequence[Mapping[str, float]], weights: Sequence[float]) -> dict[str, float]:
    """Fused scores: Σ weight · (score − (mean − 3σ)) / 6σ, clipped to 0..1; a list without spread gives 0.5."""
    fused: dict[str, float] = {}
    for ranked, weight in zip(lists, weights, strict=True):
        if not ranked:
            continue
        mean, deviation = fmean(ranked.values()), pstdev(ranked.values())
        for document, score in ranked.items():
            share = min(1.0, max(0.0, (score - mean + 3 * deviation) / (6 * deviation))) if deviation else 0.5
            fused[document] = fused.get(document, 0.0) + weight * share
    return fused
