"""How alike observations are, and who else says the same (docs/design.md#agreement).

Alike by the cosine for vectors of one model, by Jaccard over five-word sequences otherwise. Jaccard as in Broder, "On
the resemblance and containment of documents" (1997), with shingles of five words. Texts are compared only where they
share a bucket: their first words, or their last.

Agreement counts independent sources only, and enters the ranking once: another kind of source (local, graph, vector) or
another project's file that says nearly the same. A byte-identical copy and the same lines found twice are one source
whoever found them. A relation that the graph proves inside a text's lines is the graph's own reading of them, made by
rules that know nothing of the question's words: it counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory.observations import Location, NormalizedObservation

JACCARD_THRESHOLD = 0.8

OVERLAP_THRESHOLD = 0.6

LENGTH_RATIO = 0.75

"""Texts of more different lengths, in characters, are not compared word by word: they seldom share four fifths."""

_WORDS = 5

_BUCKET = 16

"""Texts of one bucket that the others are compared with: the best."""

_ONE_THREAD = 262_144

"""Multiplications up to which OpenBLAS keeps a product to one thread (SMP_THRESHOLD_MIN ×
GEMM_MULTITHREAD_THRESHOLD).
"""


def alike_pairs(
    observations: Sequence[NormalizedObservation], labels: Sequence[Hashable], threshold: float
) -> list[tuple[int, int]]:
    """The pairs of rows with different labels that are nearly the same.

    Args:
        observations: best first.
        labels: one for each; what has the same is not compared.
        threshold: the cosine's, inclusive; Jaccard has its own (0.8).
    """
    if len(set(labels)) < 2:
        return []
    models = [_model(observation) for observation in observations]
    pairs = set(_alike_texts(observations, labels, models))
    for model in {model for model in models if model is not None}:
        rows = [row for row, own in enumerate(models) if own == model]
        near = _cosines([observations[row] for row in rows]) >= np.float32(threshold)
        pairs.update((rows[one], rows[other]) for one, other in np.argwhere(np.triu(near, 1)).tolist())
    return sorted((one, other) for one, other in pairs if labels[one] != labels[other])


def similarity(one: NormalizedObservation, other: NormalizedObservation) -> float:
    """From -1 to 1, to six places."""
    if (model := _model(one)) is not None and model == _model(other):
        return float(_cosines([one, other])[0, 1])
    return round(_jaccard(_sequences(one.content), _sequences(other.content)), 6) if _comparable(one, other) else 0.0


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


def _model(observation: NormalizedObservation) -> tuple[str, int] | None:
    """What its vector can be compared by; None without one."""
    vector = observation.semantic_embedding
    return (observation.embedding_model, len(vector)) if vector is not None and len(vector) else None


def _cosines(observations: Sequence[NormalizedObservation]) -> NDArray[np.float32]:
    vectors = np.array([observation.semantic_embedding for observation in observations], dtype=np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0.0] = 1.0
    return _products(vectors / lengths[:, None]).round(6)


def _products(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """All dot products, symmetric, a few rows at a time.

    A larger product wakes the library's threads, which then wait for more and burn ten times what it costs.
    """
    rows = max(1, _ONE_THREAD // max(1, vectors.size))
    blocks = [vectors[start : start + rows] @ vectors.T for start in range(0, len(vectors), rows)]
    product = np.concatenate(blocks)
    return np.minimum(product, product.T)


def _comparable(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    shorter, longer = sorted((len(one.content), len(other.content)))
    return shorter >= LENGTH_RATIO * longer


def _alike_texts(
    observations: Sequence[NormalizedObservation], labels: Sequence[Hashable], models: Sequence[tuple[str, int] | None]
) -> Iterator[tuple[int, int]]:
    """The pairs whose texts are nearly the same, of those that no vectors compare."""
    if None not in models and len(set(models)) == 1:
        return
    sequences = cache(lambda row: _sequences(observations[row].content))
    buckets = defaultdict[tuple[str, ...], list[int]](list)
    for row, observation in enumerate(observations):
        ends = _ends(observation.content)
        for other in {other for end in ends for other in buckets[end][:_BUCKET]}:
            same_model = models[row] is not None and models[row] == models[other]
            if labels[row] == labels[other] or same_model or not _comparable(observation, observations[other]):
                continue
            if _jaccard(sequences(row), sequences(other)) >= JACCARD_THRESHOLD:
                yield other, row
        for end in ends:
            buckets[end].append(row)


def _ends(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first words and the last: what is nearly the same begins or ends alike."""
    first, last = text.split(None, _WORDS)[:_WORDS], text.rsplit(None, _WORDS)[-_WORDS:]
    return ("begins", *map(str.casefold, first)), ("ends", *map(str.casefold, last))


def _sequences(text: str) -> frozenset[tuple[str, ...]]:
    """Every five words in their order, in any case; a text of fewer is one sequence."""
    words = text.casefold().split()
    return frozenset(zip(*(words[start:] for start in range(_WORDS)), strict=False)) or frozenset({tuple(words)})


def _jaccard(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def independent_sources(observation: NormalizedObservation, alike: Iterable[NormalizedObservation]) -> tuple[str, ...]:
    """`KIND:PROJECT` of every independent source among those that are alike, each once, sorted.

    Of several in `alike` that are one source, the first speaks for it.
    """
    heard = Heard(observation)
    labels = set(observation.corroborated_by)
    own = label(observation)
    for other in alike:
        their_label = label(other)
        if their_label != own and other not in heard:
            heard.add(other)
            labels.add(their_label)
    return tuple(sorted(labels))


class Heard:
    """The sources of what was heard: who says the same text, or stands on the same lines, is one of them."""

    def __init__(self, first: NormalizedObservation) -> None:
        self.observations: list[NormalizedObservation] = []
        self._texts: set[str] = set()
        self._lines = defaultdict[tuple[str, str], list[Location]](list)
        self.add(first)

    def add(self, observation: NormalizedObservation) -> None:
        self.observations.append(observation)
        self._texts.add(observation.content_hash)
        for at in observation.locations:
            self._lines[at.project, at.path].append(at)

    def __contains__(self, observation: NormalizedObservation) -> bool:
        if observation.content_hash in self._texts:
            return True
        return any(
            overlaps(at, known) for at in observation.locations for known in self._lines.get((at.project, at.path), ())
        )


def corroborated_by_relations(observations: Sequence[NormalizedObservation]) -> list[NormalizedObservation]:
    """The same, in their order; a text in whose lines the graph proves a relation is corroborated
    by `graph:PROJECT`, once.
    """
    proven = defaultdict[tuple[str, str], set[tuple[int, int]]](set)
    for observation in observations:
        if observation.kind == "graph" and observation.relationships:
            for at in observation.locations:
                proven[at.project, at.path].add((at.start_line, at.end_line))
    if not proven:
        return list(observations)
    return [_corroborated(one, proven) if one.kind != "graph" and one.locations else one for one in observations]


def _corroborated(
    text: NormalizedObservation, proven: dict[tuple[str, str], set[tuple[int, int]]]
) -> NormalizedObservation:
    labels = {
        f"graph:{at.project}"
        for at in text.locations
        for start, end in proven.get((at.project, at.path), ())
        if at.start_line <= start and end <= at.end_line
    }
    known = set(text.corroborated_by)
    return text if labels <= known else replace(text, corroborated_by=tuple(sorted(known | labels)))


def label(observation: NormalizedObservation) -> str:
    """`KIND:PROJECT`, or the kind alone where no project is known."""
    source = observation.kind
    return f"{source}:{observation.source_project}" if observation.source_project else source
