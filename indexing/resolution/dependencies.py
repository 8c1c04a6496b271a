"""Who depends on whom: a dependency in one manifest, and a package of that name in another.

A project's own packages are meant first. Between projects the edge is between the projects, and also to the package where
it is not called as its project is; inside one it is between the packages, or the services that they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.resolution.modules import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue
    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.modules import Given
    from memory.entities import Entity

__all__ = ["add_dependency_edges", "is_package"]


def is_package(clue: Clue) -> bool:
    """Whether a manifest says it of a package."""
    return clue.kind.endswith("package")


def add_dependency_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add DEPENDS_ON for each dependency and each package that is called so."""
    providers: dict[tuple[str, str], dict[str, list[Given]]] = {}
    needs: list[Given] = []
    for given in catalogue.given():
        clue = given.clue
        if is_package(clue) and clue.side == "needs":
            needs.append(given)
        elif is_package(clue):
            providers.setdefault((clue.kind, clue.key), {}).setdefault(given.place.project, []).append(given)
    for need in needs:
        by_project = providers.get((need.clue.kind, need.clue.key), {})
        own = by_project.get(need.place.project)
        for provided in own or [one for others in by_project.values() for one in others]:
            for source, target in _ends(need.place, provided.place, catalogue):
                edges.add_given(source, need.clue.relation, target, need, provided)


def _ends(place: Place, at: Place, catalogue: Catalogue) -> Iterator[tuple[Entity, Entity]]:
    source, target = catalogue.at(Place(place.project)), catalogue.at(Place(at.project))
    package = catalogue.package(at)
    if place.project == at.project:
        source = catalogue.package(place) or catalogue.owner(place) or source
        target = package or catalogue.owner(at)
        package = None
    for end in (target, package):
        if source is not None and end is not None:
            yield source, end
