"""What one project's mentions lead to inside it: things, services, components, and what the rules made of its files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from extraction.occurrences.code import BASE
from extraction.occurrences.words import (
    CALL,
    COMPOUND,
    PUBLISH,
    SUBSCRIBE,
    bare,
    is_route,
    kind_in,
    stem,
    way_of,
    words_of,
)
from extraction.rules.clues import ANY, ENDPOINT, is_common_path, template
from extraction.rules.port import COMMON_WORDS
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.modules import Place
from indexing.resolution.references.links import (
    DEPLOYED,
    KINDS,
    REFERENCES,
    Constants,
    Entities,
    Link,
    Piece,
    in_one_program,
    made_at,
    relation_of,
)
from indexing.resolution.references.made import RUNS, made_links
from indexing.resolution.references.mentions import Known, Mentioned
from indexing.resolution.references.things import MADE, NAMED, RESOURCE, Thing
from indexing.resolution.services import SUFFIX, normal
from memory.entities import Entity

SINGLE: Final = frozenset({"queue", "topic", "bucket"})
"""What a setting of a program that is called so says by itself: that the program uses it."""
SYMBOL: Final = re.compile(r"(?:[\w-]+[./])+([A-Z]\w*)(?:(?:::|\.|#)\w+)?")
HANDLES: Final = re.compile(r"handler|command|image|entry|main|class", re.IGNORECASE)
SETTING: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
PARAMETER: Final = re.compile(r"\*|:\w+")


class Own:
    """Of one project; its things are in the catalogue once this is made."""

    def __init__(self, known: Known, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._services = catalogue.services[known.project]
        self._known = known
        self._resources = known.things.resources
        self.entities = Entities(known, catalogue)
        self._constants = Constants(catalogue.projects[known.project], self.entities)
        routed = [one for one in catalogue.projects[known.project].given if one.clue.kind == ENDPOINT]
        self._routers = {place.path for place, clue in routed if clue.side == "provides"}
        self._asked = {(place.path, clue.line) for place, clue in routed}
        """Where a rule has seen to whom a path leads."""
        self._makers = {t.path for t in known.things.all if t.kind == "function" and t.rank == MADE}
        self._handed: dict[str, list[tuple[Thing, Mentioned]]] = {}
        """The things that a setting hands to a program, by the setting's last name."""
        for one in known.mentions:
            key = one.key.rpartition(".")[2]
            thing = self._thing(one) if one.configured and SETTING.fullmatch(key) and one.name != key else None
            if thing is not None:
                self._handed.setdefault(key, []).append((thing, one))

    def client_of(self, cls: str, path: str) -> Entity | None:
        """The component of another place that a class is called the client of: `BagTrackerClient` of `bag_tracker`."""
        component = self._known.aliases.client_of(cls)
        apart = component is not None and component != self._known.components.of(path)
        return self.entities.component(component) if component and apart else None

    def speaking(self, place: Place) -> list[Entity]:
        """The code at a place, and the service or component whose code that is."""
        component = self._known.components.of(place.path)
        return self.entities.sources(Mentioned(place, "", 0, "", "", "", "", component))

    def to_project(self, one: Mentioned, other: Own) -> Link | None:
        """From a mention of a name that no service of its own bears to the other project that is called so."""
        if self._services.named(one.name) is not None or relation_of("service", one.role) == REFERENCES:
            return None
        target = other.entities.bearer()
        owner = self._catalogue.home(one.place)
        sources = [owner, *(source for source in self.entities.sources(one) if source != owner)]
        return Link(
            one, sources, target, "service", ((target.path, target.start_line, f"{target.kind} {target.name}"),)
        )

    def link(self, one: Mentioned, thing: Thing, target: Entity) -> Link:
        return Link(one, self.entities.sources(one), target, thing.kind, (made_at(thing),))

    def links(self) -> Iterator[Link]:
        """Everything that leads from a mention to something in the same project."""
        yield from made_links(self._known, self.entities, self._catalogue)
        for one in self._known.mentions:
            yield from self._of(one)

    def _of(self, one: Mentioned) -> Iterator[Link]:
        if one.key == BASE:
            yield from self._base(one)
        elif is_route(one.name) and not one.resource:
            yield from self._endpoint(one)
        elif one.resource:
            yield from self._given(one)
        elif SETTING.fullmatch(one.name):
            yield from self._setting(one)
        elif thing := self._thing(one):
            yield from self._spelled(one, thing)
        elif found := self._by_rules(one) or self._service(one):
            yield found
        if symbol := SYMBOL.fullmatch(one.name):
            yield from self._symbol(one, symbol[1])

    def _to(self, one: Mentioned, thing: Thing, *pieces: Piece, certain: bool = False, handed: bool = False) -> Link:
        sources = self.entities.sources(one)
        return Link(one, sources, self.entities.of(thing), thing.kind, pieces, certain=certain, handed=handed)

    def _given(self, one: Mentioned) -> Iterator[Link]:
        """What a resource that runs something is given, or a workload's variable has."""
        thing = self._known.things.referred(one.place.path, one.name)
        thing = thing if thing is not None or one.is_reference else self._thing(one)
        mine = self._resources.get((one.place.path, one.resource))
        service = self._services.named(one.resource)
        runs = mine.kind in RUNS if mine is not None else service is not None
        if thing is None or thing is mine:
            return
        if mine is not None and mine.kind == "queue" and thing.kind == "topic" and one.is_reference:
            yield self._to(replace(one, role=SUBSCRIBE), thing, made_at(thing), certain=True)
        if not runs or (thing.kind in RUNS and one.is_reference and one.role != CALL):
            return
        if thing.kind in {"queue", "topic"} and one.role not in {PUBLISH, SUBSCRIBE}:
            called_so = thing.kind == "queue" and normal(thing.name).startswith(normal(one.resource.rpartition(".")[2]))
            part = self._known.components.of_service(service) if service is not None else None
            read = self._known.way_of_setting(one.key.rpartition(".")[2], part)
            way = way_of([one.key]) or self._sent(one.key) or (SUBSCRIBE if called_so else read)
            one = replace(one, role=way or one.role)
        if (thing.path, thing.line) != (one.place.path, one.line):
            yield self._to(one, thing, made_at(thing), certain=True, handed=True)
        elif thing.kind in SINGLE or thing.kind == "table":
            yield self._to(one, thing, certain=True, handed=True)

    def _sent(self, key: str) -> str:
        """A topic is sent to by whom it is handed, where subscriptions have names of their own."""
        own = words_of(key)
        if own[-1:] == ("subscription",):
            return SUBSCRIBE
        sent = own[-2:] == ("topic", "arn") or (own[-1:] == ("topic",) and self._known.has_subscriptions)
        return PUBLISH if sent else ""

    def _spelled(self, one: Mentioned, thing: Thing) -> Iterator[Link]:
        if (thing.path, thing.line) != (one.place.path, one.line):
            if thing.heard[0] and thing.component == one.component:
                path, line = thing.heard
                yield self._to(replace(one, role=PUBLISH), thing, (path, line, f"receives {thing.name}"))
            elif thing.rank == NAMED and thing.component == one.component and one.role and not one.configured:
                if relation_of(thing.kind, one.role) != REFERENCES:
                    yield self._to(one, thing, made_at(thing), certain=True)
            elif thing.component != one.component or thing.rank == RESOURCE:
                certain = one.is_set and thing.kind in SINGLE and bool(one.component.name)
                yield self._to(one, thing, made_at(thing), certain=certain, handed=bool(one.kind))
        elif thing.heard[0]:  # who receives it is the other piece
            path, line = thing.heard
            yield self._to(replace(one, role=PUBLISH), thing, (path, line, f"receives {thing.name}"))
        elif thing.kind in SINGLE and one.is_set and one.component.name:
            yield self._to(one, thing, certain=True, handed=True)

    def _setting(self, one: Mentioned) -> Iterator[Link]:
        """What code reads by the setting's name: the thing handed on under it, else the service called like it."""
        rows = self._handed.get(one.name, [])
        beside = [row for row in rows if row[1].component == one.component] if one.component.name else []
        alike = rows if stem(one.name) else []  # a bare `TABLE_NAME` is each component's own
        things = {id(thing): (thing, by) for thing, by in beside or alike}
        if len(things) == 1:
            thing, by = next(iter(things.values()))
            if thing.kind in {"queue", "topic"}:
                one = replace(one, role=self._sent(one.name) or one.role)
            if one.place.path != by.place.path:
                piece = (by.place.path, by.line, f"{one.name} is {by.name}")
                yield self._to(one, thing, piece, made_at(thing), certain=True, handed=True)
        elif rows:
            return
        elif service := self._services.named(SUFFIX.sub("", one.name)):
            target = self.entities.service(service)
            if target is not None and service is not self._services.owner(one.place.path):
                piece = (service.place.path, service.clue.line, f"service {service.name}")
                kind = "store" if service.store else "service"
                yield Link(one, self.entities.sources(one), target, kind, (piece,), certain=True, handed=True)
        else:
            found = [*self._base(one)]
            meant = None if found else self._known.things.named(one.name)
            yield from found or (self._spelled(one, meant) if meant else self._constants.links(one))

    def _base(self, one: Mentioned) -> Iterator[Link]:
        """The component that an address is called after: `gateway_url`, `ORDERS_API_URL`."""
        component = self._known.aliases.named(one.name) if bare(one.name) != "".join(words_of(one.name)) else None
        target = self.entities.component(component) if component and component != one.component else None
        if target is not None:
            piece = (target.path, target.start_line, f"{target.kind} {target.name}")
            service = self._services.named(component.name) if component and component.is_service else None
            kind = "store" if service is not None and service.store else "service"
            yield Link(one, self.entities.sources(one), target, kind, (piece,), handed=True)

    def _endpoint(self, one: Mentioned) -> Iterator[Link]:
        key = template(PARAMETER.sub("{}", one.name))
        found = [entity for entity in self.entities.found.get(key, ()) if entity.kind == "endpoint"]
        homes = {self._known.components.of(entity.path) for entity in found}
        where = one.place.path
        if one.role != CALL or where in self._routers or (where, one.line) in self._asked or is_common_path(key):
            return
        if len(homes) != 1 or one.component in homes or in_one_program(where, found[0].path):
            return
        fitting = [entity for entity in found if entity.name.partition(" ")[0] in {one.key, ANY}]
        entity = (fitting or found)[0]
        piece = (entity.path, entity.start_line, entity.name)
        whole = not key.startswith("/{}")  # what a router that is mounted elsewhere calls it is no whole path
        if whole and (fitting or len(found) == 1):
            yield Link(one, self.entities.sources(one), entity, "endpoint", (piece,))
        target = self.entities.service(self._services.owner(entity.path))
        source = self.entities.service(self._services.owner(one.place.path))
        if target is not None:
            yield Link(one, [source] if source else self.entities.sources(one), target, "service", (piece,))

    def _by_rules(self, one: Mentioned) -> Link | None:
        """A topic or table that the rules have found and some other component spells out."""
        found = [entity for entity in self.entities.found.get(normal(one.name), ()) if entity.kind != "endpoint"]
        if len(found) != 1 or normal(one.name) in COMMON_WORDS:
            return None
        entity = found[0]
        alike = one.role or one.kind or entity.name.casefold() == one.name.casefold()
        telling = COMPOUND.search(one.name) or KINDS.get(one.kind) == entity.kind
        here = self._known.components.of(entity.path) == one.component
        if entity.kind == "workflow":  # each in a file of its own
            here = entity.path == one.place.path or not one.role
        if not (alike and telling) or here:
            return None
        piece = (entity.path, entity.start_line, f"{entity.kind} {entity.name}")
        return Link(one, self.entities.sources(one), entity, entity.kind, (piece,), handed=bool(one.kind))

    def _service(self, one: Mentioned) -> Link | None:
        """A service that another one, or a component that is none, spells out by a name of several words."""
        service = self._services.named(one.name) if COMPOUND.search(one.name) else None
        target = self.entities.service(service)
        mine = self._services.owner(one.place.path)
        if service is None or target is None or mine is service or not one.component.name:
            return None
        piece = (service.place.path, service.clue.line, f"service {service.name}")
        kind = "store" if service.store and one.role == CALL else "service"
        return Link(one, self.entities.sources(one), target, kind, (piece,), handed=kind == "store")

    def _symbol(self, one: Mentioned, name: str) -> Iterator[Link]:
        """A class by its full name, in another component or in infrastructure."""
        target = self.entities.classes.get(name)
        if target is None or self._known.components.of(target.path) == one.component or target.path == one.place.path:
            return
        runs = bool(HANDLES.search(one.key) or one.resource or one.place.path in self._makers)
        piece = (target.path, target.start_line, f"{target.kind} {target.name}")
        yield Link(one, self.entities.sources(one), target, DEPLOYED if runs else "symbol", (piece,))

    def _thing(self, one: Mentioned) -> Thing | None:
        """The thing of a name: one plain word is none by itself, nor is another spelling without a role or a kind."""
        things = self._known.things
        found = things.named(one.name, one.kind) or things.fitting(one.name, kind_in(one.name))
        more = one.role or one.kind
        if found is None or (not more and one.name.casefold() not in {name.casefold() for name in found.names}):
            return None
        agreed = one.kind and KINDS.get(one.kind, one.kind) == KINDS.get(found.kind, found.kind)
        return found if COMPOUND.search(one.name) or (agreed and normal(one.name) not in COMMON_WORDS) else None
