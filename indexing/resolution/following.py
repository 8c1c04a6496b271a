"""What follows from edges that are there, whose evidence it has; each project by itself.

Who calls the one function that sends to a queue sends to it, too: one step only. What a function does with a topic,
table, endpoint or service is passed on to the lines that call it, of an interface's function what its implementations
do; and who makes or asks a class that is stored in a table uses that table.

Of services one subscribes to another's events, sends it the commands of the queue that is called after it, and owns the
tables of the project that only it uses.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from posixpath import dirname
from typing import Final

from extraction.facts import Reference
from extraction.kinds import kind_of, language_of
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.code import Receivers
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Place
from indexing.resolution.names import Names
from indexing.resolution.packages import FUNCTIONS
from indexing.resolution.references import Own
from indexing.resolution.services import normal
from memory.entities import BY_NAMES, Entity, Evidence, Relationship

DONE: Final = frozenset({"PUBLISHES", "SUBSCRIBES", "INVOKES", "USES_TABLE", "STORES_IN", "CALLS"})
KINDS: Final = frozenset({"topic", "table", "endpoint", "service", "resource", "package"})
"""What may be at the other end."""
MOST: Final = 3
"""What does more by one relation in one project is no wrapper there; others, counted too, might be hidden."""

Done = list["Relationship"]
USES: Final = frozenset({"USES_TABLE", "STORES_IN"})
_BETWEEN_SERVICES: Final = USES | {"OWNS_TABLE", "PUBLISHES", "SUBSCRIBES", "DEPENDS_ON"}


def add_passed_edges(
    names: Names, own: Mapping[str, Own], sources: Collection[str], catalogue: Catalogue, edges: Edges
) -> None:
    """Add what follows from the edges that are there; each project by its own files alone."""
    by_project: dict[str, Done] = {project: [] for project in sources}
    for edge in edges.confirmed(DONE):
        if edge.target.kind in KINDS:
            by_project[edge.project].append(edge)
    for project, found in sorted(by_project.items()):
        _Passed(names, project, own[project], catalogue, found).add(edges)


class _Passed:
    def __init__(self, names: Names, project: str, own: Own, catalogue: Catalogue, found: Done) -> None:
        self._names = names
        self._project = project
        self._services = catalogue.services[project]
        self._own = own
        self._catalogue = catalogue
        self._modules = names.projects[project]
        self._spans: dict[str, list[tuple[int, int, str]]] = {}
        self._calls = list(self._references())
        self._heirs: dict[Place, list[Place]] = {}
        for place, ref, to in self._calls:
            if ref.relation == "INHERITS":
                self._heirs.setdefault(to, []).append(place)
        self._done: dict[Place, Done] = {}
        self._stored: dict[str, Relationship] = {}
        for edge in found:
            if edge.type == "STORES_IN" and edge.target.kind == "table":
                self._stored.setdefault(edge.source.id, edge)
            elif edge.source.kind != "service":
                for around in {self._function(edge.path, line) for line in edge.lines}:
                    if around is not None and not self._is_handler(around, edge):
                        self._done.setdefault(around, []).append(edge)

    def _references(self) -> Iterator[tuple[Place, Reference, Place]]:
        for path in sorted(self._modules.module_names):
            if kind_of(path, language_of(path)) != "code":
                continue
            receivers = Receivers(self._names, self._project, path)
            for ref in self._modules.files[path].references:
                for meaning in receivers.targets(ref):
                    if meaning.place.project == self._project:
                        yield Place(self._project, path, ref.caller), ref, meaning.place

    def _function(self, path: str, line: int) -> Place | None:
        if path not in self._spans:
            functions = (d for d in self._modules.definitions(path).values() if d.kind in FUNCTIONS)
            self._spans[path] = sorted((d.start_line, -d.end_line, d.name) for d in functions)
        spans = self._spans[path]
        at = bisect_right(spans, (line, 0, ""))
        inner = next((span for span in reversed(spans[:at]) if -span[1] >= line), None)
        return Place(self._project, path, inner[2]) if inner else None

    def _is_handler(self, around: Place, edge: Relationship) -> bool:
        """Whether the function itself is what receives: who calls it does not listen to anything."""
        if edge.type != "SUBSCRIBES":
            return False
        return self._modules.definitions(around.path)[around.name].start_line in edge.lines

    def add(self, edges: Edges) -> None:
        for place, ref, to in self._calls:
            if ref.relation == "INHERITS" or self._function(place.path, ref.line) == to:
                continue
            for edge in self._by(to):
                self._pass(edges, place, ref, to, edge, edge.type)
            meant = self._catalogue.defined(to.top)
            stored = self._stored.get(meant.id) if meant is not None else None
            if meant is not None and stored is not None and _names(ref, meant) and stored.path != place.path:
                self._pass(edges, place, ref, to, stored, "USES_TABLE")
            if meant is not None and "." in to.name and meant.path != place.path:
                self._ask(edges, place, ref, meant)

    def _ask(self, edges: Edges, place: Place, ref: Reference, client: Entity) -> None:
        """A call of a class that is called the client of a component."""
        target = self._own.client_of(client.name, place.path)
        if target is None:
            return
        pieces = [
            Evidence(BY_NAMES, self._project, place.path, ref.line, f"calls {client.name}.{ref.name}"),
            Evidence(BY_NAMES, self._project, client.path, client.start_line, f"{client.kind} {client.name}"),
            Evidence(BY_NAMES, self._project, target.path, target.start_line, f"{target.kind} {target.name}"),
        ]
        for source in self._own.speaking(place):
            edges.add(source, "CALLS", target, path=place.path, lines=[ref.line], evidence=pieces)

    def _by(self, to: Place) -> Done:
        found = self._done.get(to, [])
        if not found and "." in to.name:
            outer, _, member = to.name.rpartition(".")
            heirs = self._heirs.get(Place(to.project, to.path, outer), ())
            found = [
                e for heir in heirs for e in self._done.get(Place(heir.project, heir.path, f"{heir.name}.{member}"), ())
            ]
        done: dict[tuple[str, str], set[str]] = {}
        for edge in found:
            done.setdefault((edge.type, edge.target.project), set()).add(edge.target.id)
        return [edge for edge in found if len(done[edge.type, edge.target.project]) <= MOST]

    def _pass(self, edges: Edges, place: Place, ref: Reference, to: Place, edge: Relationship, relation: str) -> None:
        rule = BY_NAMES if edge.is_by_names else "calls"
        pieces = [Evidence(rule, self._project, place.path, ref.line, f"calls {to.name}"), *edge.evidence]
        for source in self._own.speaking(place):
            if not self._is_its_own(source, edge.target):
                edges.add(source, relation, edge.target, path=place.path, lines=[ref.line], evidence=pieces)

    def _is_its_own(self, source: Entity, target: Entity) -> bool:
        mine, there = self._services.owner(source.path), self._services.owner(target.path)
        return target.kind == "endpoint" and mine is not None and mine is there


def _names(ref: Reference, cls: Entity) -> bool:
    """Whether the class itself is made or asked, not one of its objects."""
    name = cls.name.rpartition(".")[2]
    return ref.name == name or ref.receiver.rpartition(".")[2].removesuffix("()") == name


def add_service_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add SUBSCRIBES and INVOKES between services, and OWNS_TABLE."""
    found = [e for e in edges.confirmed(_BETWEEN_SERVICES) if e.target.project == e.project]
    spoken: dict[str, list[Relationship]] = {}
    used: dict[str, list[Relationship]] = {}
    for edge in found:
        if edge.target.kind == "topic" and edge.source.kind == "service":
            spoken.setdefault(edge.target.id, []).append(edge)
        elif edge.target.kind == "table" and edge.type in {*USES, "OWNS_TABLE"}:
            used.setdefault(edge.target.id, []).append(edge)
    for topic in spoken.values():
        _join([e for e in topic if e.type == "PUBLISHES"], [e for e in topic if e.type == "SUBSCRIBES"], edges)
    dependents = _dependents(found)
    for table in used.values():
        if not any(e.type == "OWNS_TABLE" and e.source.kind == "service" for e in table):
            _own(table, dependents, catalogue, edges)


def _join(published: list[Relationship], subscribed: list[Relationship], edges: Edges) -> None:
    senders, receivers = _sources(published), _sources(subscribed)
    if len(senders) == 1:
        for edge in subscribed:
            _add_between(edge, "SUBSCRIBES", senders[0], published[:1], edges)
    if len(receivers) == 1 and normal(subscribed[0].target.name) in normal(receivers[0].name):
        for edge in published:
            _add_between(edge, "INVOKES", receivers[0], subscribed[:1], edges)


def _sources(found: Iterable[Relationship]) -> list[Entity]:
    return list({edge.source.id: edge.source for edge in found}.values())


def _add_between(edge: Relationship, relation: str, target: Entity, others: list[Relationship], edges: Edges) -> None:
    pieces = [*edge.evidence, *(piece for other in others for piece in other.evidence)]
    edges.add(edge.source, relation, target, path=edge.path, lines=edge.lines, evidence=pieces)


def _dependents(found: Iterable[Relationship]) -> dict[tuple[str, str], dict[str, Entity]]:
    """The services that need the package of a folder, by project and folder."""
    rows: dict[tuple[str, str], dict[str, Entity]] = {}
    for edge in found:
        if edge.type == "DEPENDS_ON" and edge.source.kind == "service" and edge.target.kind == "package":
            rows.setdefault((edge.project, dirname(edge.target.path)), {})[edge.source.id] = edge.source
    return rows


def _own(
    table: list[Relationship],
    dependents: Mapping[tuple[str, str], Mapping[str, Entity]],
    catalogue: Catalogue,
    edges: Edges,
) -> None:
    """The one service whose code uses a table, be it in a library that no other service needs, owns it where the
    project makes it or maps classes to it; what is only asked of it by SQL may be another's.
    """
    users: dict[str, tuple[Entity, Relationship]] = {}
    for edge in table:
        owner = catalogue.owner(Place(edge.project, edge.path))
        for user in [owner] if owner is not None else _needing(edge.project, dirname(edge.path), dependents):
            users.setdefault(user.id, (user, edge))
    stated = [edge for edge in table if edge.type in USES]
    if len(users) == 1 and stated and any(edge.type != "USES_TABLE" for edge in table):
        user, edge = users.popitem()[1]
        first = catalogue.at(Place(edge.project, edge.target.path, edge.target.name)) or edge.target
        if user.kind == "service" and catalogue.services[user.project].named(user.name) is not None:
            edges.add(user, "OWNS_TABLE", first, path=edge.path, lines=edge.lines[:1], evidence=edge.evidence)


def _needing(project: str, folder: str, dependents: Mapping[tuple[str, str], Mapping[str, Entity]]) -> list[Entity]:
    while folder:
        if (project, folder) in dependents:
            return list(dependents[project, folder].values())
        folder = dirname(folder)
    return []
