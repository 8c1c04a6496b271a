"""001 §5.1's observation and §5.4's conflict: eight fields that the document's code changes in place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from memory import observations as ours
from memory.observations import content_hash
from merging.normalise import identified

__all__ = ["Conflict", "NormalizedObservation", "frozen"]


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
    conflict_type: Literal["factual", "temporal", "scope"]
    resolution_strategy: Literal["latest_wins", "highest_confidence", "ask_user", "include_both", "source_priority"]


def frozen(observations: Iterable[NormalizedObservation]) -> list[ours.NormalizedObservation]:
    """Each as the merger takes it, with an id; its place and what corroborates it are read from its metadata."""
    return identified([_frozen(observation) for observation in observations])


def _frozen(given: NormalizedObservation) -> ours.NormalizedObservation:
    return ours.NormalizedObservation(
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
