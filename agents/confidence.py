"""How sure a hit is, on a scale that does not depend on what else was found.

A maximum-normalised score would give the best hit of a nonsense question 1.0. The share of the question's IDF mass that a
file holds says how much of the question it speaks of.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from memory.vector.port import DenseVector

__all__ = ["cosine", "covered"]


def covered(weights: Mapping[int, float], held: Collection[int]) -> float:
    """The share (0..1) of the question's IDF mass whose terms are among these; 0 for a question without terms."""
    total = math.fsum(weights.values())
    return math.fsum(weight for term, weight in weights.items() if term in held) / total if total > 0 else 0.0


def cosine(query: Mapping[str, DenseVector | NDArray[np.float64]], dense: Mapping[str, DenseVector]) -> float:
    """The best cosine of unit vectors over the fields both have; 0 where there is none."""
    return max((float(np.dot(query[name], vector)) for name, vector in dense.items() if name in query), default=0.0)
