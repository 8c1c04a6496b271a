"""DEPLOYS: what a project runs of another's, by the image that is called as that project is; and who calls that, calls
the other project. (What both spell out in full is joined as every clue is.)

An image's name without its registry, its owner and its tag is most often its repository's. A common word is no
evidence between projects (`api`). Of several projects of that name each is meant: no other project decides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from extraction.rules.images import IMAGE, REPOSITORY
from extraction.rules.port import COMMON_WORDS
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.resolution.services import normal
from memory.entities import Entity, Evidence

SHORTEST: Final = 4
_NAMED: Final = frozenset({IMAGE, REPOSITORY})


def add_deployment_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add DEPLOYS for each image that is another project's, CALLS for who calls a workload that runs one, and
    DEPENDS_ON for the repositories that builds take.
    """
    named: dict[str, list[str]] = {}
    for project in catalogue.projects:
        named.setdefault(normal(project), []).append(project)
    run: dict[str, list[tuple[Given, Entity]]] = {}
    for _, modules in sorted(catalogue.projects.items()):
        for given in images(modules):
            source = _source(given, catalogue)
            if source is None:
                continue
            for target in filter(None, (catalogue.at(Place(name)) for name in sorted(named.get(image_of(given), ())))):
                pieces, line = [given.piece, _named(target)], given.clue.line
                edges.add(source, given.clue.relation, target, path=given.place.path, lines=[line], evidence=pieces)
                if given.clue.entity:
                    run.setdefault(source.id, []).append((given, target))
    _call(run, edges)


def _source(given: Given, catalogue: Catalogue) -> Entity | None:
    """The workload that runs it, else the project whose file names it."""
    project = given.place.project
    if not given.clue.entity:
        return catalogue.at(Place(project))
    service = catalogue.services[project].named(given.clue.entity)
    return catalogue.at(service.place) if service else None


def _named(project: Entity) -> Evidence:
    """The line that says what a project is called."""
    return Evidence("project", project.project, project.path, project.start_line, f"project {project.name}")


def _call(run: Mapping[str, list[tuple[Given, Entity]]], edges: Edges) -> None:
    for edge in edges.confirmed({"CALLS"}) if run else ():
        for image, target in run.get(edge.target.id, ()):
            if edge.source.project != target.project:
                pieces = [*edge.evidence, image.piece, _named(target)]
                edges.add(edge.source, "CALLS", target, path=edge.path, lines=edge.lines, evidence=pieces)


def images(modules: ProjectModules) -> Iterator[Given]:
    """What a project runs and takes of others, where that may be another project's name."""
    for given in modules.given:
        if given.clue.kind in _NAMED:
            name = image_of(given)
            if len(name) >= SHORTEST and name not in COMMON_WORDS | {normal(modules.name)}:
                yield given


def image_of(given: Given) -> str:
    """The image's name as names of projects compare."""
    return normal(given.clue.value)
