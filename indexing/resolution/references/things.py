"""What a project makes under a name: resources of its infrastructure, what code declares, what settings and constants
name.

Of one project alone, so that no other decides what is a thing here. Names of one thing are aliases: its logical name,
its own, and the setting or constant that has it. A name that several things bear selects none of them by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from extraction.facts import READ, REFERENCE, Occurrence
from extraction.occurrences.code import BASE
from extraction.occurrences.words import COMPOUND, KINDS, MESSAGES, PUBLISH, SUBSCRIBE, is_route, stem, words_of
from extraction.rules.port import COMMON_WORDS
from indexing.resolution.modules import ProjectModules
from indexing.resolution.references.components import Component, Components
from indexing.resolution.services import normal

RESOURCE: Final = 1
"""Infrastructure has it as a resource,"""
MADE: Final = 2
"""code makes it,"""
NAMED: Final = 3
"""or a setting, a constant or what is sent and received on both sides only calls something so."""
SYMBOL: Final = re.compile(r"(?:\w+[./])+[A-Z]\w*(?:(?:::|\.|#)\w+)?|.*\.\w{2,4}")
CODE: Final = ("named ", "set ")
SHORTEST: Final = 4
ANY_FILE: Final = frozenset(
    {"template", "main", "serverless", "resources", "stack", "infra", "index", "deployment", "app"}
)
"""Files that are called alike everywhere."""


@dataclass(slots=True)
class Thing:
    """One thing: how it is called and of what kind, where it is made, and every name that leads to it."""

    name: str
    kind: str
    path: str
    line: int
    rank: int
    component: Component
    names: set[str] = field(default_factory=set)
    scope: str = ""
    heard: tuple[str, int] = ("", 0)
    """Where a thing that no file makes is received from."""


class Things:
    """Looks up by name; what is found is one thing or none."""

    def __init__(self, modules: ProjectModules, components: Components) -> None:
        self._components = components
        grouped: dict[tuple[str, str], Thing] = {}
        self.resources: dict[tuple[str, str], Thing] = {}
        for path, facts in sorted(modules.files.items()):
            for one in facts.occurrences:
                if one.kind and one.kind not in {REFERENCE, READ}:
                    self._take(path, one, grouped)
        united: dict[tuple[str, str], Thing] = {}
        for thing in sorted(grouped.values(), key=lambda t: (t.rank, t.path, t.line, t.name)):
            _unite(thing, united)
        for thing in sorted(self._spoken(modules), key=lambda t: (t.path, t.line, t.name)):
            if not any(normal(thing.name) == normal(name) for other in united.values() for name in other.names):
                _unite(thing, united)
        self.all = sorted(united.values(), key=lambda t: (t.path, t.line, t.name))
        there = ((key, united.get(_key(t))) for key, t in self.resources.items())
        self.resources = {key: thing for key, thing in there if thing is not None}
        self._by_name: dict[str, list[Thing]] = {}
        self._by_stem: dict[tuple[str, str], list[Thing]] = {}
        self._look_up()

    def _look_up(self) -> None:
        for thing in self.all:
            for name in sorted({normal(name) for name in thing.names}):
                self._by_name.setdefault(name, []).append(thing)
            ends = {stem(name.rpartition(".")[2]) for name in thing.names}
            if ends == {""}:
                ends = {stem(thing.name.partition(".")[0])}  # `warehouse.Table`, after its folder
            for short in sorted(ends - {""}):
                self._by_stem.setdefault((_kind(thing.kind), short), []).append(thing)

    def _take(self, path: str, one: Occurrence, grouped: dict[tuple[str, str], Thing]) -> None:
        kind = one.kind.rpartition(" ")[2]
        rank = NAMED if one.kind.startswith(CODE) else MADE if one.key.startswith("@") else RESOURCE
        group = f"{one.name} {one.line}" if rank == NAMED else one.key or one.name
        thing = grouped.get((path, group))
        if thing is None:
            shown = _shown(one.name, path) if rank == RESOURCE else one.name
            thing = Thing(shown, kind, path, one.line, rank, self._components.of(path), scope=one.scope)
            grouped[path, group] = thing
        elif rank == RESOURCE or (rank == MADE and len(stem(one.name)) > len(stem(thing.name))):
            thing.name = one.name  # its own name rather than the one it has in the template
        thing.names |= {one.name} | ({one.key} if rank == NAMED and one.key else set())
        if rank == RESOURCE:
            self.resources[path, group] = thing

    def _spoken(self, modules: ProjectModules) -> Iterator[Thing]:
        """Names that one component sends to and another receives from: no file makes them, and both know them."""
        spelled: dict[str, list[tuple[str, Occurrence]]] = {}
        received: dict[str, list[tuple[Component, str, int]]] = {}
        for path, facts in sorted(modules.files.items()):
            for one in facts.occurrences:
                other = one.kind or one.key == BASE or one.name.isupper() or is_route(one.name)
                if other or not COMPOUND.search(one.name):
                    continue
                if one.role == SUBSCRIBE:
                    received.setdefault(normal(one.name), []).append((self._components.of(path), path, one.line))
                elif one.role == PUBLISH or (not one.role and not MESSAGES.isdisjoint(words_of(one.key))):
                    spelled.setdefault(normal(one.name), []).append((path, one))
        for name in sorted(spelled.keys() & received.keys()):
            path, one = min(spelled[name], key=lambda row: (row[1].role != PUBLISH, row[0], row[1].line))
            home = self._components.of(path)
            apart = [(where, line) for part, where, line in received[name] if part != home]
            if apart and SYMBOL.fullmatch(one.name) is None:
                yield Thing(one.name, "topic", path, one.line, NAMED, home, {one.name}, heard=apart[0])

    def named(self, name: str, kind: str = "") -> Thing | None:
        """The one thing of a name; of several that of the kind that the words around say, if it is one."""
        found = self._by_name.get(normal(name), [])
        if len(found) > 1 and kind:
            found = [thing for thing in found if _kind(thing.kind) == _kind(kind)]
        return found[0] if len(found) == 1 else None

    def referred(self, path: str, name: str) -> Thing | None:
        """What a template refers to: a resource of the same file, in Terraform of the same folder."""
        if found := self.resources.get((path, name)):
            return found
        folder = path.rpartition("/")[0]
        rows = self.resources.items() if "." in name else ()
        near = [thing for (at, known), thing in rows if known == name and at.rpartition("/")[0] == folder]
        return near[0] if len(near) == 1 else None

    def fitting(self, name: str, kind: str) -> Thing | None:
        """The one resource whose name differs only by words that say the kind: `HARVESTER_QUEUE`, `HarvesterSqs`."""
        short = stem(name)
        found = self._by_stem.get((_kind(kind), short), []) if kind and len(short) >= SHORTEST else []
        return found[0] if len(found) == 1 and found[0].rank == RESOURCE else None


def _unite(thing: Thing, united: dict[tuple[str, str], Thing]) -> None:
    """Take in what is called alike and of one kind: what is made more surely gives the place, all give their names."""
    plain = thing.name.lower()
    if plain in COMMON_WORDS or plain in KINDS or len(plain) < SHORTEST:
        return
    known = united.setdefault(_key(thing), thing)
    known.names |= thing.names


def _key(thing: Thing) -> tuple[str, str]:
    """What has but a logical name is its template's alone: each may have its `Table`."""
    alone = thing.rank == RESOURCE and len(thing.names) == 1
    return _kind(thing.kind), f"{thing.path} {thing.name}" if alone else normal(thing.name)


def _kind(kind: str) -> str:
    return "topic" if kind == "queue" else kind


def _shown(name: str, path: str) -> str:
    """A resource's name; with its file's or folder's, where it only says what kind it is: `harvester.Sqs`."""
    label = name.rpartition(".")[2]
    if stem(label):
        return label
    folder, _, file = path.rpartition("/")
    title = file.partition(".")[0]
    return f"{folder.rpartition('/')[2] if title in ANY_FILE and folder else title}.{label}"
