"""Who talks to whom: an address and a service of that name, a variable and the manifest that gives it (issue 6 §2).

Between two projects an address and a name are not enough, as `payment` is called so everywhere: the target's project
must be that service's own, or also run the service that calls. Else the edge is a candidate.

A request calls what its address names, and one by a client without an address what its class has as the only one:
`http.get("/orders")` of a class that makes its client with `http://orders:8080`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.facts import Clue
from extraction.rules.clues import ENDPOINT
from extraction.rules.port import COMMON_WORDS, is_code
from extraction.rules.services import ENVIRONMENT
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.resolution.services import LOCAL, Service, Services, normal

KINDS = frozenset({"service", "variable", "settings"})


def add_address_edges(catalogue: Catalogue, edges: Edges) -> None:
    talk = _Talk(catalogue, edges)
    for project in sorted(catalogue.projects):
        modules = catalogue.projects[project]
        clues = [one for one in modules.given if one.clue.kind in KINDS]
        talk.of_project(catalogue.services[project], [*clues, *_asked(modules)])


class _Talk:
    def __init__(self, catalogue: Catalogue, edges: Edges) -> None:
        self._services = catalogue.services
        self._catalogue = catalogue
        self._edges = edges
        self._elsewhere: dict[str, list[Services]] = {}

    def of_project(self, own: Services, clues: list[Given]) -> None:
        variables = Variables(own, clues)
        for one in clues:
            place, clue = one
            if clue.side == "provides":
                continue
            source = own.named(clue.entity) if clue.entity else own.owner(place.path)
            if clue.kind == "service":
                self._address(own, source, one, clue.key)
            elif clue.kind == "settings":
                for entry in variables.meant(clue):
                    self._address(own, source, one, entry.clue.value, [entry])
            else:
                self._variable(own, source, one, variables)

    def _variable(self, own: Services, source: Service | None, given: Given, variables: Variables) -> None:
        variable = given.clue.key
        targets = variables.targets(variable, source, given.place.path)
        for entries in targets:
            self._address(own, source, given, entries[-1].clue.value, entries)
        target = own.variable(variable)
        if not targets and target is not None:
            self._add(own, source, given, own, target, [])

    def _address(
        self, own: Services, source: Service | None, given: Given, host: str, between: list[Given] | None = None
    ) -> None:
        """An edge to the project's own service of that host; where it has none, to each other project's."""
        found = own.named(host)
        called = own.variable(given.clue.value) if host.startswith(LOCAL) else None
        if called is not None and called is not found:
            return  # `OrdersAddress` is not whatever else has that port
        others = [own] if found is not None or host.startswith(LOCAL) else self._having(host)
        for other in others:
            target = other.named(host)
            if target is not None:
                self._add(own, source, given, other, target, between or [])

    def _having(self, host: str) -> list[Services]:
        key = normal(host)
        if key not in self._elsewhere:
            self._elsewhere[key] = [s for _, s in sorted(self._services.items()) if s.named(host) is not None]
        return self._elsewhere[key]

    def _add(
        self,
        own: Services,
        source: Service | None,
        given: Given,
        other: Services,
        target: Service,
        between: list[Given],
    ) -> None:
        clue = given.clue
        if source is None and other is own:
            return  # a project's own service, called from outside of any service
        here = self._catalogue.at(source.place if source else Place(own.project))
        there = self._catalogue.at(target.place)
        if here is None or there is None or (source is not None and source is target):
            return
        stores = target.store or "STORES_IN" in {clue.relation, *(one.relation for _, one in between)}
        stores = stores and not (source is not None and source.store)  # one store waits for another
        others = (*between, Given(target.place, target.clue))
        for relation in dict.fromkeys(("STORES_IN" if stores else clue.relation, clue.relation)):
            if relation in {"STORES_IN", "DEPENDS_ON"} or not stores:  # what is waited for is depended on, too
                meant = other is own or _meant(own, source, other, target)
                self._edges.add_given(here, relation, there, given, *others, confirmed=meant)


def _asked(modules: ProjectModules) -> Iterator[Given]:
    """The requests as calls of the address or variable that they name, else of the one address of their class."""
    hosts: dict[tuple[str, str], set[str]] = {}
    asks = [one for one in modules.given if one.clue.kind == ENDPOINT and one.clue.side == "needs"]
    for one in modules.given if asks else ():
        if one.clue.kind == "service" and one.clue.side == "needs" and is_code(one.place.path):
            hosts.setdefault(_class_around(modules, one), set()).add(one.clue.key)
    for one in asks:
        base = one.clue.value.partition(" ")[2]
        kind = "variable" if base.startswith("$") else "service"
        known = hosts.get(_class_around(modules, one), set())
        keys = {base.lstrip("/$")} if base.startswith(("//", "$")) else known
        if len(keys) == 1:
            clue = replace(one.clue, kind=kind, key=next(iter(keys)), relation="CALLS", entity="", value="")
            yield Given(one.place, clue)


def _class_around(modules: ProjectModules, given: Given) -> tuple[str, str]:
    """The file of a clue and the outermost definition around its line."""
    line = given.clue.line
    tops = (
        d for d in modules.definitions(given.place.path).values() if not d.parent and d.start_line <= line <= d.end_line
    )
    around = max(tops, key=lambda d: d.end_line - d.start_line, default=None)
    return given.place.path, around.name if around else ""


class Variables:
    """What a project's manifests give to whom, and its maps of settings. Of several that say the same, the one counts
    that lies least deep: the others are most often variants of it.
    """

    def __init__(self, own: Services, given: Sequence[Given]) -> None:
        clues = sorted(given, key=lambda one: one.place.path.count("/"))
        self._own = own
        self._maps: dict[str, list[Given]] = {}
        self._environment: dict[str, list[Given]] = {}
        self._given: dict[str, list[tuple[Service | None, list[Given]]]] = {}
        for one in clues:
            if one.clue.kind == "settings" and one.clue.side == "provides":
                name, _, variable = one.clue.key.partition("/")
                self._maps.setdefault(name, []).append(one)
                if name.startswith(ENVIRONMENT):
                    self._environment.setdefault(variable, []).append(one)
        for one in clues:
            clue = one.clue
            if clue.kind == "variable" and clue.side == "provides":
                self._give(clue.key, own.named(clue.entity), [one])
            elif clue.kind == "settings" and clue.side == "needs":
                for entry in self._of(clue):
                    name = clue.value or entry.clue.key.partition("/")[2]
                    self._give(name, own.named(clue.entity), [one, entry])

    def _give(self, name: str, to: Service | None, pieces: list[Given]) -> None:
        self._given.setdefault(name, []).append((to, pieces))

    def _of(self, clue: Clue) -> list[Given]:
        name, _, entry = clue.key.partition("/")
        return [one for one in self._maps.get(name, ()) if not entry or one.clue.key == clue.key]

    def meant(self, clue: Clue) -> list[Given]:
        """The entries that a reference to a map is for: the one it names, or all if they point to one service. A map of
        many addresses is handed to everybody: only the code that reads one of them tells who calls whom.
        """
        entries = self._of(clue)
        hosts = {normal(one.clue.value) for one in entries if self._own.named(one.clue.value)}
        first = {normal(one.clue.value): one for one in reversed(entries) if normal(one.clue.value) in hosts}
        return list(first.values()) if len(hosts) == 1 else []

    def targets(self, variable: str, source: Service | None, path: str) -> list[list[Given]]:
        """Where a variable points: what its reader, else the nearest environment files above, else all agree on."""
        rows = self._given.get(variable, [])
        own = [pieces for to, pieces in rows if to is not None and to is source]
        if own:
            return list(_one_a_host(own))
        if beside := list(_one_a_host([[one] for one in self._beside(variable, path)])):
            return beside if len(beside) == 1 else []
        agreed = list(_one_a_host([pieces for _, pieces in rows]))
        return agreed if len(agreed) == 1 and normal(variable).startswith(normal(agreed[0][-1].clue.value)) else []

    def _beside(self, variable: str, path: str) -> list[Given]:
        """What the environment files nearest above a path say of a variable."""
        found = [(posixpath.dirname(one.place.path), one) for one in self._environment.get(variable, ())]
        above = [(folder, one) for folder, one in found if not folder or path.startswith(f"{folder}/")]
        nearest = max((folder for folder, _ in above), key=len, default="")
        return [one for folder, one in above if folder == nearest]


def _one_a_host(rows: list[list[Given]]) -> Iterator[list[Given]]:
    seen = set()
    for pieces in rows:
        host = normal(pieces[-1].clue.value)
        if host not in seen:
            seen.add(host)
            yield pieces


def _meant(own: Services, source: Service | None, other: Services, target: Service) -> bool:
    """Whether a service of another project is the one meant: it is that project's own, or runs beside the source."""
    name = source.name if source else own.project
    common = normal(target.name) in COMMON_WORDS
    if other.is_home_of(target):
        return not common
    beside = other.named(name)
    return beside is not None and beside is not target and not (common and normal(name) in COMMON_WORDS)
