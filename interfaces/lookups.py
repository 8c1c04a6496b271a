"""What is looked up rather than asked: who bears a name, how two names are connected, what is indexed. As documents
that fit.

Each row comes with the name that it is known by where it has to be left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from interfaces.asking import MOST_CHARS, NAME_CHARS, fit
from interfaces.names import FoundName, Known, find, known_of, neighbours, path_text, ways_between
from memory.project_folder import ProjectFolder, count_changed, has_changed
from memory.text.output import shortened

if TYPE_CHECKING:
    from agents.evidence import EvidenceItem
    from indexing import IndexReport
    from memory.generation import ProjectRecord
    from memory.graph import GraphPath, GraphStore
    from wiring.catalogue import ManifestCatalogue

Row = tuple[str, dict[str, Any]]
_LINES = 5
_LANGUAGES = 5


def evidence_row(item: EvidenceItem) -> Row:
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


Folders = Mapping[str, ProjectFolder]
"""The projects' files on disk, with what was indexed of them."""


def entity_row(found: FoundName, known: Known, folders: Folders) -> Row:
    entity = found.entity
    row = {
        "name": entity.name,
        "kind": entity.kind,
        "project": entity.project,
        "path": entity.path,
        "lines": f"{entity.start_line}-{entity.end_line}" if entity.start_line else "",
        "summary": entity.summary,
        "stale": has_changed(folders, entity.project, entity.path),
        "match": found.match,
        "uses": list(known.uses),
        "uses_known": known.uses_known,
        "used_by": list(known.used_by),
        "used_by_known": known.used_by_known,
    }
    return entity.label, row


def path_row(path: GraphPath, engine: str, folders: Folders) -> Row:
    edges = [
        {
            "source": edge.source.label,
            "relation": edge.type,
            "target": edge.target.label,
            "project": edge.project,
            "path": edge.path,
            "lines": list(edge.lines[:_LINES]),
            "stale": has_changed(folders, edge.project, edge.path),
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


_EACH_WAY = 5
_MOST_PATHS = 5
MOST_HOPS = 4
_NEAREST = 5


async def entities_document(
    name: str,
    graph: GraphStore,
    permission: frozenset[str],
    folders: Folders,
    *,
    kinds: Sequence[str] = (),
    limit: int = 10,
    most_chars: int = MOST_CHARS,
) -> dict[str, Any]:
    """Who bears a name, best first, at most `limit`. Raises StoreError."""
    found = await find(name, graph, permission, kinds)
    shown = found[:limit]
    rows = [entity_row(one, await known_of(one.entity, graph, permission, _EACH_WAY), folders) for one in shown]
    changed = count_changed(folders, (one.entity.project for one in shown))
    notes = await _unlike(name, found, graph, permission, kinds)
    document: dict[str, Any] = {"entities": [], "notes": notes, "changed": changed, "left_out": []}
    if len(found) > limit:
        document["left_out"].append(f"{len(found) - limit} more of that name: give a kind, a project or a higher limit")
    fit(document, "entities", rows, most_chars)
    return document


async def _unlike(
    name: str, found: Sequence[FoundName], graph: GraphStore, permission: frozenset[str], kinds: Sequence[str]
) -> list[str]:
    """What was looked for and is not there, and what is nearest."""
    if found and found[0].match != "similar":
        return []
    said = f"Nothing is called {shortened(name, NAME_CHARS)!r} here" + (
        f" that is a {' or '.join(kinds)}" if kinds else ""
    )
    if found:
        return [f"{said}. These are the nearest."]
    others = await find(name, graph, permission) if kinds else []
    nearest = ", ".join(dict.fromkeys(f"{one.entity.kind} {one.entity.label}" for one in others[:_NEAREST]))
    return [f"{said}. Of other kinds: {nearest}." if nearest else f"{said}, nor anything near it."]


async def _apart(source: str, target: str, graph: GraphStore, permission: frozenset[str], max_hops: int) -> list[str]:
    """Which paths were looked for in vain, and what is nearest: a longer one, else what each end is connected with."""
    notes = [f"No path of at most {max_hops} relations leads from {source!r} to {target!r}, nor back."]
    if max_hops < MOST_HOPS:
        longer = await ways_between(source, target, graph, permission, max_hops=MOST_HOPS, most=1)
        if longer.paths:
            path = longer.paths[0]
            text, _ = path_row(path, graph.engine, {})
            return [*notes, f"One of {path.hops} does: {text}. Ask with max_hops={path.hops}."]
    for end in (source, target):
        near = ", ".join(await neighbours(end, graph, permission, _NEAREST))
        notes.append(f"Connected with {end!r}: {near}." if near else f"No relation of {end!r} itself is known.")
    return notes


async def path_document(
    source: str,
    target: str,
    graph: GraphStore,
    permission: frozenset[str],
    folders: Folders,
    *,
    max_hops: int = 3,
    most_chars: int = MOST_CHARS,
) -> dict[str, Any]:
    """How two names are connected. Raises InvalidInputError for a name that nothing bears, and StoreError."""
    way = await ways_between(source, target, graph, permission, max_hops=max_hops, most=_MOST_PATHS)
    document: dict[str, Any] = {
        "source": way.source,
        "target": way.target,
        "direction": way.direction,
        "paths": [],
        "notes": [] if way.paths else await _apart(source, target, graph, permission, max_hops),
        "changed": count_changed(folders, (edge.project for path in way.paths for edge in path.edges)),
        "left_out": [],
    }
    fit(document, "paths", [path_row(path, graph.engine, folders) for path in way.paths], most_chars)
    return document


def projects_document(
    indexed: ManifestCatalogue, permission: frozenset[str], name_contains: str = "", *, most_chars: int = MOST_CHARS
) -> dict[str, Any]:
    """The indexed projects of a permission whose name contains this, in any case."""
    wanted = name_contains.casefold()
    shown = [
        one
        for one in sorted(indexed.manifest.projects, key=lambda one: one.name)
        if one.name in permission and wanted in one.name.casefold()
    ]
    changed = count_changed(indexed.folders, (one.name for one in shown))
    document: dict[str, Any] = {"projects": [], "changed": changed, "left_out": []}
    fit(document, "projects", map(project_row, shown), most_chars)
    return document


def refreshed_document(report: IndexReport, *, sees_all: bool, most_chars: int = MOST_CHARS) -> dict[str, Any]:
    """What a run brought up to date: a row for each project of which files changed, and the names of those whose folder
    is not there. The index's number, which counts what changed in any project, is for who may see all.
    """
    keys = ("name", "added", "changed", "removed")
    changed = [one.to_dict() for one in report.projects if one.difference]
    rows = [(row["name"], {key: row[key] for key in keys}) for row in changed]
    number = {"generation": report.generation} if sees_all else {}
    document: dict[str, Any] = {**number, "changed": [], "absent": [], "left_out": []}
    fit(document, "absent", [(name, name) for name in report.absent], most_chars)
    fit(document, "changed", rows, most_chars)
    return document
