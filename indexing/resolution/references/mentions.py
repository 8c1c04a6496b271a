"""What in a project spells out a name of something: occurrences, and the settings that code reads by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from extraction.facts import READ, REFERENCE, Occurrence
from extraction.occurrences.words import MESSAGES, STORE, is_route, kind_in, words_of
from extraction.rules.structure.statements.code import CONFIG_KEY
from indexing.resolution.modules import Place, ProjectModules
from indexing.resolution.references.components import Aliases, Component, Components
from indexing.resolution.references.things import Things
from indexing.resolution.services import Services, normal
from indexing.resolution.topics import STORED, WAYS, way_around

CONFIGURATION: Final = frozenset({"yaml", "yml", "json", "toml", "tf", "hcl", "conf", "properties", "ini", "env"})


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A name at a place; `role` is what is done with it there, `kind` what the words around say it is."""

    place: Place
    name: str
    line: int
    role: str
    kind: str
    key: str
    resource: str
    component: Component
    is_set: bool = False
    configured: bool = False
    is_reference: bool = False


class Known:
    """The things, components and mentions of one project."""

    def __init__(self, modules: ProjectModules, services: Services) -> None:
        self.project = modules.name
        self._modules = modules
        self.components = Components(modules, services)
        self.things = Things(modules, self.components)
        self.aliases = Aliases(modules, services, self.components)

    @cached_property
    def mentions(self) -> list[Mentioned]:
        """All of them, by file and line."""
        return [one for path in sorted(self._modules.files) for one in self._in(path)]

    def _in(self, path: str) -> Iterator[Mentioned]:
        facts = self._modules.files[path]
        component = self.components.of(path)
        configuration = facts.lang in CONFIGURATION
        for one in facts.occurrences:
            if one.kind == READ:
                yield from self._read(one, path, component)
                continue
            reference, is_set = one.kind == REFERENCE, one.kind.startswith("set ")
            named = one.kind.startswith("named ")
            if one.kind and not (reference or is_set or named):
                continue
            place = Place(self.project, path, "" if configuration else one.scope)
            role = one.role if configuration else self._way(path, one)
            kind = one.kind.rpartition(" ")[2] if is_set or named else kind_in(one.key) or kind_in(one.name)
            resource = one.scope if configuration else ""
            yield Mentioned(
                place, one.name, one.line, role, kind, one.key, resource, component, is_set, configuration, reference
            )
        for clue in facts.clues:
            if clue.kind == CONFIG_KEY:
                read = Occurrence(clue.key, clue.line, clue.entity)
                place = Place(self.project, path, clue.entity)
                yield Mentioned(place, clue.key, clue.line, self._way(path, read), kind_in(clue.key), "", "", component)

    def _read(self, one: Occurrence, path: str, component: Component) -> Iterator[Mentioned]:
        """What a constant or setting calls a table or bucket, where code uses it by the constant's name."""
        key, kind = normal(one.name.rpartition(".")[2]), kind_in(one.name)
        names = self._called.get((component, key)) or self._called.get((None, key), set())
        if kind in STORED and len(names) == 1:
            place = Place(self.project, path, one.scope)
            yield Mentioned(place, next(iter(names)), one.line, STORE, kind, one.key, "", component)

    @cached_property
    def _called(self) -> Mapping[tuple[Component | None, str], set[str]]:
        """What a component's constants and settings call so, by their own last names; under None all components'."""
        found: dict[tuple[Component | None, str], set[str]] = {}
        for path, facts in self._modules.files.items():
            for one in facts.occurrences:
                how, _, kind = one.kind.partition(" ")
                if how in {"named", "set"} and kind in STORED:
                    for component in (self.components.of(path), None):
                        key = normal(one.key.rpartition(".")[2])
                        found.setdefault((component, key), set()).add(one.name)
        return found

    def _way(self, path: str, one: Occurrence) -> str:
        """Which way messages go, where the line does not say: as the definition's calls, its name, or its file's."""
        kinds = {kind_in(one.key), kind_in(one.name)}
        if is_route(one.name) or one.role in WAYS or "table" in kinds or not (any(kinds) or _is_message(one)):
            return one.role
        return way_around(self._modules.files[path], one.scope) or one.role

    def way_of_setting(self, name: str, component: Component | None = None) -> str:
        """Which way code uses what it reads by a setting's name: a component's, else all code that reads it."""
        ways = self._ways.get((name, component), set())
        return next(iter(ways)) if len(ways) == 1 else ""

    @cached_property
    def _ways(self) -> Mapping[tuple[str, Component | None], set[str]]:
        found: dict[tuple[str, Component | None], set[str]] = {}
        for one in self.mentions:
            if one.name.isupper() and not one.resource and one.role in WAYS:
                for component in (one.component, None):
                    found.setdefault((one.name, component), set()).add(one.role)
        return found

    @cached_property
    def has_subscriptions(self) -> bool:
        """Whether settings tell topics from the subscriptions to them."""
        keys = (one.key if one.configured else one.name for one in self.mentions)
        return any(words_of(key)[-1:] == ("subscription",) for key in keys)

    @cached_property
    def spread(self) -> Mapping[str, int]:
        files = self._modules.files.items()
        places = {(normal(one.name), self.components.of(path)) for path, facts in files for one in facts.occurrences}
        return Counter(name for name, _ in places)

    @cached_property
    def parts(self) -> int:
        return len({self.components.of(path) for path, facts in self._modules.files.items() if facts.occurrences})


def _is_message(one: Occurrence) -> bool:
    """Whether it names a message by a field that says so."""
    return not MESSAGES.isdisjoint(words_of(one.key))
