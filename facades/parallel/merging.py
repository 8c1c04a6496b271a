"""001 §5.2 to §6.1 under the document's names: its observations, its merging functions (awaited where it awaits them),
its context.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

import merging as core
from memory import observations as ours
from memory.observations import content_hash
from memory.text import estimate_tokens
from merging.conflicts import ConflictType, Strategy
from synthesis.prompt import SYNTHESIS_PROMPT
from synthesis.prompt import build_synthesis_context as build_ours
from synthesis.prompt import format_observation as format_ours

__all__ = [
    "SYNTHESIS_PROMPT",
    "Conflict",
    "NormalizedObservation",
    "build_synthesis_context",
    "cosine_similarity",
    "deduplicate_observations",
    "detect_conflicts",
    "estimate_tokens",
    "format_observation",
    "frozen",
    "group_by",
    "rank_observations",
    "resolve_conflicts",
]


_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(slots=True)
class NormalizedObservation:
    """An observation with the document's fields alone; `corroborated_by` and `superseded_by` are in its metadata."""

    content: str
    source: str
    source_project: str | None
    confidence: float
    observation_type: str
    entities_mentioned: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    content_hash: str = ""
    semantic_embedding: list[float] | None = None

    def __post_init__(self) -> None:
        self.content_hash = self.content_hash or content_hash(self.content)

    def marked(self, merged: ours.NormalizedObservation) -> NormalizedObservation:
        """A copy with what merging found out."""
        metadata = {**self.metadata, **merged.metadata}
        if merged.corroborated_by:
            metadata["corroborated_by"] = list(merged.corroborated_by)
        return replace(self, confidence=merged.confidence, metadata=metadata)


@dataclass(slots=True)
class Conflict:
    """Observations that contradict each other, of which type, and how that is resolved."""

    observations: list[NormalizedObservation]
    conflict_type: ConflictType
    resolution_strategy: Strategy


def frozen(observations: Iterable[NormalizedObservation]) -> list[ours.NormalizedObservation]:
    """Each as the merger takes it, with an id; what corroborates it is read from its metadata.

    Ids say where each stands among the given: of equals the first comes first, as in the document, and none is taken
    for another that says the same.
    """
    return [_frozen(observation, f"{place:06}") for place, observation in enumerate(observations)]


def _frozen(given: NormalizedObservation, id_: str) -> ours.NormalizedObservation:
    return ours.NormalizedObservation(
        id=id_,
        content=given.content,
        source=given.source,
        source_project=given.source_project,
        confidence=given.confidence,
        observation_type=given.observation_type,
        entities_mentioned=tuple(given.entities_mentioned),
        metadata=dict(given.metadata),
        content_hash=given.content_hash,
        semantic_embedding=given.semantic_embedding,
        is_belief_candidate=True,
        corroborated_by=tuple(given.metadata.get("corroborated_by", ())),
    )


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


def build_synthesis_context(
    query: str, ranked_observations: Sequence[NormalizedObservation], max_context_tokens: int = 8000
) -> str:
    """The best observations that fit, under the document's three headers."""
    return build_ours(query, frozen(ranked_observations), max_context_tokens)


def format_observation(observation: NormalizedObservation) -> str:
    """An observation with its marker, fenced as data."""
    return format_ours(frozen([observation])[0])


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """The items of each key, in their order."""
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
