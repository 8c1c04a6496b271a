"""The rows of the tools' results, each with the name it is known by where it has to be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interfaces.names import path_text

if TYPE_CHECKING:
    from agents.evidence import EvidenceItem
    from interfaces.names import FoundName, Known
    from memory.generation import ProjectRecord
    from memory.graph import GraphPath

__all__ = ["entity_row", "evidence_row", "path_row", "project_row"]

Row = tuple[str, dict[str, Any]]

_LINES = 5
_LANGUAGES = 5


def evidence_row(item: EvidenceItem) -> Row:
    """A passage, by its file and lines."""
    chunk = item.chunk
    lines = f"{item.start_line}-{item.end_line}" if item.start_line > 0 else ""
    row = {
        "rank": item.rank,
        "project": chunk.project,
        "path": chunk.path,
        "lines": lines,
        "kind": chunk.chunk_kind,
        "text": item.text,
        "found_by": item.retrieval_route,
        **({"stale": True} if item.stale else {}),
    }
    return f"{chunk.project}/{chunk.path}:{lines}", row


def entity_row(found: FoundName, known: Known) -> Row:
    """An entity, by project and name."""
    entity = found.entity
    row = {
        "name": entity.name,
        "kind": entity.kind,
        "project": entity.project,
        "path": entity.path,
        "lines": f"{entity.start_line}-{entity.end_line}" if entity.start_line else "",
        "summary": entity.summary,
        "match": found.match,
        "uses": list(known.uses),
        "uses_known": known.uses_known,
        "used_by": list(known.used_by),
        "used_by_known": known.used_by_known,
    }
    return entity.label, row


def path_row(path: GraphPath, engine: str) -> Row:
    """A path, by the entities on it."""
    edges = [
        {
            "source": edge.source.label,
            "relation": edge.type,
            "target": edge.target.label,
            "project": edge.project,
            "path": edge.path,
            "lines": list(edge.lines[:_LINES]),
        }
        for edge in path.edges
    ]
    labels = [path.edges[0].source.label, *(edge.target.label for edge in path.edges)]
    return " → ".join(labels), {"hops": path.hops, "text": path_text(path, engine), "edges": edges}


def project_row(one: ProjectRecord) -> Row:
    """A project, by its name; languages are those of most files. Nothing here depends on other projects.

    See docs/design.md#permission.
    """
    languages = sorted(one.recognised, key=lambda name: (-one.recognised[name], name))
    row = {
        "name": one.name,
        "root": one.root,
        "commit": one.commit,
        "files": len(one.files),
        "chunks": one.chunks,
        "languages": languages[:_LANGUAGES],
    }
    return one.name, row
