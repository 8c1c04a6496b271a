"""Who serves an endpoint and who asks for it: a route, and a call of the same verb and path (issue 6 §2).

The project's own endpoints come first, and of these the ones of the service that the address says, but where it, or
what the code calls what it speaks to, is another project's service that serves the same. Between projects a
path is not enough, as `/orders/{id}` is served everywhere: the address, or what the code calls what it speaks to, must
be the service's too, and a common path (`/users`) needs the address itself. Else the edge is a candidate.

What a client asks for and its own project does not serve stands where it is asked for first: that the code asks for it
is certain, who serves it is not. Which projects are indexed beside it changes nothing of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from extraction.rules.clues import ANY, ENDPOINT, is_common_path
from extraction.rules.port import COMMON_WORDS
from indexing.resolution.addresses import Variables
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Given, Place
from indexing.resolution.services import Service, normal
from memory.entities import Entity
from memory.text import is_test

ENDPOINTS: Final = frozenset({ENDPOINT})
DESCRIPTION: Final = "openapi"
REMOTE: Final = "remote_endpoint"
"""The kind of an entity that a project asks for and does not serve."""
PASSES_ON: Final = re.compile(r"^//|gateway|bff", re.IGNORECASE)
"""An address says by itself who is called, and what is called a gateway is not who serves."""
ADDRESSES: Final = ("//", "$")
"""What a host or a variable that has one begins with; else a base is names in the code."""
SHORTEST: Final = 4
"""Letters of a service's name that tell it from any word in an identifier."""


@dataclass(frozen=True, slots=True)
class _Served:
    """An endpoint and the service, else the project, that serves it."""

    given: Given
    owner: Service | None

    @property
    def project(self) -> str:
        return self.given.place.project

    @property
    def home(self) -> tuple[str, str]:
        return self.project, self.owner.name if self.owner else ""


def add_endpoint_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add EXPOSES for what is served, and INVOKES for what asks for it."""
    asks = _Asks(catalogue, edges)
    endpoints = [one for one in catalogue.given() if one.clue.kind == ENDPOINT]
    for given in endpoints:
        if given.clue.side == "provides":
            asks.serve(_Served(given, catalogue.services[given.place.project].owner(given.place.path)))
    for given in endpoints:
        if given.clue.side == "needs":
            asks.ask(given)


class _Asks:
    def __init__(self, catalogue: Catalogue, edges: Edges) -> None:
        self._services = catalogue.services
        self._catalogue = catalogue
        self._edges = edges
        self._variables = {n: Variables(self._services[n], p.given) for n, p in catalogue.projects.items()}
        self._served: dict[str, dict[str, list[_Served]]] = {}
        self._homes: set[tuple[str, str]] = set()

    def serve(self, one: _Served) -> None:
        self._served.setdefault(one.given.clue.key, {}).setdefault(one.project, []).append(one)
        self._homes.add(one.home)
        endpoint = self._catalogue.at(one.given.place)
        owner = self._catalogue.at(one.owner.place if one.owner else Place(one.project))
        if endpoint is not None and owner is not None:
            self._edges.add_given(owner, "EXPOSES", endpoint, one.given)

    def ask(self, given: Given) -> None:
        """Edges to the endpoints that are meant, if they differ from all others of that verb and path."""
        place, clue = given
        verb, _, written = clue.value.partition(" ")
        source = self._services[place.project].owner(place.path)
        base = self._address(place, written, source)
        by_project = self._served.get(clue.key, {})
        common = is_common_path(clue.key)
        own = _distinct(by_project.get(place.project, ()), verb)
        found, sure = self._own(place.project, own, source, base, common=common)
        if found and not self._is_anothers(base, place.project, verb, by_project):
            sure = sure and (verb != ANY or len(found) == 1)
            self._add(given, found, confirmed=sure)
            if sure and not PASSES_ON.search(base):
                self._call(given, source, found)
            return
        if not found:
            self._ask_elsewhere(given, f"{verb} {clue.key}")
        addressed = base.startswith(ADDRESSES)
        for project in sorted({*by_project} - {place.project}):
            others = _distinct(by_project[project], verb)
            hit = [one for one in others if self._is_named(base, one)]
            if hit and (addressed or not common):
                sure = all(self._meant(place, source, one, base, common=common) for one in hit)
                self._add(given, hit, confirmed=sure)
            elif others and not common and not addressed:
                self._add(given, others, confirmed=False)

    def _is_anothers(self, base: str, project: str, verb: str, served: Mapping[str, Sequence[_Served]]) -> bool:
        """Whether an address, or names in the code, are those of another project's service that serves the same, and
        not the project's own; a variable of the same name may be anybody's.
        """
        if not base or base.startswith("$"):
            return False
        bearers = {name for name, by in served.items() if any(self._is_named(base, one) for one in _distinct(by, verb))}
        return bool(bearers) and project not in bearers

    def _ask_elsewhere(self, given: Given, name: str) -> None:
        place, clue = given
        if is_test(place.path):
            return
        at = Place(place.project, "", f"remote {name}")
        remote = self._catalogue.at(at)
        if remote is None:
            remote = Entity(name, REMOTE, place.project, place.path, clue.line, clue.line, clue.says)
            self._catalogue.add(at, remote)
        for source in self._catalogue.speakers(place):
            self._edges.add_given(source, clue.relation, remote, given)

    def _address(self, place: Place, base: str, source: Service | None) -> str:
        """The host that a variable is given, where a manifest says."""
        variables = self._variables[place.project]
        targets = variables.targets(base.removeprefix("$"), source, place.path) if base.startswith("$") else []
        return f"//{targets[0][-1][1].value}" if len(targets) == 1 else base

    def _own(
        self, project: str, own: list[_Served], source: Service | None, base: str, *, common: bool
    ) -> tuple[list[_Served], bool]:
        """Of a project's own endpoints those meant, and whether that is sure: it takes more than a common path."""
        if named := [one for one in own if self._is_named(base, one)]:
            return named, True
        alone = len({one.home for one in own}) == 1 and not common
        if base.startswith("//"):  # what passes requests on serves nothing itself
            gateway = self._services[project].named(base.removeprefix("//"))
            return (own, alone) if gateway is not None and (project, gateway.name) not in self._homes else ([], False)
        if not base.startswith("$") and (beside := [one for one in own if one.owner is source]):
            return beside, True
        return own, alone

    def _is_named(self, base: str, one: _Served) -> bool:
        """Whether an address, or names in the code, are those of the service behind an endpoint."""
        there = self._services[one.project]
        if base.startswith("//"):
            host = base.removeprefix("//")
            return there.named(host) is one.owner if one.owner else normal(host) == normal(one.project)
        if base.startswith("$") and (found := there.variable(base.removeprefix("$"))) is not None:
            return found is one.owner
        names = [one.owner.name, *one.owner.hosts] if one.owner else [one.project]
        stems = {_stem(normal(name.lower().removeprefix(f"{one.project.lower()}-"))) for name in names}
        telling = {stem for stem in stems if len(stem) >= SHORTEST and stem not in COMMON_WORDS}
        telling |= {normal(part) for name in names for part in _compounds(name)}
        return any(stem in normal(base) for stem in telling)

    def _meant(self, place: Place, source: Service | None, one: _Served, base: str, *, common: bool) -> bool:
        """Whether an endpoint of another project is the one meant: that project is its service, or runs the asking one
        too.

        Names in the code are less than an address: there they have to be several words of the service's name, or the
        asking project must know it from elsewhere, too. A name that many bear (`gateway`) needs an address and a path
        that is not common.
        """
        there = self._services[one.project]
        beside = there.named(source.name if source else place.project)
        if beside is not None and beside is not one.owner:
            return True
        name = one.owner.name if one.owner else one.project
        addressed = base.startswith(ADDRESSES)
        telling = normal(name) not in COMMON_WORDS or (base.startswith("//") and not common)
        home = telling and (one.owner is None or there.is_home_of(one.owner))
        called = any(normal(part) in normal(base) for part in _compounds(name))
        return home and (addressed or called or self._services[place.project].named(name) is not None)

    def _add(self, given: Given, found: list[_Served], *, confirmed: bool) -> None:
        for one in found:
            target = self._catalogue.at(one.given.place)
            for source in self._sources(given.place, one):
                if target is not None:
                    self._edges.add_given(source, given.clue.relation, target, given, one.given, confirmed=confirmed)

    def _call(self, given: Given, source: Service | None, found: list[_Served]) -> None:
        """Who asks for an endpoint calls the service that serves it; an address says so by itself (addresses.py)."""
        caller = self._catalogue.at(source.place) if source else None
        for one in found if caller is not None else ():
            there = self._catalogue.at(one.owner.place) if one.owner and one.owner is not source else None
            if caller is not None and there is not None:
                self._edges.add_given(caller, "CALLS", there, given, one.given)

    def _sources(self, place: Place, one: _Served) -> Iterator[Entity]:
        """What asks in the code, and the service whose code that is, unless it serves the same itself."""
        around = self._catalogue.around(place)
        owner = self._services[place.project].owner(place.path)
        service = self._catalogue.at(owner.place) if owner else None
        if service is not None and owner is not one.owner:
            yield service
        if service is None or around.kind != "project":
            yield around


def _distinct(served: Iterable[_Served], verb: str) -> list[_Served]:
    """Those of a verb, each service's once: what its code says; a description is no second one."""
    fitting = [one for one in served if verb == ANY or one.given.clue.value in {verb, ANY}]
    in_code = [one for one in fitting if one.given.clue.rule != DESCRIPTION]
    homes: dict[tuple[tuple[str, str], str], _Served] = {}
    for one in sorted(in_code or fitting, key=lambda s: (s.given.place.path, s.given.clue.line)):
        homes.setdefault((one.home, one.given.clue.value), one)
    return list(homes.values())


def _compounds(name: str) -> list[str]:
    """The name, and what is behind its first word, which all of a system may share, where these have several words:
    `zmon-data-service` and `data-service`.
    """
    return [part for part in (name, name.partition("-")[2]) if "-" in part]


def _stem(name: str) -> str:
    """`customersservice` → `customer`, which `getCustomerServiceUri` speaks of."""
    for end in ("service", "svc", "api", "server"):
        if name.endswith(end) and len(name) > len(end) + 2:
            name = name.removesuffix(end)
    return name.removesuffix("s")
