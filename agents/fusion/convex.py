"""Convex combination of maximum-normalised scores.

S. Bruch, S. Gai, A. Ingber: An Analysis of Fusion Functions for Hybrid Retrieval (ACM TOIS 42(1), 2023), §3, with the
theoretical minimum 0 and each list divided by its best score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["convex"]


def convex(lists: Sequence[Mapping[str, float]], weights: Sequence[float], *, limit: int) -> dict[str, float]:
    """Fused scores in 0..1: the weighted mean of score ÷ best score of its list.

    A document that a list lacks counts there with the lowest value listed when the list was cut at `limit`, since all
    that is known of it is that it is no better (design §5a); with zero when the list is complete. Lists without a
    positive score are left out.
    """
    pairs = [
        (ranked, weight) for ranked, weight in zip(lists, weights, strict=True) if ranked and max(ranked.values()) > 0
    ]
    total = sum(weight for _, weight in pairs)
    fused: dict[str, float] = {}
    for ranked, weight in pairs:
        best = max(ranked.values())
        lowest = max(0.0, min(ranked.values())) / best if len(ranked) >= limit else 0.0
        for document in {key: None for other, _ in pairs for key in other}:
            share = max(0.0, ranked[document]) / best if document in ranked else lowest
            fused[document] = fused.get(document, 0.0) + weight / total * share
    return fused
