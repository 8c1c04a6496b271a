"""The entities: what of all facts becomes a node."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.resolution.mapped_tables import MappedTables
from indexing.resolution.names import Place
from indexing.resolution.packages import OF_CODE, family_of
from indexing.resolution.services import normal
from memory.entities import Entity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from indexing.facts import Definition, FileFacts
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services

__all__ = ["Catalogue"]

PUBLIC_CONSTANT: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}")
MANIFESTS: Final = ("pyproject.toml", "package.json", "setup.cfg", "METADATA", "README.md", "README.rst")


class Catalogue:
    """Entities by place. Of constants, those written as such: `DEFAULT_TIMEOUT`, not `logger`; each service once."""

    def __init__(self, projects: Mapping[str, ProjectModules], services: Mapping[str, Services]) -> None:
        self._entities: dict[Place, Entity] = {}
        self._packages: dict[Place, Entity] = {}
        self._projects = projects
        self.mapped = {name: MappedTables(modules, services[name]) for name, modules in projects.items()}
        for name, modules in projects.items():
            if modules.files:
                self._entities[Place(name)] = _project(name, modules.files)
            for path, dotted in modules.module_names.items():
                home = modules.shared.home(path)  # one module for all files of a package
                facts = modules.files[home]
                self._entities[Place(name, path)] = Entity(dotted, "module", name, home, 1, facts.lines, facts.summary)
            for path in modules.files:
                self._name_package(name, modules.files[path], services[name])
                for d in modules.definitions(path).values():
                    place = Place(name, path, d.name)
                    if d.kind == "service" and place not in services[name].shown:
                        continue  # defined better elsewhere
                    if d.kind == "table" and place in self.mapped[name].hidden:
                        continue
                    if d.kind != "constant" or PUBLIC_CONSTANT.fullmatch(d.name):
                        self._entities[place] = _defined(name, path, d)

    def _name_package(self, project: str, facts: FileFacts, services: Services) -> None:
        """A package that is called neither as its project nor as the service that it is."""
        for clue in facts.clues:
            name = clue.value.rpartition(":")[2]
            if clue.side == "needs" or not clue.kind.endswith("package") or normal(name) in {"", normal(project)}:
                continue
            service = services.named(name)
            if service is None or service is not services.owner(facts.path):
                entity = Entity(name, "package", project, facts.path, clue.line, clue.line, clue.says)
                self._entities[Place(project, facts.path, f"package {name}")] = entity
                self._packages.setdefault(Place(project, facts.path), entity)

    def package(self, place: Place) -> Entity | None:
        """The package that a manifest names, where it is not its project's or service's own name."""
        return self._packages.get(Place(place.project, place.path))

    def add(self, place: Place, entity: Entity) -> None:
        """Take in what only several files together say."""
        self._entities[place] = entity

    def at(self, place: Place) -> Entity | None:
        """The entity at exactly this place."""
        return self._entities.get(place)

    def around(self, place: Place) -> Entity:
        """The entity of the top-level definition at this place, or of its module, or of its project."""
        return (
            self.defined(place.top) or self.at(Place(place.project, place.path)) or self._entities[Place(place.project)]
        )

    def defined(self, place: Place) -> Entity | None:
        """The entity of a definition, which another file of its package may begin."""
        if not place.name:
            return None
        home = self._projects[place.project].home(place.path, place.name)
        return self.at(Place(place.project, home, place.name)) or self.at(place)

    def speaker(self, place: Place) -> Entity:
        """What a file's imports are said of: the one class that it defines, where its module is a package, else its module."""
        if family_of(place.path):
            definitions = self._projects[place.project].definitions(place.path).values()
            tops = [d for d in definitions if not d.parent and d.kind in OF_CODE - {"constant", "namespace"}]
            if (
                len(tops) == 1
                and tops[0].kind != "function"
                and (found := self.defined(Place(place.project, place.path, tops[0].name)))
            ):
                return found
        return self.around(place)

    def items(self) -> Iterator[tuple[Place, Entity]]:
        """All of them with their places."""
        return iter(self._entities.items())

    def entities(self) -> list[Entity]:
        """All of them, by id."""
        return sorted({e.id: e for e in self._entities.values()}.values(), key=lambda e: e.id)


def _defined(project: str, path: str, d: Definition) -> Entity:
    return Entity(d.name, d.kind, project, path, d.start_line, d.end_line, d.summary)


def _project(name: str, files: Mapping[str, FileFacts]) -> Entity:
    """A project stands where its manifest names it, else in its README, else in its first file."""

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
