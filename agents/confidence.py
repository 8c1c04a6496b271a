"""How sure a hit is, on a scale that does not depend on what else was found (design §4, confidence).

A maximum-normalised fused score would give the best hit of a nonsense question 1.0. Instead: the greater of the cosine
and the share of the question's IDF mass that the hit contains.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from memory.vector.port import DenseVector, Hit, SparseVector

__all__ = ["cosine", "matched_mass", "term_weights", "unseen_idf"]


def unseen_idf(population: int) -> float:
    """IDF of a term that no point has: ln(1 + (N + 0.5) / 0.5), Qdrant's formula at n = 0."""
    return math.log(1.0 + (population + 0.5) / 0.5)


def term_weights(terms: Mapping[str, int], best: Mapping[str, Sequence[Hit]], population: int) -> dict[int, float]:
    """IDF of each of the question's terms within the permission, by term id.

    `best` holds the first hit of a single-term query with weight 1; IDF = score ÷ the weight stored with the point.
    A term without a hit is in no point that may be seen.
    """
    weights: dict[int, float] = {}
    for term, index in terms.items():
        weights[index] = unseen_idf(population)
        for hit in list(best.get(term, ()))[:1]:
            stored = dict(zip(hit.sparse.indices, hit.sparse.values, strict=True)) if hit.sparse else {}
            if stored.get(index):
                weights[index] = hit.score / stored[index]
    return weights


def matched_mass(weights: Mapping[int, float], sparse: SparseVector | None) -> float:
    """Share of the question's IDF mass whose terms the point contains, 0..1."""
    total = sum(weights.values())
    if sparse is None or total <= 0:
        return 0.0
    held = set(sparse.indices)
    return sum(weight for index, weight in weights.items() if index in held) / total


def cosine(query: Mapping[str, DenseVector | NDArray[np.float64]], dense: Mapping[str, DenseVector]) -> float:
    """The best cosine of unit vectors over the fields both have; 0 where there is none."""
    return max((float(np.dot(query[name], vector)) for name, vector in dense.items() if name in query), default=0.0)
