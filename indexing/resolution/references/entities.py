"""The entities of what names lead to in one project: those that the rules made, and new ones for things, files and
components.

Which there are is decided by the project's own files alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from extraction.kinds import language_of
from extraction.occurrences import PLAIN
from extraction.rules.clues import template
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.modules import Place
from indexing.resolution.references.components import Component
from indexing.resolution.references.mentions import Known, Mentioned
from indexing.resolution.references.things import ANY_FILE, MADE, NAMED, RESOURCE, Thing
from indexing.resolution.services import Service, normal
from memory.entities import Entity

KINDS: Final = {"queue": "topic", "topic": "topic", "table": "table"}
"""Kinds of entities that there are; any other thing is a `resource`, a service or job a `service`."""
VERBS: Final = {RESOURCE: "has", MADE: "makes", NAMED: "names"}
FOUND: Final = frozenset({"topic", "table", "endpoint", "workflow"})
CLASSES: Final = frozenset({"class", "object", "interface", "struct", "module"})


class Entities:
    """Of one project; its things are in the catalogue once this is made."""

    def __init__(self, known: Known, catalogue: Catalogue) -> None:
        self._modules = catalogue.projects[known.project]
        self._services = catalogue.services[known.project]
        self._known = known
        self._catalogue = catalogue
        self._project = known.project
        self.found: dict[str, list[Entity]] = {}
        """What the rules have, by name, endpoints by template."""
        for entity in self.of_kinds(FOUND):
            name = template(entity.name.partition(" ")[2]) if entity.kind == "endpoint" else normal(entity.name)
            if entity not in self.found.setdefault(name, []):
                self.found[name].append(entity)
        self._name_files()
        self._things = {id(thing): self._made(thing) for thing in known.things.all}
        self.classes = self._by_class()

    def _name_files(self) -> None:
        """A file of code that no grammar reads, and a file of infrastructure, are modules by their names."""
        resources = {path for path, _ in self._known.things.resources}
        for path, facts in sorted(self._modules.files.items()):
            plain = facts.occurrences and language_of(path) in PLAIN
            if (plain or path in resources) and self._catalogue.at(Place(self._project, path)) is None:
                title = path.rpartition("/")[2].rpartition(".")[0] or path
                name = path.rpartition(".")[0] if title in ANY_FILE else title
                module = Entity(name, "module", self._project, path, 1, facts.lines, facts.summary)
                self._catalogue.add(Place(self._project, path), module)

    def _made(self, thing: Thing) -> Entity:
        """The one that the rules have of it, else a new one."""
        kind = KINDS.get(thing.kind, "service" if thing.kind in {"service", "job"} else "resource")
        known = next((e for e in self.found.get(normal(thing.name), ()) if e.kind == kind), None)
        if kind == "service" and (service := self._services.named(thing.name)):
            known = self.service(service)
        if known is not None:
            return known
        summary = f"{thing.path} {VERBS[thing.rank]} the {thing.kind} {thing.name}"
        entity = Entity(thing.name, kind, self._project, thing.path, thing.line, thing.line, summary)
        self._catalogue.add(Place(self._project, thing.path, f"{kind} {thing.name}"), entity)
        return entity

    def _by_class(self) -> dict[str, Entity | None]:
        """Classes by their last name, None for what several bear."""
        found: dict[str, Entity | None] = {}
        for entity in self.of_kinds(CLASSES):
            name = entity.name.rpartition(".")[2]
            if name[:1].isupper():
                found[name] = entity if found.get(name, entity) == entity else None
        return found

    def of_kinds(self, kinds: frozenset[str]) -> Iterator[Entity]:
        return (one for one in self._catalogue.entities(self._project) if one.kind in kinds)

    def of(self, thing: Thing) -> Entity:
        return self._things[id(thing)]

    def service(self, service: Service | None) -> Entity | None:
        return self._catalogue.at(service.place) if service is not None else None

    def module(self, path: str) -> Entity | None:
        return self._catalogue.at(Place(self._project, path))

    def component(self, component: Component) -> Entity | None:
        """A component's entity: its service's, else a package that its folder is."""
        if component.is_service:
            return self.service(self._services.named(component.name))
        place = Place(self._project, "", f"component {component.folder}")
        if component.name and self._catalogue.at(place) is None:
            summary = f"the component in {component.folder}"
            self._catalogue.add(place, Entity(component.name, "package", self._project, component.home, 1, 1, summary))
        return self._catalogue.at(place)

    def sources(self, one: Mentioned) -> list[Entity]:
        """The resource given the name, else the code that says it and the service or component whose code that is."""
        mine = self._known.things.resources.get((one.place.path, one.resource)) if one.resource else None
        if mine is not None:
            return [self.of(mine)]
        run = self.service(self._services.named(one.resource)) if one.resource else None
        if run is not None:
            return [run]
        speaking = [*self._catalogue.speakers(one.place)]
        if not one.component.is_service and (part := self.component(one.component)) is not None:
            speaking.append(part)
        module = self.module(one.place.path)
        speaking = [module if source.kind == "constant" and module else source for source in speaking]
        return [source for source in speaking if source.kind != "project"]
