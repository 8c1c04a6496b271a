"""Who depends on whom: a dependency in one manifest, and a package of that name in another.

A project's own packages are meant first. Between projects the edge is between the projects, and also to the package where
it is not called as its project is; inside one it is between the packages, or the services that they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.resolution.names import Place
from memory.entities import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from indexing.facts import Clue
    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services
    from memory.entities import Entity

__all__ = ["add_dependency_edges", "is_package"]

Given = tuple[Place, "Clue"]


def is_package(clue: Clue) -> bool:
    """Whether a manifest says it of a package."""
    return clue.kind.endswith("package")


def add_dependency_edges(
    projects: Mapping[str, ProjectModules], services: Mapping[str, Services], catalogue: Catalogue, edges: Edges
) -> None:
    """Add DEPENDS_ON for each dependency and each package that is called so."""
    providers: dict[tuple[str, str], dict[str, list[Given]]] = {}
    needs: list[Given] = []
    for project in sorted(projects):
        for path, facts in sorted(projects[project].files.items()):
            for clue in filter(is_package, facts.clues):
                given = (Place(project, path), clue)
                if clue.side == "needs":
                    needs.append(given)
                else:
                    providers.setdefault((clue.kind, clue.key), {}).setdefault(project, []).append(given)
    for place, clue in needs:
        by_project = providers.get((clue.kind, clue.key), {})
        own = by_project.get(place.project)
        for at, provided in own or [one for others in by_project.values() for one in others]:
            for source, target in _ends(place, at, services, catalogue):
                edges.add(
                    source,
                    clue.relation,
                    target,
                    path=place.path,
                    lines=[clue.line],
                    evidence=[_piece(place, clue), _piece(at, provided)],
                )


def _ends(
    place: Place, at: Place, services: Mapping[str, Services], catalogue: Catalogue
) -> Iterator[tuple[Entity, Entity]]:
    source, target = catalogue.at(Place(place.project)), catalogue.at(Place(at.project))
    package = catalogue.package(at)
    if place.project == at.project:
        source = catalogue.package(place) or _service(place, services, catalogue) or source
        target = package or _service(at, services, catalogue)
        package = None
    for end in (target, package):
        if source is not None and end is not None:
            yield source, end


def _service(place: Place, services: Mapping[str, Services], catalogue: Catalogue) -> Entity | None:
    service = services[place.project].owner(place.path)
    return catalogue.at(service.place) if service else None


def _piece(place: Place, clue: Clue) -> Evidence:
    return Evidence(clue.rule, place.project, place.path, clue.line, clue.says)
