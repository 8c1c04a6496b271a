"""Every agent's observation in one shape (001 §5.1); `confidence` stays the agent's (docs/design.md#confidence).

The permission, checked once more where everything comes together: a defence, not the filter.

See docs/design.md#permission.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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
from memory.text.output import json_ready

if TYPE_CHECKING:
    from memory.entities import Entity
    from memory.shared import MemoryEntry


_ID = attrgetter("id")


def normalise(entry: MemoryEntry) -> NormalizedObservation:
    """One entry of the shared memory; a bare text becomes a note of its agent, rated by its attention weight.

    `metadata` keeps what the shape has no field for: `source_file`, `section`, `chunk_context`, `hop_depth`,
    `source_projects`, `entities`, and the agent's own.
    """
    observation = entry.observation
    if isinstance(observation, LocalObservation):
        values = _local(observation)
    elif isinstance(observation, VectorObservation):
        values = _vector(observation)
    elif isinstance(observation, GraphObservation):
        values = _graph(observation)
    else:
        values = _note(entry)
    content = entry.content if observation is None else observation.content
    agent, digest = entry.source_agent_id, content_hash(content)
    return NormalizedObservation(
        content=content,
        content_hash=digest,
        id=observation_id(agent, values["source"], values["source_project"], values.get("locations", ()), digest),
        agent=agent or values["kind"],
        attention_weight=entry.attention_weight,
        is_belief_candidate=entry.is_belief_candidate,
        **values,
    )


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


def _local(observation: LocalObservation) -> dict[str, Any]:
    beside = {"source_file": observation.source_file, "section": observation.section}
    return {
        "source": f"local:{observation.source_file}",
        "kind": "local",
        "source_project": observation.project,
        "confidence": observation.relevance_score,
        "metadata": _metadata(observation.metadata, beside),
        **_text(observation),
    }


def _vector(observation: VectorObservation) -> dict[str, Any]:
    beside = {"source_file": observation.source_file, "chunk_context": observation.chunk_context}
    return {
        "source": "vector:qdrant",
        "kind": "vector",
        "source_project": observation.source_project,
        "confidence": observation.similarity_score,
        "metadata": _metadata(observation.metadata, beside),
        **_text(observation),
    }


def _metadata(own: Mapping[str, Any], fields: Mapping[str, str | None]) -> dict[str, Any]:
    """An agent's own metadata with the shape's fields in place of its own of their names; None is not kept."""
    kept = {key: value for key, value in json_ready(own).items() if key not in fields}
    return kept | {key: value for key, value in fields.items() if value is not None}


def _text(observation: LocalObservation | VectorObservation) -> dict[str, Any]:
    return {
        "observation_type": observation.observation_type,
        "entities_mentioned": tuple(observation.entities_mentioned),
        "semantic_embedding": observation.embedding,
        "embedding_model": observation.embedding_model,
        "locations": tuple(observation.locations),
    }


def _graph(observation: GraphObservation) -> dict[str, Any]:
    entities, projects = observation.entities, observation.source_projects
    return {
        "source": f"graph:{observation.engine}",
        "kind": "graph",
        "source_project": projects[0] if projects else None,
        "confidence": observation.confidence,
        "observation_type": observation.observation_type,
        "entities_mentioned": tuple(dict.fromkeys([entity.name for entity in entities])),
        "metadata": json_ready(observation.metadata)
        | {
            "hop_depth": observation.hop_depth,
            "source_projects": list(projects),
            "entities": [_entity(entity) for entity in entities],
        },
        "locations": tuple(observation.locations),
        "relationships": tuple(observation.relationships),
    }


def _note(entry: MemoryEntry) -> dict[str, Any]:
    return {
        "source": f"{entry.source_agent_id}:memory",
        "source_project": None,
        "kind": entry.source_agent_id.partition(":")[0],
        "confidence": entry.attention_weight,
        "observation_type": "note",
    }


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


_UNNAMED = frozenset({"", None})


def within_permission(observation: NormalizedObservation, permission: frozenset[str]) -> NormalizedObservation | None:
    """The observation as this caller may see it, or None.

    A text goes when its project or the place it was read from is outside; further places outside are taken off it. A
    graph observation goes whole when anything it names is outside. What names no project stays.
    """
    if observation.source_project and observation.source_project not in permission:
        return None
    if observation.kind == "graph":
        return observation if _named(observation) - _UNNAMED <= permission else None
    for at in observation.locations:
        if at.project not in permission:
            break
    else:
        return observation
    locations = tuple(at for at in observation.locations if at.project in permission)
    if not locations or locations[0] != observation.locations[0]:
        return None
    return replace(observation, locations=locations)


def _named(observation: NormalizedObservation) -> set[str]:
    metadata = observation.metadata
    named = {at.project for at in observation.locations}
    named.update(metadata.get("source_projects", ()))
    for entity in metadata.get("entities", ()):
        named.add(entity["project"])
    for edge in observation.relationships:
        named.update((edge.project, edge.source.project, edge.target.project))
        for piece in edge.evidence:
            named.add(piece.project)
    return named
