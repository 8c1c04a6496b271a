"""001's classification (§3.3) and observations, merging and context (§5.2 to §6.1) under the document's names.

They are filled and changed in place, and its functions are awaited where it awaits them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

import merging as core
from memory.observations import NormalizedObservation as OurObservation
from memory.observations import content_hash
from memory.query import PathRole, RetrievalPath
from memory.query import QueryClassification as OurClassification
from memory.question import QueryType, read_question
from merging.conflicts import ConflictType, Strategy
from orchestrator.analysis import QueryAnalyzer, otherwise
from synthesis.language_model import build_synthesis_context as build_ours
from synthesis.language_model import format_observation as format_ours

_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


@dataclass(slots=True)
class QueryClassification:
    """What a question is, as far as it has been read."""

    query: str
    query_type: QueryType | None = None
    detected_entities: list[str] = field(default_factory=list)
    paths: list[RetrievalPath] = field(default_factory=list)
    graph_scopes_vector: bool = False

    @classmethod
    def of(cls, read: OurClassification) -> QueryClassification:
        """What the analyzer read, open to changes."""
        return cls(read.query, read.query_type, list(read.entities), list(read.paths), read.graph_scopes_vector)

    def add_path(self, path: RetrievalPath) -> None:
        """Plan a path; one that is planned already stays where it is."""
        if path not in self.paths:
            self.paths.append(path)

    def settled(self) -> OurClassification:
        """The same for the orchestrator: every path that is planned is waited for, others are not started."""
        return OurClassification(
            query=self.query,
            query_types=(self.query_type or otherwise(),),
            paths=tuple(self.paths),
            roles=dict.fromkeys(self.paths, PathRole.MUST),
            entities=tuple(self.detected_entities),
            graph_scopes_vector=self.graph_scopes_vector,
            question=read_question(self.query),
        )


@dataclass(frozen=True, slots=True)
class SpecifiedAnalyzer:
    """An analyzer for `HybridRetrievalOrchestrator` out of a function like the document's `classify_query`."""

    function: Callable[[str, dict[str, Any]], QueryClassification]

    def classify(self, query: str) -> OurClassification:
        return self.function(query, {}).settled()


def classify_query(query: str, context: Mapping[str, Any] | None = None) -> QueryClassification:  # noqa: ARG001 - 001 §3.3's signature; the wording alone decides
    """The product's own classification of a question, in the document's form."""
    return QueryClassification.of(QueryAnalyzer().classify(query))


def extract_entity_mentions(query: str) -> list[str]:
    return QueryAnalyzer().extract_entities(query)


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

    def marked(self, merged: OurObservation) -> NormalizedObservation:
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


def frozen(observations: Iterable[NormalizedObservation]) -> list[OurObservation]:
    """Each as the merger takes it, with an id; what corroborates it is read from its metadata.

    Ids say where each stands among the given: of equals the first comes first, as in the document, and none is taken
    for another that says the same.
    """
    return [_frozen(observation, f"{place:06}") for place, observation in enumerate(observations)]


def _frozen(given: NormalizedObservation, id_: str) -> OurObservation:
    return OurObservation(
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
    dated = {o.id for c in core.detect_conflicts(given.taken) if c.conflict_type == "temporal" for o in c.observations}
    sources = {one.id: one.source for one in resolved}
    marked = []
    for one in resolved:
        copy = given[one].marked(one)
        if one.superseded_by is not None and one.id in dated:
            copy.metadata["superseded_by"] = sources[one.superseded_by]
        marked.append(copy)
    return marked


def cosine_similarity(one: Sequence[float] | None, other: Sequence[float] | None) -> float:
    """The cosine of two vectors; 0 where one is missing or has no length, or where they are of two models."""
    if one is None or other is None or len(one) != len(other):
        return 0.0
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return round(float(np.dot(one, other)) / lengths, 6) if lengths else 0.0


@dataclass(frozen=True, slots=True)
class _Given:
    """The document's observations, and the same as the merger takes them."""

    taken: list[OurObservation]
    theirs: dict[str, NormalizedObservation]

    @classmethod
    def of(cls, observations: Sequence[NormalizedObservation]) -> _Given:
        taken = frozen(observations)
        return cls(taken, {one.id: given for one, given in zip(taken, observations, strict=True)})

    def __getitem__(self, one: OurObservation) -> NormalizedObservation:
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
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
