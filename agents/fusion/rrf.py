"""Reciprocal rank fusion.

G. Cormack, C. Clarke, S. Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods
(SIGIR 2009): score(d) = Σ 1 / (k + rank(d)), ranks from 1, k = 60; weighted as Qdrant does it since 1.17.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["best_attainable", "rrf"]


def rrf(lists: Sequence[Mapping[str, float]], weights: Sequence[float], k: int = 60) -> dict[str, float]:
    """Fused scores: Σ weight / (k + rank), rank 1 the best score of a list, ties by the document's id."""
    fused: dict[str, float] = {}
    for ranked, weight in zip(lists, weights, strict=True):
        for rank, document in enumerate(sorted(ranked, key=lambda d: (-ranked[d], d)), start=1):
            fused[document] = fused.get(document, 0.0) + weight / (k + rank)
    return fused


def best_attainable(weights: Sequence[float], k: int = 60) -> float:
    """The score of a document that leads every list: what a threshold is normalised by."""
    return sum(weight / (k + 1) for weight in weights)
