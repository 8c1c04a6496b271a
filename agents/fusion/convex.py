"""Convex combination of maximum-normalised scores.

S. Bruch, S. Gai, A. Ingber: An Analysis of Fusion Functions for Hybrid Retrieval (ACM TOIS 42(1), 2023), §3, with the
theoretical minimum 0 and each list divided by its best score.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

__all__ = ["convex"]


_Document = TypeVar("_Document", bound=Hashable)


def convex(lists: Sequence[Mapping[_Document, float]], weights: Sequence[float]) -> dict[_Document, float]:
    """Fused scores in 0..1: the weighted mean of score ÷ best score of its list.

    A document that a list lacks counts there with the lowest value listed, since all that is known of it is that it is no
    better. Lists without a positive score are left out.
    """
    pairs = [
        (ranked, weight) for ranked, weight in zip(lists, weights, strict=True) if ranked and max(ranked.values()) > 0
    ]
    total = math.fsum(weight for _, weight in pairs)
    fused: dict[_Document, float] = {}
    for ranked, weight in pairs:
        best = max(ranked.values())
        lowest = max(0.0, min(ranked.values())) / best
        for document in {key: None for other, _ in pairs for key in other}:
            share = max(0.0, ranked[document]) / best if document in ranked else lowest
            fused[document] = fused.get(document, 0.0) + weight / total * share
    return fused
