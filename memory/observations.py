"""What agents report (001 §4) and what they become once they are comparable (001 §5.1).

Each can be made from the specification's fields alone; the additions have defaults. A field of the wrong kind raises
TypeError or ValueError here, so that garbage stops where it is made.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from memory.entities import Entity, Relationship

FRESH: Final = "fresh"
"""The key in `metadata` of what was read from the file as it is now, not as it was indexed."""
RECENT: Final = "recent"
"""The `source_file` of what a caller hands over as recent context: it is of no file."""


def content_hash(content: str) -> str:
    """The identity of a text, white space collapsed: what exact duplicates share."""
    return hashlib.sha256(" ".join(content.split()).encode()).hexdigest()


_LocalType: TypeAlias = Literal["instruction", "pattern", "fact", "context"]
_GraphType: TypeAlias = Literal["entity", "relationship", "pattern", "cross_ref"]
_VectorType: TypeAlias = Literal["example", "documentation", "code", "discussion"]
_LOCAL, _GRAPH, _VECTOR = (frozenset(get_args(kind)) for kind in (_LocalType, _GraphType, _VectorType))


def _checked(content: object, score: object, name: str, observation_type: object, known: frozenset[str]) -> None:
    if not isinstance(content, str) or not content.strip():
        raise TypeError("an observation's content is a text that is not empty")
    if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(score):
        raise ValueError(f"{name} is a finite number from 0 to 1")
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"{name} is {score}, not from 0 to 1")
    if not isinstance(observation_type, str) or observation_type not in known:
        raise ValueError(f"observation_type is {observation_type!r}, not one of {', '.join(sorted(known))}")


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """Lines of a project's file: both ends included, the first is 1, paths relative with `/`."""

    project: str
    path: str
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class LocalObservation:
    """A section of the project in hand (001 §4.1)."""

    content: str
    source_file: str
    section: str | None
    relevance_score: float
    observation_type: _LocalType
    project: str | None = None
    locations: tuple[Location, ...] = ()
    entities_mentioned: tuple[str, ...] = ()
    embedding: Sequence[float] | None = None
    embedding_model: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _checked(self.content, self.relevance_score, "relevance_score", self.observation_type, _LOCAL)


@dataclass(frozen=True, slots=True)
class GraphObservation:
    """Entities and relations (001 §4.2); `locations` are the lines that prove the relations."""

    content: str
    entities: Sequence[Entity]
    relationships: Sequence[Relationship]
    source_projects: Sequence[str]
    hop_depth: int
    confidence: float
    observation_type: _GraphType
    engine: str = "kglite"
    locations: tuple[Location, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _checked(self.content, self.confidence, "confidence", self.observation_type, _GRAPH)
        for name in ("entities", "relationships", "source_projects"):
            if not isinstance(getattr(self, name), Sequence):
                raise TypeError(f"{name} is a list")


@dataclass(frozen=True, slots=True)
class VectorObservation:
    """A chunk that the hybrid search found (001 §4.3); `chunk_context` is the text around it."""

    content: str
    source_file: str
    source_project: str
    similarity_score: float
    chunk_context: str | None
    observation_type: _VectorType
    locations: tuple[Location, ...] = ()
    entities_mentioned: tuple[str, ...] = ()
    embedding: Sequence[float] | None = None
    embedding_model: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _checked(self.content, self.similarity_score, "similarity_score", self.observation_type, _VECTOR)


Observation: TypeAlias = LocalObservation | GraphObservation | VectorObservation


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A copy that was folded into the observation kept: where it is and who found it."""

    source: str
    location: Location | None
    similarity: float


@dataclass(frozen=True)
class NormalizedObservation:
    """Every agent's observation in one shape (001 §5.1).

    The first block is the specification's. `source` is `local:PATH`, `graph:ENGINE` or `vector:qdrant`; `confidence`
    stays the agent's, `score` is the ranking's, both 0..1 and above. `rank` starts at 1, 0 before ranking. `kind` is
    `local`, `graph` or `vector`: what is before the colon of its source.
    """

    content: str
    source: str
    source_project: str | None
    confidence: float
    observation_type: str
    entities_mentioned: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    content_hash: str = ""
    semantic_embedding: Sequence[float] | None = field(default=None, compare=False)

    id: str = ""
    agent: str = ""
    locations: tuple[Location, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    embedding_model: str = ""
    attention_weight: float = 0.5
    is_belief_candidate: bool = False
    corroborated_by: tuple[str, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    superseded_by: str | None = None
    score: float = 0.0
    rank: int = 0
    kind: str = ""

    def __post_init__(self) -> None:
        if not self.content_hash:
            object.__setattr__(self, "content_hash", content_hash(self.content))
        if not self.kind:
            object.__setattr__(self, "kind", self.source.partition(":")[0])
        if not self.agent:
            object.__setattr__(self, "agent", self.kind)
