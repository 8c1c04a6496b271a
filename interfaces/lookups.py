"""What is looked up rather than asked: who bears a name, how two names are connected, what is indexed. As documents that fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interfaces.asking import MOST_CHARS, fit
from interfaces.names import find, known_of, ways_between
from interfaces.rows import entity_row, path_row, project_row

if TYPE_CHECKING:
    from indexing import IndexReport
    from memory.generation import Manifest
    from memory.graph import GraphStore

__all__ = ["entities_document", "path_document", "projects_document", "refreshed_document"]

_EACH_WAY = 5
_MOST_PATHS = 5


async def entities_document(
    name: str,
    graph: GraphStore,
    permission: frozenset[str],
    *,
    kinds: Sequence[str] = (),
    limit: int = 10,
    most_chars: int = MOST_CHARS,
) -> dict[str, Any]:
    """Who bears a name, best first, at most `limit`. Raises StoreError."""
    found = await find(name, graph, permission, kinds)
    rows = [entity_row(one, await known_of(one.entity, graph, permission, _EACH_WAY)) for one in found[:limit]]
    document: dict[str, Any] = {"entities": [], "left_out": []}
    if len(found) > limit:
        document["left_out"].append(f"{len(found) - limit} more of that name: give a kind, a project or a higher limit")
    fit(document, "entities", rows, most_chars)
    return document


async def path_document(
    source: str,
    target: str,
    graph: GraphStore,
    permission: frozenset[str],
    *,
    max_hops: int = 3,
    most_chars: int = MOST_CHARS,
) -> dict[str, Any]:
    """How two names are connected. Raises InvalidInputError for a name that nothing bears, and StoreError."""
    way = await ways_between(source, target, graph, permission, max_hops=max_hops, most=_MOST_PATHS)
    document: dict[str, Any] = {
        "source": way.source, "target": way.target, "direction": way.direction, "paths": [], "left_out": [],
    }  # fmt: skip
    fit(document, "paths", [path_row(path, graph.engine) for path in way.paths], most_chars)
    return document


def projects_document(
    manifest: Manifest, permission: frozenset[str], name_contains: str = "", *, most_chars: int = MOST_CHARS
) -> dict[str, Any]:
    """The indexed projects of a permission whose name contains this, in any case."""
    wanted = name_contains.casefold()
    rows = [
        project_row(one)
        for one in sorted(manifest.projects, key=lambda one: one.name)
        if one.name in permission and wanted in one.name.casefold()
    ]
    document: dict[str, Any] = {"projects": [], "left_out": []}
    fit(document, "projects", rows, most_chars)
    return document


def refreshed_document(report: IndexReport, *, most_chars: int = MOST_CHARS) -> dict[str, Any]:
    """What a run brought up to date: a row for each project of which files changed."""
    keys = ("name", "added", "changed", "removed")
    changed = [one.to_dict() for one in report.projects if one.difference]
    rows = [(row["name"], {key: row[key] for key in keys}) for row in changed]
    document: dict[str, Any] = {"generation": report.generation, "changed": [], "left_out": []}
    fit(document, "changed", rows, most_chars)
    return document
