"""The entities: what of all facts becomes a node.

Tables that classes only say they have: where a project creates a table of that name, that one is meant; else the first
class that names it counts as it, and it is owned only if one service's classes alone do. None is owned that a later
migration drops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Final

from extraction.facts import Clue, FileFacts
from extraction.rules.clues import DROPPED, MAPPED
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.resolution.packages import OF_CODE, family_of
from indexing.resolution.services import Services, normal
from memory.entities import Entity

PUBLIC_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}")
DIGITS: Final = re.compile(r"(\d{1,20})")
MANIFESTS: Final = ("pyproject.toml", "package.json", "setup.cfg", "METADATA", "README.md", "README.rst")


class MappedTables:
    """Of one project; `hidden` has the places of definitions that stand for no table."""

    def __init__(self, modules: ProjectModules, services: Services) -> None:
        given = [one for one in modules.given if one.clue.kind == "table" and one.clue.side == "provides"]
        created = {clue.key for _, clue in given if clue.value != MAPPED}
        first: dict[str, Place] = {}
        owners: dict[str, set[str]] = {}
        hidden = set()
        for place, clue in given:
            if clue.value != MAPPED:
                continue
            owner = services.owner(place.path)
            owners.setdefault(clue.key, set()).add(owner.name if owner else "")
            if clue.key in created or first.setdefault(clue.key, place) != place:
                hidden.add(place)
        self.hidden = frozenset(hidden)
        self._shared = {key for key, names in owners.items() if len(names) > 1}
        self._dropped: dict[str, list[str]] = {}
        for place, clue in modules.given:
            if clue.kind == DROPPED:
                self._dropped.setdefault(clue.key, []).append(place.path)

    def is_owned(self, place: Place, clue: Clue) -> bool:
        if any(_is_later(path, place.path) for path in self._dropped.get(clue.key, ())):
            return False
        return clue.value != MAPPED or (place not in self.hidden and clue.key not in self._shared)


def _is_later(path: str, other: str) -> bool:
    """Whether a migration comes after another of its series, which stand in one folder, or each in one of its own."""
    one, two = PurePosixPath(path), PurePosixPath(other)
    beside = one.parent == two.parent or one.parent.parent == two.parent.parent
    return beside and _in_order(path) > _in_order(other)


def _in_order(path: str) -> list[tuple[int, str]]:
    """`V9` before `V10`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in DIGITS.split(path)]


class Catalogue:
    """Entities by place. Of constants, those written as such: `DEFAULT_TIMEOUT`, not `logger`; each service once.
    projects, services: those that it is made of, by project.
    """

    def __init__(self, projects: Mapping[str, ProjectModules], services: Mapping[str, Services]) -> None:
        self._entities: dict[str, dict[Place, Entity]] = {name: {} for name in projects}
        """By project."""
        self._packages: dict[Place, Entity] = {}
        self._folders: dict[tuple[str, str], Entity] = {}
        self.projects = projects
        self.services = services
        self.mapped = {name: MappedTables(modules, services[name]) for name, modules in projects.items()}
        for name, modules in projects.items():
            if modules.files:
                self.add(Place(name), _project(name, modules.files))
            for path, dotted in modules.module_names.items():
                home = modules.shared.home(path)  # one module for all files of a package
                facts = modules.files[home]
                self.add(Place(name, path), Entity(dotted, "module", name, home, 1, facts.lines, facts.summary))
            for path in modules.files:
                self._name_package(name, modules.files[path], services[name])
                for d in modules.definitions(path).values():
                    place = Place(name, path, d.name)
                    if d.kind == "service" and place not in services[name].shown:
                        continue  # defined better elsewhere
                    if d.kind == "table" and place in self.mapped[name].hidden:
                        continue
                    if d.kind != "constant" or PUBLIC_CONSTANT.fullmatch(d.name):
                        self.add(place, Entity(d.name, d.kind, name, path, d.start_line, d.end_line, d.summary))

    def _name_package(self, project: str, facts: FileFacts, services: Services) -> None:
        """A package that is called neither as its project nor as the service that it is."""
        for clue in facts.clues:
            name = clue.value.rpartition(":")[2]
            if clue.side == "needs" or not clue.kind.endswith("package") or normal(name) in {"", normal(project)}:
                continue
            service = services.named(name)
            if service is None or service is not services.owner(facts.path):
                entity = Entity(name, "package", project, facts.path, clue.line, clue.line, clue.says)
                self.add(Place(project, facts.path, f"package {name}"), entity)
                self._packages.setdefault(Place(project, facts.path), entity)
                self._folders.setdefault((project, facts.path.rpartition("/")[0]), entity)

    def package(self, place: Place) -> Entity | None:
        """The package that a manifest names, where it is not its project's or service's own name."""
        return self._packages.get(Place(place.project, place.path))

    def _package_around(self, place: Place) -> Entity | None:
        """The package in whose folder a file is, the innermost; one of the whole project tells no more than that."""
        folder = place.path
        while folder := folder.rpartition("/")[0]:
            if (found := self._folders.get((place.project, folder))) is not None:
                return found
        return None

    def add(self, place: Place, entity: Entity) -> None:
        """Take in what only several files together say."""
        self._entities[place.project][place] = entity

    def at(self, place: Place) -> Entity | None:
        return self._entities.get(place.project, {}).get(place)

    def around(self, place: Place) -> Entity:
        """The entity of the top-level definition at this place, or of its module, or of its project."""
        return (
            self.defined(place.top)
            or self.at(Place(place.project, place.path))
            or self._entities[place.project][Place(place.project)]
        )

    def defined(self, place: Place) -> Entity | None:
        """The entity of a definition, which another file of its package may begin."""
        if not place.name:
            return None
        home = self.projects[place.project].home(place.path, place.name)
        return self.at(Place(place.project, home, place.name)) or self.at(place)

    def speaker(self, place: Place) -> Entity:
        """What a file's imports belong to: of a package's file the one class that it defines, else its module."""
        if family_of(place.path):
            definitions = self.projects[place.project].definitions(place.path).values()
            tops = [d for d in definitions if not d.parent and d.kind in OF_CODE - {"constant", "namespace"}]
            alone = tops[0] if len(tops) == 1 and tops[0].kind != "function" else None
            if alone and (found := self.defined(Place(place.project, place.path, alone.name))):
                return found
        return self.around(place)

    def owner(self, place: Place) -> Entity | None:
        service = self.services[place.project].owner(place.path)
        return self.at(service.place) if service else None

    def home(self, place: Place) -> Entity:
        """The service whose code a place is, else the package, else the project."""
        return self.owner(place) or self._package_around(place) or self._entities[place.project][Place(place.project)]

    def speakers(self, place: Place) -> Iterator[Entity]:
        """The service whose code a place is, else the package, and the code there."""
        owner, around = self.owner(place) or self._package_around(place), self.around(place)
        if owner is not None:
            yield owner
        if around.kind != "project" or owner is None:
            yield around

    def given(self) -> Iterator[Given]:
        return (one for project in sorted(self.projects) for one in self.projects[project].given)

    def entities(self, project: str | None = None) -> list[Entity]:
        """Those of a project, or all of them, by id."""
        some = self._entities.values() if project is None else [self._entities[project]]
        return sorted({e.id: e for own in some for e in own.values()}.values(), key=lambda e: e.id)


def _project(name: str, files: Mapping[str, FileFacts]) -> Entity:
    """A project is where its manifest names it, else in its README, else in its first file."""

    def rank(path: str) -> tuple[int, int, str]:
        file = path.rsplit("/", 1)[-1]
        return (
            path.count("/") - path.endswith(".dist-info/METADATA"),
            MANIFESTS.index(file) if file in MANIFESTS else len(MANIFESTS),
            path,
        )

    path = min(files, key=rank)
    named = [c for c in files[path].clues if c.side == "provides" and c.relation == "DEPENDS_ON"]
    line = named[0].line if named else 1
    summary = named[0].says if named else files[path].summary
    return Entity(name, "project", name, path, line, line, summary)
