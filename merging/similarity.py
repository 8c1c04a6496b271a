"""How alike observations are: cosine for vectors of one model, Jaccard over five-word sequences otherwise (design §4).

Everything is n × n arrays: one product for all cosines, one for all Jaccards, no loop over pairs. Jaccard as in Broder,
"On the resemblance and containment of documents" (1997), with shingles of five words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory.observations import Location, NormalizedObservation

__all__ = ["Likeness", "likeness", "line_overlap", "overlaps"]

JACCARD_THRESHOLD = 0.8
OVERLAP_THRESHOLD = 0.6
LENGTH_RATIO = 0.75
"""Texts of more different lengths are not compared word by word: they cannot share four fifths."""

_WORDS = 5
_ONE_THREAD = 262_144
"""Multiplications up to which OpenBLAS keeps a product to one thread (SMP_THRESHOLD_MIN × GEMM_MULTITHREAD_THRESHOLD)."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


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
        lengths[lengths == 0.0] = 1.0
        vectors /= lengths[:, None]
        block = _block(rows)
        value[block] = _products(vectors).round(6)
        has = np.zeros(count, dtype=np.bool_)
        has[rows] = True
        compared |= has[:, None] & has
    near = compared & (value >= np.float32(threshold))
    near.flat[:: count + 1] = False
    open_pairs = _comparable_lengths(observations) & ~compared
    open_pairs.flat[:: count + 1] = False
    if open_pairs.any():
        jaccard = _jaccard(observations, open_pairs)
        value = np.where(compared, value, jaccard)
        near |= open_pairs & (jaccard >= np.float32(JACCARD_THRESHOLD))
    return Likeness(value, near)


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
        if vector is not None and (length := len(vector)):
            groups.setdefault((observation.embedding_model, length), []).append(row)
    return list(groups.values())


def _block(rows: list[int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """These rows and these columns."""
    columns = np.array(rows)
    return columns[:, None], columns


def _products(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """All dot products, symmetric, a few rows at a time.

    A larger product wakes the library's threads, which then wait for more and burn ten times what it costs.
    """
    rows = max(1, _ONE_THREAD // max(1, vectors.size))
    blocks = [vectors[start : start + rows] @ vectors.T for start in range(0, len(vectors), rows)]
    product = np.concatenate(blocks)
    return np.minimum(product, product.T)


def _comparable_lengths(observations: Sequence[NormalizedObservation]) -> NDArray[np.bool_]:
    lengths = np.array([len(o.content) for o in observations], dtype=np.float32)
    comparable: NDArray[np.bool_] = lengths[:, None] >= LENGTH_RATIO * lengths[None, :]
    return comparable & comparable.T


def _jaccard(observations: Sequence[NormalizedObservation], pairs: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Shared sequences ÷ sequences of either, for the rows that have an open pair; each distinct text is cut up once."""
    rows = np.flatnonzero(pairs.any(axis=1)).tolist()
    numbers: dict[str, int] = {}
    texts = [numbers.setdefault(observations[row].content_hash, len(numbers)) for row in rows]
    distinct = dict(zip(texts, [observations[row].content for row in rows], strict=True))
    likeness_of_texts = _shares(len(distinct), *_sequences(list(distinct.values())))
    result = np.zeros(pairs.shape, dtype=np.float32)
    result[_block(rows)] = likeness_of_texts[_block(texts)]
    return result


def _shares(count: int, owner: NDArray[np.intp], sequences: NDArray[np.uint64]) -> NDArray[np.float32]:
    """The Jaccard similarity of so many texts, from `_sequences`."""
    again = sequences[1:] == sequences[:-1]
    if not again.any():
        return np.identity(count, dtype=np.float32)
    several = np.zeros(len(sequences), dtype=np.bool_)  # in more texts than one
    several[1:] = again
    first = ~several
    several[:-1] |= again
    column = first[several].cumsum() - 1
    member = np.zeros((count, int(column[-1]) + 1), dtype=np.float32)
    member[owner[several], column] = 1.0
    sizes = np.bincount(owner).astype(np.float32)
    shared = _products(member)
    shared.flat[:: count + 1] = sizes
    ratio: NDArray[np.float32] = shared / (sizes[:, None] + sizes - shared)
    return ratio


def _sequences(texts: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
    """Which text (first array) has which sequence of five words in any case (second, in order), each once.

    A text of fewer words is one sequence. A sequence is a 64-bit hash.
    """
    hashes: list[int] = []
    lengths = []
    for text in texts:
        words = text.casefold().split()
        missing = max(0, _WORDS - len(words))
        hashes += [*map(hash, words), *[0] * missing]
        lengths.append(len(words) + missing)
    codes = np.array(hashes, dtype=np.int64).view(np.uint64)
    starts = len(codes) - _WORDS + 1
    sequences = codes[:starts]
    for offset in range(1, _WORDS):
        sequences = sequences * _MULTIPLIER + codes[offset : starts + offset]
    owner = np.repeat(np.arange(len(texts)), lengths)
    within = owner[:starts] == owner[_WORDS - 1 :]
    sequences, owner = sequences[within], owner[:starts][within]
    order = np.argsort(sequences, kind="stable")  # and so by text within equal sequences
    sequences, owner = sequences[order], owner[order]
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = (sequences[1:] != sequences[:-1]) | (owner[1:] != owner[:-1])
    return owner[first], sequences[first]
