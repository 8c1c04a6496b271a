"""Edges that the rules give: a `needs` and a `provides` of one kind and key are two pieces that agree.

A project's own provider comes first: where it has one, others of the same name are not meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.resolution.names import Place
from memory.entities import Evidence

if TYPE_CHECKING:
    from indexing.facts import Clue
    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.modules import ProjectModules
    from memory.entities import Entity

__all__ = ["add_clue_edges"]

Given = tuple[Place, "Clue"]


def add_clue_edges(projects: dict[str, ProjectModules], catalogue: Catalogue, edges: Edges) -> None:
    """Add an edge for each need and each of its providers, and OWNS_TABLE for what a project defines."""
    providers: dict[tuple[str, str], dict[str, list[Given]]] = {}
    needs: list[Given] = []
    for project in sorted(projects):
        for path, facts in sorted(projects[project].files.items()):
            for clue in facts.clues:
                given = (Place(project, path, clue.entity), clue)
                if clue.side == "needs":
                    needs.append(given)
                    continue
                providers.setdefault((clue.kind, clue.key), {}).setdefault(project, []).append(given)
                _owned(given, catalogue, edges)
    for place, clue in needs:
        by_project = providers.get((clue.kind, clue.key), {})
        own = by_project.get(place.project)
        for at, provided in own or [one for others in by_project.values() for one in others]:
            source, target = _end(place, clue, catalogue), _end(at, provided, catalogue)
            if source is not None and target is not None:
                pieces = [_piece(place, clue), _piece(at, provided)]
                edges.add(source, clue.relation, target, path=place.path, lines=[clue.line], evidence=pieces)


def _owned(given: Given, catalogue: Catalogue, edges: Edges) -> None:
    place, clue = given
    owner, owned = catalogue.at(Place(place.project)), catalogue.at(place)
    if clue.relation == "OWNS_TABLE" and owner is not None and owned is not None:
        edges.add(owner, "OWNS_TABLE", owned, path=place.path, lines=[clue.line], evidence=[_piece(place, clue)])


def _end(place: Place, clue: Clue, catalogue: Catalogue) -> Entity | None:
    """The definition a clue belongs to; without one, the module for what code says, else the project."""
    return (
        catalogue.around(place)
        if clue.kind == "table"
        else catalogue.at(place if clue.entity else Place(place.project))
    )


def _piece(place: Place, clue: Clue) -> Evidence:
    return Evidence(clue.rule, place.project, place.path, clue.line, clue.says)
