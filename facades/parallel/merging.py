"""001 §5.2 to §5.4 on the document's observations: its functions, awaited where it awaits them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import merging as core
from facades.parallel.observations import Conflict, NormalizedObservation, frozen
from memory import observations as ours

__all__ = [
    "cosine_similarity",
    "deduplicate_observations",
    "detect_conflicts",
    "rank_observations",
    "resolve_conflicts",
]


async def deduplicate_observations(
    observations: Sequence[NormalizedObservation], similarity_threshold: float = 0.85
) -> list[NormalizedObservation]:
    """Each statement once, the surest first; who corroborates it is in `metadata["corroborated_by"]`."""
    given = _Given.of(observations)
    kept = core.deduplicate_observations(given.taken, similarity_threshold)
    return [given[one].marked(one) for one in kept]


def rank_observations(observations: Sequence[NormalizedObservation]) -> list[NormalizedObservation]:
    """By the document's score, highest first."""
    given = _Given.of(observations)
    return [given[one] for one in core.rank_observations(given.taken)]


def detect_conflicts(observations: Sequence[NormalizedObservation]) -> list[Conflict]:
    """Which of these contradict each other: the observations themselves, not copies."""
    given = _Given.of(observations)
    return [
        Conflict([given[one] for one in found.observations], found.conflict_type, found.resolution_strategy)
        for found in core.detect_conflicts(given.taken)
    ]


async def resolve_conflicts(observations: Sequence[NormalizedObservation]) -> list[NormalizedObservation]:
    """The same observations, marked: `conflict_detected`, `preferred_source`, and `superseded_by` a source."""
    given = _Given.of(observations)
    resolved = core.resolve_conflicts(given.taken)
    sources = {one.id: one.source for one in resolved}
    marked = []
    for one in resolved:
        copy = given[one].marked(one)
        if one.superseded_by is not None and one.confidence != given[one].confidence:
            copy.metadata["superseded_by"] = sources[one.superseded_by]
        marked.append(copy)
    return marked


def cosine_similarity(one: Sequence[float] | None, other: Sequence[float] | None) -> float:
    """The cosine of two vectors; 0 where one is missing or has no length."""
    if one is None or other is None:
        return 0.0
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return round(float(np.dot(one, other)) / lengths, 6) if lengths else 0.0


@dataclass(frozen=True, slots=True)
class _Given:
    """The document's observations, and the same as the merger takes them."""

    taken: list[ours.NormalizedObservation]
    theirs: dict[str, NormalizedObservation]

    @classmethod
    def of(cls, observations: Sequence[NormalizedObservation]) -> _Given:
        taken = frozen(observations)
        return cls(taken, {one.id: given for one, given in zip(taken, observations, strict=True)})

    def __getitem__(self, one: ours.NormalizedObservation) -> NormalizedObservation:
        return self.theirs[one.id]
