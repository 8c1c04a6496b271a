"""What services have to do with each other by way of a topic or a library: one subscribes to the other's events, sends
it the commands of the queue that is called after it, and owns the tables of the project that only it uses.

Inside one project; each follows from edges that are there, whose evidence it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import dirname
from typing import Final

from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Place
from indexing.resolution.services import normal
from memory.entities import Entity, Relationship

__all__ = ["add_service_edges"]

USES: Final = frozenset({"USES_TABLE", "STORES_IN"})


def add_service_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add SUBSCRIBES and INVOKES between services, and OWNS_TABLE."""
    found = [e for e in edges.relationships() if e.status == "confirmed" and e.target.project == e.project]
    spoken: dict[str, list[Relationship]] = {}
    used: dict[str, list[Relationship]] = {}
    for edge in found:
        if edge.target.kind == "topic" and edge.source.kind == "service":
            spoken.setdefault(edge.target.id, []).append(edge)
        elif edge.target.kind == "table" and edge.type in {*USES, "OWNS_TABLE"}:
            used.setdefault(edge.target.id, []).append(edge)
    for topic in spoken.values():
        _join([e for e in topic if e.type == "PUBLISHES"], [e for e in topic if e.type == "SUBSCRIBES"], edges)
    dependents = _dependents(found)
    for table in used.values():
        if not any(e.type == "OWNS_TABLE" and e.source.kind == "service" for e in table):
            _own(table, dependents, catalogue, edges)


def _join(published: list[Relationship], subscribed: list[Relationship], edges: Edges) -> None:
    senders, receivers = _sources(published), _sources(subscribed)
    if len(senders) == 1:
        for edge in subscribed:
            _add(edge, "SUBSCRIBES", senders[0], published[:1], edges)
    if len(receivers) == 1 and normal(subscribed[0].target.name) in normal(receivers[0].name):
        for edge in published:
            _add(edge, "INVOKES", receivers[0], subscribed[:1], edges)


def _sources(found: Iterable[Relationship]) -> list[Entity]:
    return list({edge.source.id: edge.source for edge in found}.values())


def _add(edge: Relationship, relation: str, target: Entity, others: list[Relationship], edges: Edges) -> None:
    pieces = [*edge.evidence, *(piece for other in others for piece in other.evidence)]
    edges.add(edge.source, relation, target, path=edge.path, lines=edge.lines, evidence=pieces)


def _dependents(found: Iterable[Relationship]) -> dict[tuple[str, str], dict[str, Entity]]:
    """The services that need the package of a folder, by project and folder."""
    rows: dict[tuple[str, str], dict[str, Entity]] = {}
    for edge in found:
        if edge.type == "DEPENDS_ON" and edge.source.kind == "service" and edge.target.kind == "package":
            rows.setdefault((edge.project, dirname(edge.target.path)), {})[edge.source.id] = edge.source
    return rows


def _own(
    table: list[Relationship],
    dependents: Mapping[tuple[str, str], Mapping[str, Entity]],
    catalogue: Catalogue,
    edges: Edges,
) -> None:
    """The one service whose code uses a table, be it in a library that no other service needs, owns it where the
    project makes it or maps classes to it; what is only asked of it by SQL may be another's.
    """
    users: dict[str, tuple[Entity, Relationship]] = {}
    for edge in table:
        owner = catalogue.owner(Place(edge.project, edge.path))
        for user in [owner] if owner is not None else _needing(edge.project, dirname(edge.path), dependents):
            users.setdefault(user.id, (user, edge))
    stated = [edge for edge in table if edge.type in USES]
    if len(users) == 1 and stated and any(edge.type != "USES_TABLE" for edge in table):
        user, edge = users.popitem()[1]
        first = catalogue.at(Place(edge.project, edge.target.path, edge.target.name)) or edge.target
        if user.kind == "service" and catalogue.services[user.project].named(user.name) is not None:
            edges.add(user, "OWNS_TABLE", first, path=edge.path, lines=edge.lines[:1], evidence=edge.evidence)


def _needing(project: str, folder: str, dependents: Mapping[tuple[str, str], Mapping[str, Entity]]) -> list[Entity]:
    while folder:
        if (project, folder) in dependents:
            return list(dependents[project, folder].values())
        folder = dirname(folder)
    return []
