"""Entities and relations as the rows the Cypher texts take and give, and what a batch must satisfy to become rows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from memory.entities import Entity, Evidence, Relationship
from memory.graph.port import GraphBatch
from memory.text.identifiers import split_identifier

_Thing = TypeVar("_Thing", Entity, Relationship)
_RUN = re.compile(r"[^\W_]+")


def name_parts(name: str) -> list[str]:
    """What full text finds a name by, casefolded, each once: its runs of letters and digits, and their words.

    `HTTPClient.send_all` gives httpclient, http, client, send, all.
    """
    parts = (part for run in _RUN.findall(name) for part in (run.casefold(), *split_identifier(run)))
    return list(dict.fromkeys(parts))


def checked(batch: GraphBatch) -> GraphBatch:
    """The batch, ready to be stored: relations start and end at its own entities, one without a project is its
    source's.

    Raises ValueError on two entities or relations of one id, and on an edge that starts or ends at what is neither one
    of its entities nor of its ends.
    """
    known = {entity.id: entity for entity in batch.ends} | _by_id(batch.entities)
    _by_id(batch.relationships)
    return replace(batch, relationships=[_between(known, relation) for relation in batch.relationships])


def _by_id(things: Sequence[_Thing]) -> dict[str, _Thing]:
    known: dict[str, _Thing] = {}
    for thing in things:
        if known.setdefault(thing.id, thing) is not thing:
            raise ValueError(f"Two things have the id {thing.id!r}: {thing} and {known[thing.id]}.")
    return known


def _between(known: Mapping[str, Entity], relation: Relationship) -> Relationship:
    for end in (relation.source.id, relation.target.id):
        if end not in known:
            raise ValueError(f"The relation {relation.id!r} ends at {end!r}, which is not in the batch.")
    source, target = known[relation.source.id], known[relation.target.id]
    if source is relation.source and target is relation.target and relation.project:
        return relation
    return replace(relation, source=source, target=target, project=relation.project or source.project)


def entity_row(entity: Entity) -> dict[str, Any]:
    """A node's properties; `search` holds the name's parts for full text."""
    return _fields(entity) | {"key": entity.key, "search": " ".join(name_parts(entity.name))}


def relation_row(relation: Relationship) -> dict[str, Any]:
    """An edge's properties and the ids of its ends; the evidence is JSON text."""
    return {
        "id": relation.id,
        "source": relation.source.id,
        "target": relation.target.id,
        "type": relation.type,
        "project": relation.project,
        "file": relation.path,
        "line": relation.lines[0] if relation.lines else 0,
        "lines": list(relation.lines),
        "status": relation.status,
        "evidence": json.dumps([_fields(piece) for piece in relation.evidence], ensure_ascii=False),
    }


def _fields(one: Entity | Evidence) -> dict[str, Any]:
    """`asdict` would copy each, five times as slowly."""
    return {name: getattr(one, name) for name in one.__slots__}


def entity_from(row: Mapping[str, Any], prefix: str) -> Entity:
    """The entity in the columns `<prefix>_id`, `<prefix>_name` …"""
    return Entity(**{name: row[f"{prefix}_{name}"] for name in Entity.__slots__})


def relation_from(row: Mapping[str, Any], permission: frozenset[str]) -> Relationship:
    """The edge in the columns a_…, r_… and b_…; evidence that is outside the permission is left out."""
    evidence = (Evidence(**e) for e in json.loads(row["r_evidence"]))
    return Relationship(
        id=row["r_id"],
        source=entity_from(row, "a"),
        type=row["r_type"],
        target=entity_from(row, "b"),
        project=row["r_project"],
        path=row["r_file"],
        lines=tuple(row["r_lines"]),
        status=row["r_status"],
        evidence=tuple(e for e in evidence if e.project in permission),
    )
