"""A mention and what it leads to: the places that prove it, the relation that it is, and how rare its name is.

Rarity is the inverse document frequency, from 1 (in one component) down to 0 (in all). K. Spärck Jones: A statistical
interpretation of term specificity and its application in retrieval (1972), with components in place of documents. Only
the projects at both ends are counted, never all that are indexed: a project that the caller may not see would change by
its words what the caller is shown.

Of constants and settings that stand for what they are called (`CHARGES_QUEUE`) nothing says the thing's own name. Where
one is handed to a call that says what is done, the call is related to the constant or setting itself: the place of the
call and the one that defines it are the evidence.

What names lead to are the entities that the rules made, and new ones for things, files and components: which there are
is decided by the project's own files alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

from extraction.kinds import language_of
from extraction.occurrences import PLAIN
from extraction.occurrences.words import CALL, DEPEND, KEEPERS, PLACES, PUBLISH, STORE, SUBSCRIBE, kind_in, words_of
from extraction.rules.clues import template
from extraction.rules.services import COMMON_FOLDERS
from extraction.rules.structure.statements.code import CONFIG_KEY
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.modules import Place, ProjectModules
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
    """What names lead to in one project; its things are in the catalogue once this is made."""

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

    def bearer(self) -> Entity:
        """What is called as the project: its service of that name, else the project."""
        return self.service(self._services.named(self._project)) or self._catalogue.around(Place(self._project))

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


Piece = tuple[str, int, str]
REFERENCES: Final = "REFERENCES"
OWN: Final = "own"
TYPES: Final = {
    ("table", OWN): "OWNS_TABLE",
    ("topic", PUBLISH): "PUBLISHES",
    ("topic", SUBSCRIBE): "SUBSCRIBES",
    ("table", SUBSCRIBE): "SUBSCRIBES",
    ("bucket", SUBSCRIBE): "SUBSCRIBES",
    ("table", STORE): "USES_TABLE",
    ("bucket", STORE): "STORES_IN",
    ("service", CALL): "CALLS",
    ("function", CALL): "CALLS",
    ("function", PUBLISH): "CALLS",
    ("endpoint", CALL): "INVOKES",
    ("workflow", CALL): "INVOKES",
    ("workflow", PUBLISH): "INVOKES",
    ("workflow", SUBSCRIBE): "DEPENDS_ON",
    ("workflow", DEPEND): "DEPENDS_ON",
    ("service", DEPEND): "DEPENDS_ON",
}
DEPLOYED: Final = "deployed"
"""What infrastructure runs, whatever the words around it."""
HANDED: Final = {"store": "STORES_IN", "table": "USES_TABLE", "bucket": "STORES_IN", "service": "CALLS"}
"""What a program that is handed the name of such a thing does with it: there is but one use."""
RARE = 0.4
"""What it takes where nothing but the name speaks for a relation: in 3 of 8 components (.5), not in 4 (.37)."""
SAID = 0.15
"""What it takes where the words around say what is done with it."""
NAMES_OF_THINGS: Final = frozenset({"constant", "config_key"})


@dataclass(frozen=True, slots=True)
class Link:
    """A mention, what it leads to and of which kind that is, and the places that prove it beside the mention's own.

    certain: whether a setting hands the very thing on, so that the name's rarity has nothing to say; handed: by a
    setting.
    """

    mention: Mentioned
    sources: Sequence[Entity]
    target: Entity
    kind: str
    pieces: tuple[Piece, ...]
    certain: bool = False
    handed: bool = False


def in_one_program(path: str, other: str) -> bool:
    """Whether two files share a first folder that says which program they are of: it asks others, not itself."""
    top = path.partition("/")[0]
    return "/" in path and other.startswith(f"{top}/") and top.lower() not in COMMON_FOLDERS


def made_at(thing: Thing) -> Piece:
    return thing.path, thing.line, f"{VERBS[thing.rank]} the {thing.kind} {thing.name}"


def relation_of(kind: str, role: str, *, handed: bool = False) -> str:
    """The type; REFERENCES where words do not tell. handed: by a setting of its own, as a name in `ORDERS_TABLE`."""
    if kind == DEPLOYED:
        return "DEPLOYS"
    kind = "topic" if kind == "queue" else "service" if kind == "job" else kind
    return TYPES.get((kind, role)) or (HANDED.get(kind) if handed else None) or REFERENCES


def rarity(spread: int, components: int) -> float:
    """A name's weight in `spread` of so many components: log((n + 1) / spread) / log(n + 1), in hundredths."""
    every = max(components, 1) + 1
    return round(max(0.0, log(every / max(spread, 1)) / log(every)), 2)


class Constants:
    def __init__(self, modules: ProjectModules, entities: Entities) -> None:
        self._files = modules.files
        self._entities = entities
        self._by_name: dict[str, Entity | None] = {}
        """By their last name; None for a name of several."""
        for entity in entities.of_kinds(NAMES_OF_THINGS):
            name = entity.name.rpartition(".")[2]
            self._by_name[name] = None if name in self._by_name else entity
        self._read = {(place.path, clue.line, clue.key) for place, clue in modules.given if clue.kind == CONFIG_KEY}

    def links(self, one: Mentioned) -> Iterator[Link]:
        """From the code that hands a constant or setting to a call."""
        target, last = self._by_name.get(one.name), words_of(one.name)[-1]
        kind = "service" if last in PLACES else kind_in(one.name)
        if last == "key" and self._is_kept(one):
            kind, one = "bucket", replace(one, role=STORE)
        if target is None or self._is_reading(one) or relation_of(kind, one.role) == REFERENCES:
            return
        if target.kind == "config_key" or (target.path, target.start_line) != (one.place.path, one.line):
            piece = (target.path, target.start_line, f"{target.kind.replace('_', ' ')} {target.name}")
            yield Link(one, self._entities.sources(one), target, kind, (piece,), certain=True)

    def _is_reading(self, one: Mentioned) -> bool:
        """Whether the setting is only read there: `os.environ["A_URL"]`, which says nothing of what is done with it."""
        return (one.place.path, one.line, one.name) in self._read and one.key != one.name

    def _is_kept(self, one: Mentioned) -> bool:
        """Whether a call at the place is on a cache or a store."""
        calls = (ref for ref in self._files[one.place.path].references if ref.line == one.line)
        return any(not KEEPERS.isdisjoint(words_of(ref.receiver.rpartition(".")[2])) for ref in calls)
