"""The Cypher texts, the same for kglite and Neo4j 5, and the rows that they take and give (docs/design.md#graph).

Every value is a bound parameter and every read carries the namespace, the permission and a limit. Walks of several hops
are made of one-hop texts (`cypher.py`), so that no hop bound is in a text. On a server a read asks for a version too
(`neo4j_schema.of_version`). What differs between the engines, making indexes and writing above all, is in the
adapters: what creates and deletes here is the embedded engine's. Both call the full-text index `entity_name_ft`.

Model: (:Entity {id, namespace, project, name, key, kind, search, path, start_line, end_line, summary, commit}),
(:Entity)-[:REL {id, namespace, type, project, file, line, lines, status, evidence}]->(:Entity).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from memory.entities import Entity, Evidence, Relationship
from memory.text import split_identifier

_VISIBLE: Final = "e.namespace = $namespace AND e.project IN $permission"
_VISIBLE_EDGE: Final = (
    "r.namespace = $namespace AND a.project IN $permission AND b.project IN $permission AND r.project IN $permission "
    "AND r.status IN $statuses AND (size($types) = 0 OR r.type IN $types)"
)

STEPS_OUT: Final = f"""
MATCH (a:Entity)-[r:REL]->(b:Entity) WHERE a.id IN $ids AND {_VISIBLE_EDGE}
RETURN a.id AS source, r.id AS edge, b.id AS target ORDER BY edge LIMIT $limit"""

STEPS_IN: Final = f"""
MATCH (a:Entity)-[r:REL]->(b:Entity) WHERE b.id IN $ids AND {_VISIBLE_EDGE}
RETURN a.id AS source, r.id AS edge, b.id AS target ORDER BY edge LIMIT $limit"""

CREATE_ENTITIES: Final = """
UNWIND $rows AS row
CREATE (:Entity {id: row.id, namespace: $namespace, project: row.project, name: row.name, key: row.key, kind: row.kind,
  search: row.search, path: row.path, start_line: row.start_line, end_line: row.end_line, summary: row.summary,
  commit: row.commit})"""

CREATE_RELATIONS: Final = """
UNWIND $rows AS row
MATCH (a:Entity {id: row.source}), (b:Entity {id: row.target})
CREATE (a)-[:REL {id: row.id, namespace: $namespace, type: row.type, project: row.project, file: row.file,
  line: row.line, lines: row.lines, status: row.status, evidence: row.evidence}]->(b)"""

DELETE_SOURCES: Final = (
    "MATCH (e:Entity) WHERE e.namespace = $namespace AND e.project IN $projects DETACH DELETE e",
    "MATCH (a:Entity)-[r:REL]->() WHERE a.project IN $sources AND r.namespace = $namespace DELETE r",
)
"""Two texts, run before what takes the place is created."""


def _entity(variable: str) -> str:
    names = ("id", "project", "name", "kind", "path", "start_line", "end_line", "summary", "commit")
    return ", ".join(f"{variable}.{name} AS {variable}_{name}" for name in names)


_ENTITY: Final = _entity("e")
_EDGE: Final = (
    f"{_entity('a')}, r.id AS r_id, r.type AS r_type, r.project AS r_project, r.file AS r_file, r.lines AS r_lines, "
    f"r.status AS r_status, r.evidence AS r_evidence, {_entity('b')}"
)
FIND_EXACT: Final = f"""
MATCH (e:Entity) WHERE e.key IN $keys AND {_VISIBLE}
RETURN {_ENTITY} ORDER BY e_id LIMIT $limit"""
FIND_PREFIX: Final = f"""
MATCH (e:Entity) WHERE e.key STARTS WITH $prefix AND {_VISIBLE}
RETURN {_ENTITY}, size(e.key) AS length ORDER BY length, e_id LIMIT $limit"""
# The engine's score depends on the whole graph, the forbidden part too: it only yields candidates. They are cut by how
# many of the words they hold, then by how little else.
FIND_TEXT: Final = f"""
CALL db.index.fulltext.queryNodes('entity_name_ft', $query) YIELD node, score
WITH node AS e, size([word IN $words WHERE word IN split(node.search, ' ')]) AS held
WHERE held > 0 AND {_VISIBLE}
RETURN {_ENTITY}, held, size(e.search) AS length ORDER BY held DESC, length, e_id LIMIT $limit"""
ALL_ENTITIES: Final = f"""
MATCH (e:Entity) WHERE e.id > $after AND {_VISIBLE}
RETURN {_ENTITY} ORDER BY e_id LIMIT $limit"""
EDGES_OUT: Final = f"""
MATCH (a:Entity)-[r:REL]->(b:Entity) WHERE a.id IN $ids AND r.id > $after AND {_VISIBLE_EDGE}
RETURN {_EDGE} ORDER BY r_id LIMIT $limit"""
EDGES_IN: Final = f"""
MATCH (a:Entity)-[r:REL]->(b:Entity) WHERE b.id IN $ids AND r.id > $after AND {_VISIBLE_EDGE}
RETURN {_EDGE} ORDER BY r_id LIMIT $limit"""
EDGES_BY_ID: Final = f"""
MATCH (a:Entity)-[r:REL]->(b:Entity) WHERE a.id IN $sources AND r.id IN $ids AND {_VISIBLE_EDGE}
RETURN {_EDGE} ORDER BY r_id LIMIT $limit"""
EDGES_BETWEEN: Final = f"""
MATCH (a:Entity)-[r:REL]->(b:Entity)
WHERE a.project IN $sources AND b.project IN $targets AND a.project <> b.project AND {_VISIBLE_EDGE}
RETURN {_EDGE} ORDER BY r_id LIMIT $limit"""

_ORDER: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    **dict.fromkeys((FIND_EXACT, ALL_ENTITIES), itemgetter("e_id")),
    **dict.fromkeys((EDGES_OUT, EDGES_IN, EDGES_BY_ID, EDGES_BETWEEN), itemgetter("r_id")),
    **dict.fromkeys((STEPS_OUT, STEPS_IN), itemgetter("edge")),
    FIND_PREFIX: itemgetter("length", "e_id"),
    FIND_TEXT: lambda row: (-row["held"], row["length"], row["e_id"]),
}
"""What each text orders its rows by, which distinguishes them too."""


def gathered(text: str, parts: Sequence[Sequence[dict[str, Any]]], limit: int) -> list[dict[str, Any]]:
    """The rows in the text's own order, what is in several parts once."""
    if len(parts) == 1:
        return list(parts[0])
    key = _ORDER[text]
    found = {key(row): row for rows in parts for row in rows}
    return [found[one] for one in sorted(found)[:limit]]


_RUN = re.compile(r"[^\W_]+")


def name_parts(name: str) -> list[str]:
    """What full text finds a name by, casefolded, each once: its runs of letters and digits, and their words.

    `HTTPClient.send_all` gives httpclient, http, client, send, all.
    """
    parts = (part for run in _RUN.findall(name) for part in (run.casefold(), *split_identifier(run)))
    return list(dict.fromkeys(parts))


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
