"""How alike observations are: cosine for vectors of one model, Jaccard over five-word sequences otherwise (design §4).

Everything is n × n arrays: one product for all cosines, one for all Jaccards, no loop over pairs. Jaccard as in Broder,
"On the resemblance and containment of documents" (1997), with shingles of five words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from memory.observations import Location, NormalizedObservation

__all__ = ["Likeness", "likeness", "line_overlap", "overlaps", "shingles"]

JACCARD_THRESHOLD = 0.8
OVERLAP_THRESHOLD = 0.6
LENGTH_RATIO = 0.75
"""Texts of more different lengths are not compared word by word: they cannot share four fifths."""

_WORDS = 5


@dataclass(frozen=True, slots=True)
class Likeness:
    """`value[i, j]` from -1 to 1, and whether it passes the threshold of its measure (`near`); the diagonal does not."""

    value: NDArray[np.float32]
    near: NDArray[np.bool_]


def likeness(observations: Sequence[NormalizedObservation], threshold: float) -> Likeness:
    """All pairs at once; `threshold` is the cosine's, Jaccard has its own (0.8)."""
    count = len(observations)
    value = np.zeros((count, count), dtype=np.float32)
    compared = np.zeros((count, count), dtype=np.bool_)
    for rows in _by_model(observations):
        vectors = np.array([observations[row].semantic_embedding for row in rows], dtype=np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        vectors /= np.where(lengths > 0.0, lengths, 1.0)[:, None]
        block = np.ix_(rows, rows)
        value[block] = np.round(vectors @ vectors.T, 6)
        compared[block] = True
    near = compared & (value >= np.float32(threshold))
    open_pairs = ~compared & _comparable_lengths(observations)
    np.fill_diagonal(open_pairs, val=False)
    if open_pairs.any():
        jaccard = _jaccard(observations, open_pairs)
        value = np.where(compared, value, jaccard)
        near |= open_pairs & (jaccard >= np.float32(JACCARD_THRESHOLD))
    np.fill_diagonal(near, val=False)
    return Likeness(value, near)


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """The text's sequences of five words, in any case; a shorter text is one sequence."""
    words = text.casefold().split()
    if len(words) <= _WORDS:
        return frozenset([tuple(words)])
    return frozenset(zip(*(words[start:] for start in range(_WORDS)), strict=False))


def line_overlap(one: Location, other: Location) -> float:
    """Shared lines ÷ lines of the shorter; 0 for two files."""
    if one.project != other.project or one.path != other.path:
        return 0.0
    shared = min(one.end_line, other.end_line) - max(one.start_line, other.start_line) + 1
    shorter = min(one.end_line - one.start_line, other.end_line - other.start_line) + 1
    return max(0, shared) / shorter


def overlaps(one: Location, other: Location) -> bool:
    """Whether the two are the same lines of one file, for the most part."""
    return line_overlap(one, other) >= OVERLAP_THRESHOLD


def _by_model(observations: Sequence[NormalizedObservation]) -> list[list[int]]:
    groups: dict[tuple[str, int], list[int]] = {}
    for row, observation in enumerate(observations):
        vector = observation.semantic_embedding
        if vector is not None and len(vector):
            groups.setdefault((observation.embedding_model, len(vector)), []).append(row)
    return list(groups.values())


def _comparable_lengths(observations: Sequence[NormalizedObservation]) -> NDArray[np.bool_]:
    lengths = np.array([len(o.content) for o in observations], dtype=np.float32)
    comparable: NDArray[np.bool_] = lengths[:, None] >= LENGTH_RATIO * lengths[None, :]
    return comparable & comparable.T


def _jaccard(observations: Sequence[NormalizedObservation], pairs: NDArray[np.bool_]) -> NDArray[np.float32]:
    rows = np.flatnonzero(pairs.any(axis=1)).tolist()
    sets = {row: shingles(observations[row].content) for row in rows}
    owners = Counter(chain.from_iterable(sets.values()))
    columns = {shingle: column for column, shingle in enumerate(s for s, n in owners.items() if n > 1)}
    result = np.zeros(pairs.shape, dtype=np.float32)
    if not columns:
        return result
    member = np.zeros((len(rows), len(columns)), dtype=np.float32)
    for position, row in enumerate(rows):
        member[position, [columns[shingle] for shingle in sets[row] if shingle in columns]] = 1.0
    shared = member @ member.T
    sizes = np.array([len(sets[row]) for row in rows], dtype=np.float32)
    result[np.ix_(rows, rows)] = shared / (sizes[:, None] + sizes[None, :] - shared)
    return result
