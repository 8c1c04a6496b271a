"""Edges that the rules give: a `needs` and a `provides` of one kind and key are two pieces that agree.

A project's own provider comes first, and of several tables of a name that of the same service: where there is one,
others are not meant. A common word (`users`) is no evidence between projects, nor is a table of one word (`products`).
The kinds that addresses.py, endpoints.py and topics.py read are left to them. A config key takes one clue: both ends
are in one project, and the line that names the key is the whole proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from extraction.facts import Clue
from extraction.rules.clues import CONVENTION, SQL
from extraction.rules.images import IMAGE, REPOSITORY
from extraction.rules.port import COMMON_WORDS
from extraction.rules.services import ALIAS
from extraction.rules.structure.statements.code import CONFIG_KEY
from extraction.rules.topics import is_compound
from indexing.resolution.addresses import KINDS
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.endpoints import ENDPOINTS
from indexing.resolution.modules import Given, Place
from indexing.resolution.stubs import STUBS
from indexing.resolution.topics import TOPICS
from memory.entities import Entity

SHORTEST: Final = 4
ELSEWHERE: Final = KINDS | TOPICS | ENDPOINTS | STUBS | {CONFIG_KEY, ALIAS, REPOSITORY}


def is_package(clue: Clue) -> bool:
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
            for source, target in _dependent(need.place, provided.place, catalogue):
                edges.add_given(source, need.clue.relation, target, need, provided)


def _dependent(place: Place, at: Place, catalogue: Catalogue) -> Iterator[tuple[Entity, Entity]]:
    source, target = catalogue.at(Place(place.project)), catalogue.at(Place(at.project))
    package = catalogue.package(at)
    if place.project == at.project:
        source = catalogue.package(place) or catalogue.owner(place) or source
        target = package or catalogue.owner(at)
        package = None
    for end in (target, package):
        if source is not None and end is not None:
            yield source, end


def is_key_space(name: str) -> bool:
    """Whether a table is what keys of a store begin with."""
    return ":" in name


def is_joined(clue: Clue) -> bool:
    """Whether it is joined with another by its kind and key here."""
    return clue.kind not in ELSEWHERE and not is_package(clue)


def add_clue_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add an edge for each need and each of its providers, and OWNS_TABLE for what a service or project defines."""
    providers: dict[tuple[str, str], dict[str, list[Given]]] = {}
    needs: list[Given] = []
    ends = _Ends(catalogue)
    for given in catalogue.given():
        (place, clue), project = given, given.place.project
        if not is_joined(clue):
            continue
        if clue.side == "needs":
            needs.append(given)
        elif place not in catalogue.mapped[project].hidden:
            providers.setdefault((clue.kind, clue.key), {}).setdefault(project, []).append(given)
            _owned(given, ends, catalogue, edges)
    _join(needs, providers, ends, edges)
    by_key: dict[tuple[str, str], list[Given]] = {}
    for one in needs:
        by_key.setdefault((one.clue.kind, one.clue.key), []).append(one)
    for (kind, key, project), provided in _unmade(needs, providers, catalogue).items():
        users = [one for one in by_key[kind, key] if one.place.project == project or is_key_space(key)]
        _join(users, {(kind, key): {project: [provided]}}, ends, edges)


def _unmade(
    needs: list[Given], providers: Mapping[tuple[str, str], Mapping[str, list[Given]]], catalogue: Catalogue
) -> dict[tuple[str, str, str], Given]:
    """Tables that a project's SQL or driver calls use, and its files do not create: they are where they are used. Keys
    of a store that several programs use are each other's.
    """
    found: dict[tuple[str, str, str], Given] = {}
    for place, clue in needs:
        key = (clue.kind, clue.key, place.project)
        made = place.project in providers.get(key[:2], {}) or key in found
        if clue.value == SQL and not made and len(clue.key) >= SHORTEST:
            at = Place(place.project, place.path, f"table {clue.key}")
            summary = f"a table that {place.path} uses"
            catalogue.add(at, Entity(clue.key, "table", place.project, place.path, clue.line, clue.line, summary))
            found[key] = Given(at, replace(clue, entity=at.name))
    return found


def _join(
    needs: list[Given], providers: Mapping[tuple[str, str], Mapping[str, list[Given]]], ends: _Ends, edges: Edges
) -> None:
    for need in needs:
        place, clue = need
        by_project = providers.get((clue.kind, clue.key), {})
        own = by_project.get(place.project)
        named = clue.key not in COMMON_WORDS and (clue.kind != "table" or is_compound(clue.key))
        elsewhere = () if clue.value == CONVENTION else (by_project[name] for name in sorted(by_project))
        for provided in ends.nearest(place, own) if own else [one for others in elsewhere for one in others]:
            target = ends.of(*provided)
            for source in ends.needing(place, clue) if target is not None else ():
                if target is not None and not _is_its_project(source, target):
                    edges.add_given(source, clue.relation, target, need, provided, confirmed=own is not None or named)


def _is_its_project(source: Entity, target: Entity) -> bool:
    """Whether one is the project of the other: what is built there runs there, too."""
    return target.kind == "project" and target.project == source.project


class _Ends:
    """What a clue belongs to: its definition, else the service or package of its file, else the project."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._services = catalogue.services
        self._catalogue = catalogue

    def of(self, place: Place, clue: Clue) -> Entity | None:
        if clue.kind == "table" and (unmade := self._catalogue.at(place)) is not None and unmade.kind == "table":
            return unmade
        if clue.kind == "table":
            return self._catalogue.around(place)
        if clue.kind == IMAGE and not clue.entity:
            return self._catalogue.at(Place(place.project))
        return self._catalogue.at(place) if clue.entity else self._catalogue.home(place)

    def needing(self, place: Place, clue: Clue) -> Iterator[Entity]:
        """A table is needed by what says so in the code, and by the service or the project whose code that is."""
        own = self.of(place, clue)
        if clue.relation == "USES_TABLE":
            yield self._catalogue.home(place)
            own = own if own is not None and own.kind != "project" else None
        if own is not None:
            yield own

    def nearest(self, place: Place, given: list[Given]) -> list[Given]:
        """Of a project's own those of the file's service, if it has any: each service may have tables of its own."""
        services = self._services[place.project]
        owner = services.owner(place.path)
        beside = [one for one in given if one.clue.kind == "table" and services.owner(one.place.path) is owner]
        return beside if owner is not None and beside else given

    def owning(self, place: Place) -> Iterator[Entity]:
        """The owner, and of a database that is one service's own, that service."""
        yield self._catalogue.home(place)
        services = self._services[place.project]
        store = services.owner(place.path)
        served = services.served_by(store) if store else None
        entity = self._catalogue.at(served.place) if served else None
        if entity is not None:
            yield entity


def _owned(given: Given, ends: _Ends, catalogue: Catalogue, edges: Edges) -> None:
    place, clue = given
    owned = catalogue.at(place)
    if clue.relation == "OWNS_TABLE" and owned is not None and catalogue.mapped[place.project].is_owned(place, clue):
        for owner in ends.owning(place):
            edges.add_given(owner, "OWNS_TABLE", owned, given)


def add_config_key_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add the keys, each once a project, where it is read first; and READS of the code and its service."""
    for project in sorted(catalogue.projects):
        read: dict[str, list[Given]] = {}
        for given in catalogue.projects[project].given:
            if given.clue.kind == CONFIG_KEY:
                read.setdefault(given.clue.key, []).append(given)
        for key, readings in read.items():
            first, clue = readings[0]
            entity = Entity(key, "config_key", project, first.path, clue.line, clue.line)
            catalogue.add(Place(project, "", f"{CONFIG_KEY} {key}"), entity)
            for given in readings:
                for reader in catalogue.speakers(given.place):
                    edges.add_given(reader, given.clue.relation, entity, given)
