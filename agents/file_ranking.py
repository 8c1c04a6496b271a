"""Files ranked by what their chunks and the relations they prove have in common with a question.

    D(f) = the best cosine of its chunks              S(f) = Σ 0.3^k · (its k-th best BM25 chunk), five at most
    H(f) = w · D(f) / max D + (1 − w) · S(f) / max S  a file that one list lacks has that list's lowest value there
    score(f) = H(f) / max H + λ · (1 − exp(−Σ c³))    c: what each statement that f proves holds of the question

A file outranks its chunks because a question is answered by a place, and several weak chunks of one file say more than one
of them alone. The convex combination is that of S. Bruch, S. Gai, A. Ingber: An Analysis of Fusion Functions for Hybrid
Retrieval (ACM TOIS 42(1), 2023), §3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import exp
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from memory.statements import FoundStatement

__all__ = ["File", "best_chunk", "decayed_sum", "score_files", "votes"]

File: TypeAlias = tuple[str, str]
"""A file by project and path."""

_DECAY: Final = 0.3
_MOST: Final = 5


def best_chunk(scores: Mapping[str, float], files: Mapping[str, File]) -> dict[File, float]:
    """D: the best score among each file's chunks.

    Args:
        scores: by chunk.
        files: each chunk's file.
    """
    best: dict[File, float] = {}
    for chunk, score in scores.items():
        file = files[chunk]
        best[file] = max(score, best.get(file, score))
    return best


def decayed_sum(scores: Mapping[str, float], files: Mapping[str, File]) -> dict[File, float]:
    """S: the scores of each file's five best chunks, each further one at 0.3 of the weight before it."""
    own: defaultdict[File, list[float]] = defaultdict(list)
    for chunk, score in scores.items():
        own[files[chunk]].append(score)
    return {
        file: sum(_DECAY**place * score for place, score in enumerate(sorted(found, reverse=True)[:_MOST]))
        for file, found in own.items()
    }


def votes(statements: Iterable[FoundStatement]) -> dict[File, float]:
    """How much the statements speak for each file they are proven in: 1 − exp(−Σ coverage³), 0..1.

    The cube makes weak matches fade, so that a graph that covers a stack badly does no harm.
    """
    mass: defaultdict[File, float] = defaultdict(float)
    for statement in statements:
        for file in statement.files:
            mass[file] += statement.coverage**3
    return {file: 1.0 - exp(-total) for file, total in mass.items()}


def score_files(
    hybrid: Mapping[File, float],
    voted: Mapping[File, float],
    *,
    vote_weight: float,
    weights: Mapping[str, float],
) -> dict[File, float]:
    """The score that files are ranked by.

    Args:
        hybrid: H, by file.
        voted: `votes`; a file that they alone name has the lowest H.
        vote_weight: λ.
        weights: what a project's files are multiplied with, such as those of the project in hand; 1 where none is given.
    """
    best = max(hybrid.values(), default=0.0)
    lowest = min(hybrid.values(), default=0.0)
    scale = best if best > 0 else 1.0
    return {
        file: (hybrid.get(file, lowest) / scale + vote_weight * voted.get(file, 0.0)) * weights.get(file[0], 1.0)
        for file in (*hybrid, *(file for file in voted if file not in hybrid))
    }
