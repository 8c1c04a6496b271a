"""One project's facts, ready to be looked up in, and how far its edges reach: what it offers for others to find, and
what it looks for in others.

Nothing of another project is looked at in a resolution but under a name that is asked for here and offered there. So a
project's edges stay as they are while nothing that it asks for changes: a build system's verifying trace (Mokhov,
Mitchell, Peyton Jones: Build Systems à la Carte, 2018, §4.2.2). Asking for too much costs time alone; asking for too
little would leave an edge behind.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from extraction.facts import HERE, Clue, FileFacts
from extraction.rules.clues import CONVENTION
from indexing.resolution.addresses import KINDS
from indexing.resolution.catalogue import MappedTables
from indexing.resolution.clues import is_joined, is_key_space, is_package
from indexing.resolution.deployments import image_of, images
from indexing.resolution.endpoints import ENDPOINTS
from indexing.resolution.modules import ProjectModules, separator_of, top_of
from indexing.resolution.packages import DECLARED, family_of, tops
from indexing.resolution.references import Known, asked_names, offered_names
from indexing.resolution.services import Services, normal
from indexing.resolution.stubs import PROTO, SERVER
from indexing.resolution.topics import topic_uses

TOPIC, PROJECT = "topic", "project"
NAMED: Final = "named"


@dataclass(frozen=True, slots=True)
class Reach:
    """Names with what kind of name they are: `table customers`, `. httpx`, `service payments`."""

    offers: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()

    def to_dict(self) -> dict[str, list[str]]:
        return {"offers": sorted(self.offers), "asks": sorted(self.asks)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reach:
        return cls(frozenset(data["offers"]), frozenset(data["asks"]))


@dataclass(frozen=True, slots=True)
class Extent:
    """How far a change goes. sources: whose edges may be others now; needed: those whose facts tell."""

    sources: frozenset[str]
    needed: frozenset[str]


def extent_of(now: Mapping[str, Reach], before: Mapping[str, Reach]) -> Extent:
    """now: every project's; before: of those that changed or went, what they offered, or nothing.

    A project that changed is a source, as is one that asks for what a changed one offers or offered; needed is also
    what any of them asks for.
    """
    moved = {
        name for project in before for reach in (before[project], now.get(project, Reach())) for name in reach.offers
    }
    sources = {project for project, reach in now.items() if project in before or not moved.isdisjoint(reach.asks)}
    return Extent(frozenset(sources), needed_by(sources, now))


def needed_by(sources: Collection[str], now: Mapping[str, Reach]) -> frozenset[str]:
    """The projects whose facts tell what the edges of these are: themselves, and who offers what they ask for."""
    asked = {name for project in sources for name in now[project].asks}
    return frozenset(sources) | {project for project, reach in now.items() if not asked.isdisjoint(reach.offers)}


class KnownProject:
    """A project's modules and its services."""

    def __init__(self, name: str, files: Mapping[str, FileFacts]) -> None:
        self.modules = ProjectModules(name, files)
        self.services = Services(self.modules)

    @cached_property
    def reach(self) -> Reach:
        return _reach_of(self.modules, self.services, self.named)

    @cached_property
    def named(self) -> Known:
        """The names it spells out, and what it makes under them."""
        return Known(self.modules, self.services)


def _reach_of(modules: ProjectModules, services: Services, known: Known) -> Reach:
    """What one project offers and asks, by its own facts alone."""
    offers, asks = set(_named(modules.offered())), set(_named(_imported(modules)))
    offers |= {f"service {name}" for name in services.names} | {f"{PROJECT} {normal(modules.name)}"}
    asks |= {f"{PROJECT} {image_of(given)}" for given in images(modules)}
    hidden = MappedTables(modules, services).hidden
    own = {_key(clue) for place, clue in modules.given if clue.side != "needs" and place not in hidden}
    for _, clue in modules.given:
        if clue.kind in KINDS:
            asks |= {f"service {normal(host)}" for host in _hosts(clue) if services.named(host) is None}
        elif clue.kind == SERVER or (clue.kind == PROTO and clue.side != "needs"):
            offers.add(f"{PROTO} {clue.key}")
        elif clue.kind in ENDPOINTS or clue.kind == PROTO or is_joined(clue) or is_package(clue):
            if clue.side != "needs":
                offers.add(_key(clue))
            elif not (_key(clue) in own and (is_joined(clue) or is_package(clue))) and clue.value != CONVENTION:
                asks.add(_key(clue))
                offers |= {_key(clue)} if clue.kind == "table" and is_key_space(clue.key) else set()
    for topic, uses in topic_uses(modules, services).items():
        offers.add(f"{TOPIC} {topic}")
        if not any(one.publishes for one in uses):
            asks.add(f"{TOPIC} {topic}")
    offers |= {f"{NAMED} {name}" for name in offered_names(known)}
    asks |= {f"{kind} {name}" for name in asked_names(known) for kind in (NAMED, PROJECT)}
    return Reach(frozenset(offers), frozenset(asks))


def _key(clue: Clue) -> str:
    return f"{clue.kind} {clue.key}"


def _hosts(clue: Clue) -> tuple[str, ...]:
    """What an address or a setting may lead to."""
    if clue.side == "provides":
        return (clue.value,) if clue.kind != "service" else ()
    return (clue.key,) if clue.kind == "service" else ()


def _named(keys: Iterator[tuple[str, str]]) -> Iterator[str]:
    return (f"{kind} {name}" for kind, name in keys if name)


def _imported(modules: ProjectModules) -> Iterator[tuple[str, str]]:
    """The names under which the project's files look for modules elsewhere (`Names.imported`)."""
    for path, facts in modules.files.items():
        family, separator = family_of(path), separator_of(path)
        for module in _modules(modules, path, facts, family):
            if family:
                if not modules.shared.owns(family, module, path):
                    yield from tops(family, module)
            elif not (modules.owns(module, separator) or modules.find(module, path, separator=separator)):
                yield separator, top_of(module, separator)


def _modules(modules: ProjectModules, path: str, facts: FileFacts, family: str) -> Collection[str]:
    found = {i.module for imports in modules.imports(path).values() for i in imports}
    found |= {head for head, imports in modules.imports(path).items() if any(not i.name for i in imports)}
    if family in DECLARED:
        for dotted in _dotted(facts):
            parts = dotted.split(".")
            found |= {".".join(parts[:n]) for n in range(1, len(parts))}
    return found - {HERE}


def _dotted(facts: FileFacts) -> Iterator[str]:
    """Every name in a file that may begin with a package's."""
    for ref in facts.references:
        if ref.receiver:
            yield f"{ref.receiver}.{ref.name}"
            yield ref.receiver.removesuffix("()")
    yield from (binding.type for binding in facts.bindings)
    yield from (i.name for i in facts.imports if i.module == HERE)
