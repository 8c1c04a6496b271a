"""What code does by way of other code of its project: who calls the one function that sends to a queue sends to it,
too.

One step only. What a function does with a topic, table, endpoint or service is passed on to the lines that call it, of
an interface's function what its implementations do; and who makes or asks a class that is stored in a table uses that
table. The call and what the function does are the two pieces of evidence.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from indexing.chunks.kinds import kind_of, language_of
from indexing.facts import Reference
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.code import Receivers
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Place
from indexing.resolution.names import Names
from indexing.resolution.references import Own
from memory.entities import BY_NAMES, Entity, Evidence, Relationship

__all__ = ["add_passed_edges"]

DONE: Final = frozenset({"PUBLISHES", "SUBSCRIBES", "INVOKES", "USES_TABLE", "STORES_IN", "CALLS"})
KINDS: Final = frozenset({"topic", "table", "endpoint", "service", "resource", "package"})
"""What may be at the other end."""
MOST: Final = 3
"""What does more by one relation in one project is no wrapper of any there. It is counted by project, since others may
not be seen.
"""
FUNCTIONS: Final = frozenset({"function", "method"})

Done = list["Relationship"]


def add_passed_edges(
    names: Names, own: Mapping[str, Own], sources: Collection[str], catalogue: Catalogue, edges: Edges
) -> None:
    """Add what follows from the edges that are there; each project by its own files alone."""
    by_project: dict[str, Done] = {project: [] for project in sources}
    for edge in edges.relationships():
        if edge.status == "confirmed" and edge.type in DONE and edge.target.kind in KINDS:
            by_project[edge.project].append(edge)
    for project, found in sorted(by_project.items()):
        _Passed(names, project, own[project], catalogue, found).add(edges)


class _Passed:
    """Of one project."""

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
                    if around is not None:
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
        """The function or method around a line."""
        if path not in self._spans:
            functions = (d for d in self._modules.definitions(path).values() if d.kind in FUNCTIONS)
            self._spans[path] = sorted((d.start_line, -d.end_line, d.name) for d in functions)
        spans = self._spans[path]
        at = bisect_right(spans, (line, 0, ""))
        inner = next((span for span in reversed(spans[:at]) if -span[1] >= line), None)
        return Place(self._project, path, inner[2]) if inner else None

    def add(self, edges: Edges) -> None:
        """Add what each call amounts to."""
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
        """Whether it asks what it serves itself."""
        mine, there = self._services.owner(source.path), self._services.owner(target.path)
        return target.kind == "endpoint" and mine is not None and mine is there


def _names(ref: Reference, cls: Entity) -> bool:
    """Whether the class itself is made or asked, not one of its objects."""
    name = cls.name.rpartition(".")[2]
    return ref.name == name or ref.receiver.rpartition(".")[2].removesuffix("()") == name
