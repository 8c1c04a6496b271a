"""How sure a hit is, on a scale that does not depend on what else was found (design §4, confidence).

A maximum-normalised fused score would give the best hit of a nonsense question 1.0. Instead: the greater of the cosine
and the share of the question's IDF mass that the hit contains.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from memory.vector.port import DenseVector, SparseVector

__all__ = ["cosine", "matched_mass"]


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
