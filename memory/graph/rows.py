"""Entities and relations as the rows the Cypher texts take and give, and what a batch must satisfy to become rows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from memory.entities import Entity, Evidence, Relationship
from memory.graph.port import FileMention, GraphBatch
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

    Raises ValueError on two entities or relations of one id, and on an edge or mention that ends at what is neither one
    of its entities nor of its ends.
    """
    known = {entity.id: entity for entity in batch.ends} | _by_id(batch.entities)
    _by_id(batch.relationships)
    for mention in batch.mentions:
        if mention.entity_id not in known:
            raise ValueError(
                f"{mention.project}/{mention.path} mentions {mention.entity_id!r}, which is not in the batch."
            )
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
    return {
        "id": entity.id,
        "project": entity.project,
        "name": entity.name,
        "key": entity.key,
        "kind": entity.kind,
        "search": " ".join(name_parts(entity.name)),
        "path": entity.path,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "summary": entity.summary,
        "commit": entity.commit,
    }


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
        "evidence": json.dumps([_evidence_row(piece) for piece in relation.evidence], ensure_ascii=False),
    }


def _evidence_row(piece: Evidence) -> dict[str, Any]:
    """Its fields; `asdict` would copy each, five times as slowly."""
    return {name: getattr(piece, name) for name in piece.__slots__}


def file_row(mention: FileMention) -> dict[str, Any]:
    """The node of the file that mentions."""
    return {"id": _file_id(mention), "project": mention.project, "path": mention.path}


def mention_row(mention: FileMention) -> dict[str, Any]:
    """The edge from a file to the entity it mentions."""
    return {"file": _file_id(mention), "entity": mention.entity_id, "line": mention.line}


def _file_id(mention: FileMention) -> str:
    return f"{mention.project}/{mention.path}"


def entity_from(row: Mapping[str, Any], prefix: str) -> Entity:
    """The entity in the columns `<prefix>_id`, `<prefix>_name` …"""
    return Entity(
        id=row[f"{prefix}_id"],
        project=row[f"{prefix}_project"],
        name=row[f"{prefix}_name"],
        kind=row[f"{prefix}_kind"],
        path=row[f"{prefix}_path"],
        start_line=row[f"{prefix}_start_line"],
        end_line=row[f"{prefix}_end_line"],
        summary=row[f"{prefix}_summary"],
        commit=row[f"{prefix}_commit"],
    )


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


def mention_from(row: Mapping[str, Any]) -> FileMention:
    """The mention in the columns project, path, entity and line."""
    return FileMention(row["project"], row["path"], row["entity"], row["line"])
