"""Every agent's observation in one shape (001 §5.1); `confidence` stays the agent's (design §4)."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, is_dataclass, replace
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from memory.observations import (
    GraphObservation,
    LocalObservation,
    Location,
    NormalizedObservation,
    VectorObservation,
    content_hash,
)
from merging.changing import shaped

if TYPE_CHECKING:
    from memory.entities import Entity
    from memory.shared import MemoryEntry

__all__ = ["identified", "json_ready", "normalise", "observation_id"]


_DEFAULTS = {**vars(NormalizedObservation("", "", None, 0.0, ""))}
"""A dict of its own, not the class's shared keys: a copy of those stays shared, and is slow to read from."""
_ID = attrgetter("id")
_TEXT = frozenset({str})
_PLAIN = frozenset({str, int, bool, type(None)})


def normalise(entry: MemoryEntry) -> NormalizedObservation:
    """One entry of the shared memory; a bare text becomes a note of its agent, rated by its attention weight.

    `metadata` keeps what the shape has no field for: `source_file`, `section`, `chunk_context`, `hop_depth`,
    `source_projects`, `entities`, and the agent's own.
    """
    observation = entry.observation
    values = _DEFAULTS.copy()
    if isinstance(observation, LocalObservation):
        _local(observation, values)
    elif isinstance(observation, VectorObservation):
        _vector(observation, values)
    elif isinstance(observation, GraphObservation):
        _graph(observation, values)
    else:
        _note(entry, values)
    content = entry.content if observation is None else observation.content
    agent = entry.source_agent_id
    digest = content_hash(content)
    values["content"] = content
    values["content_hash"] = digest
    values["id"] = observation_id(agent, values["source"], values["source_project"], values["locations"], digest)
    values["agent"] = agent or values["kind"]
    values["attention_weight"] = entry.attention_weight
    values["is_belief_candidate"] = entry.is_belief_candidate
    return shaped(values)


def observation_id(
    agent: str, source: str, project: str | None, locations: Sequence[Location], content_digest: str
) -> str:
    """`AGENT-` and 12 hexadecimal digits of source, place and content: the same whoever came first."""
    place = "|".join([f"{at.project}/{at.path}:{at.start_line}-{at.end_line}" for at in locations])
    text = f"{agent}|{source}|{project or ''}|{place}|{content_digest}"
    return f"{agent}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"


def identified(observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
    """The observations, each with an id."""
    given = list(observations)
    if all(map(_ID, given)):  # as always inside a merge
        return given
    return [
        o if o.id else replace(o, id=observation_id(o.agent, o.source, o.source_project, o.locations, o.content_hash))
        for o in given
    ]


def json_ready(value: Any) -> Any:
    """The value as JSON can carry it: lists for sequences and sets, ISO dates, None for a number that is none."""
    if type(value) in _PLAIN:  # nearly everything is
        return value
    if type(value) is dict:
        if _PLAIN.issuperset(map(type, value.values())) and _TEXT.issuperset(map(type, value)):
            return value.copy()
        return {str(key): json_ready(item) for key, item in value.items()}
    if type(value) is list:
        return value.copy() if _PLAIN.issuperset(map(type, value)) else [json_ready(item) for item in value]
    return _made_ready(value)


def _local(observation: LocalObservation, values: dict[str, Any]) -> None:
    beside = {"source_file": observation.source_file}
    if observation.section is not None:
        beside["section"] = observation.section
    values["source"] = f"local:{observation.source_file}"
    values["kind"] = "local"
    values["source_project"] = observation.project
    values["confidence"] = observation.relevance_score
    values["metadata"] = beside | json_ready(observation.metadata)
    _text(observation, values)


def _vector(observation: VectorObservation, values: dict[str, Any]) -> None:
    beside = {"source_file": observation.source_file}
    if observation.chunk_context is not None:
        beside["chunk_context"] = observation.chunk_context
    values["source"] = "vector:qdrant"
    values["kind"] = "vector"
    values["source_project"] = observation.source_project
    values["confidence"] = observation.similarity_score
    values["metadata"] = beside | json_ready(observation.metadata)
    _text(observation, values)


def _text(observation: LocalObservation | VectorObservation, values: dict[str, Any]) -> None:
    values["observation_type"] = observation.observation_type
    values["entities_mentioned"] = tuple(observation.entities_mentioned)
    values["semantic_embedding"] = observation.embedding
    values["embedding_model"] = observation.embedding_model
    values["locations"] = tuple(observation.locations)


def _graph(observation: GraphObservation, values: dict[str, Any]) -> None:
    entities, projects = observation.entities, observation.source_projects
    values["source"] = f"graph:{observation.engine}"
    values["kind"] = "graph"
    values["source_project"] = projects[0] if projects else None
    values["confidence"] = observation.confidence
    values["observation_type"] = observation.observation_type
    values["entities_mentioned"] = tuple(dict.fromkeys([entity.name for entity in entities]))
    values["metadata"] = json_ready(observation.metadata) | {
        "hop_depth": observation.hop_depth,
        "source_projects": list(projects),
        "entities": [_entity(entity) for entity in entities],
    }
    values["locations"] = tuple(observation.locations)
    values["relationships"] = tuple(observation.relationships)


def _note(entry: MemoryEntry, values: dict[str, Any]) -> None:
    values["source"] = f"{entry.source_agent_id}:memory"
    values["kind"] = entry.source_agent_id.partition(":")[0]
    values["metadata"] = {}
    values["confidence"] = entry.attention_weight
    values["observation_type"] = "note"


def _entity(entity: Entity) -> dict[str, Any]:
    return {
        "name": entity.name,
        "kind": entity.kind,
        "project": entity.project,
        "path": entity.path,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "summary": entity.summary,
    }


def _made_ready(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    match value:
        case int() | str():
            plain: Any = value
        case float():
            plain = value if math.isfinite(value) else None
        case Mapping():
            plain = {str(key): json_ready(item) for key, item in value.items()}
        case AbstractSet():
            plain = sorted((json_ready(item) for item in value), key=str)
        case list() | tuple():  # a subclass of list, or a tuple
            plain = [json_ready(item) for item in value]
        case date():
            plain = value.isoformat()
        case _:
            plain = str(value)
    return plain
