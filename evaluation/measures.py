"""File recall and reciprocal rank of one answer (docs/design.md#question-files), the textbook definitions over files.

C. Manning, P. Raghavan, H. Schütze: Introduction to Information Retrieval (2008), §8.4; E. Voorhees: The TREC-8
Question Answering Track Report (1999) for the reciprocal rank.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

__all__ = ["files_in_order", "percentile", "recall", "reciprocal_rank", "share"]


def files_in_order(observations: Iterable[Mapping[str, Any]], left_out: Collection[str] = ()) -> list[str]:
    """The observations' files (`PROJECT:PATH`) in rank order, each once, without those that neither count nor cost."""
    files = (f"{at['project']}:{at['path']}" for observation in observations for at in observation["locations"])
    return [file for file in dict.fromkeys(files) if file not in left_out]


def recall(files: Sequence[str], expected: Collection[str], k: int) -> float:
    """Expected files among the first k ÷ expected files."""
    return len(set(files[:k]) & set(expected)) / len(set(expected))


def reciprocal_rank(files: Sequence[str], expected: Collection[str], k: int) -> float:
    """1 ÷ the rank of the first expected file among the first k, 0 if none is there."""
    return next((1.0 / rank for rank, file in enumerate(files[:k], start=1) if file in expected), 0.0)


def share(part: int, whole: int) -> float | None:
    """part ÷ whole, None where there is nothing to share."""
    return part / whole if whole else None


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The nearest-rank percentile (the smallest value that `percent` of all do not exceed), None of nothing."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(len(values) * percent / 100), 1) - 1]
