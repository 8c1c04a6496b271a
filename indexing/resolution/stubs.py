"""Who serves a service of gRPC or Thrift and who has a stub of it, by the file that defines the service.

The .proto agrees with who serves it and with who has a stub of it. The project's own .proto comes first. Another
project is meant when it serves the service, and, where both have the .proto, in the same package. A stub and a server
of the same service also say which service calls which, and so does a call by the name of an rpc on what is typed as
its service's stub: `carts.AddItem(…)`, where `carts` is a `CartServiceClient`, however it was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from extraction.facts import Clue, Reference
from extraction.occurrences.words import words_of
from extraction.rules.port import COMMON_WORDS, is_code
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.resolution.services import normal
from memory.entities import Entity

PROTO: Final = "grpc"
OF_STUBS: Final = frozenset(
    {"service", "client", "stub", "grpc", "blocking", "future", "async", "coroutine", "mutiny", "promise"}
)
"""What a stub is called behind the name of its service."""
SERVER: Final = "grpc server"
STUBS: Final = frozenset({PROTO, SERVER})


def add_stub_edges(catalogue: Catalogue, edges: Edges) -> None:
    """Add EXPOSES and INVOKES to gRPC services, and CALLS between the services at both ends."""
    stubs = _Stubs(catalogue, edges)
    needs: list[Given] = []
    of_stubs = (one for one in catalogue.given() if one.clue.kind in STUBS)
    for given in sorted(of_stubs, key=lambda one: (one.place.project, one.place.path.count("/"), one.place.path)):
        project, clue = given.place.project, given.clue
        if clue.kind == SERVER:
            stubs.servers.setdefault(clue.key, {}).setdefault(project, []).append(given)
        elif clue.side == "provides":
            stubs.protos.setdefault(clue.key, {}).setdefault(project, given)
        else:
            needs.append(given)
    stubs.expose()
    for given in (*needs, *stubs.called(needs)):
        stubs.invoke(given)


class _Stubs:
    """protos: of each project the one .proto that its copies count as; servers: who serves a service."""

    def __init__(self, catalogue: Catalogue, edges: Edges) -> None:
        self.protos: dict[str, dict[str, Given]] = {}
        self.servers: dict[str, dict[str, list[Given]]] = {}
        self._catalogue = catalogue
        self._edges = edges

    def expose(self) -> None:
        for name in sorted(self.servers):
            for project, served in self.servers[name].items():
                proto = self.protos.get(name, {}).get(project)
                target = self._catalogue.at(proto[0]) if proto else None
                for one in served:
                    if proto and target is not None:
                        self._edges.add_given(self._catalogue.home(one.place), "EXPOSES", target, one, proto)

    def called(self, needs: Iterable[Given]) -> Iterator[Given]:
        """The calls of rpcs of the services that a project has the .proto or a stub of; its own .proto comes first."""
        known: dict[str, set[str]] = {}
        for project, clue in ((one.place.project, one.clue) for one in needs):
            known.setdefault(project, set()).add(clue.key)
        for name, protos in self.protos.items():
            for project in protos:
                known.setdefault(project, set()).add(name)
        for project, names in sorted(known.items()):
            rpcs: dict[str, set[str]] = {}
            for name in names:
                protos = self.protos.get(name, {})
                for proto in [protos[project]] if project in protos else protos.values():
                    for rpc in self._rpcs(name, proto.place):
                        rpcs.setdefault(rpc, set()).add(name)
            calls = _calls(self._catalogue.projects[project], rpcs)
            yield from (one for one in calls if not self._serves(one))

    def _rpcs(self, service: str, proto: Place) -> Iterator[str]:
        for definition in self._catalogue.projects[proto.project].definitions(proto.path).values():
            if definition.parent == service:
                yield normal(definition.name.rpartition(".")[2])

    def invoke(self, given: Given) -> None:
        place, clue = given
        protos, servers = self.protos.get(clue.key, {}), self.servers.get(clue.key, {})
        own = protos.get(place.project)
        for project in self._projects_of(place.project, protos, servers):
            proto = protos.get(project)
            if own is not None and proto is not None and own[1].value != proto[1].value:
                continue  # another system's of the same name
            confirmed = project == place.project or clue.key.casefold() not in COMMON_WORDS
            target = self._catalogue.at(proto[0]) if proto else None
            for source in self._sources(given):
                if proto and target is not None:
                    self._edges.add_given(source, clue.relation, target, given, proto, confirmed=confirmed)
            pieces = [one for one in (proto or own,) if one]
            for server in servers.get(project, ()) if pieces else ():
                caller, called = self._catalogue.home(given.place), self._catalogue.home(server.place)
                if caller.kind == "service" == called.kind:
                    self._edges.add_given(caller, "CALLS", called, given, server, *pieces, confirmed=confirmed)

    def _projects_of(self, project: str, protos: Mapping[str, Given], servers: Mapping[str, list[Given]]) -> list[str]:
        """The own project where it serves the service, or where none does; else it and all that do."""
        if project in servers or (project in protos and not servers):
            return [project]
        return sorted({*servers, project})

    def _serves(self, given: Given) -> bool:
        """Whether whose code that is serves the same: there it is the service's own class that is called so."""
        place, clue = given
        servers = self.servers.get(clue.key, {}).get(place.project, ())
        return any(self._catalogue.home(at) == self._catalogue.home(place) for at, _ in servers)

    def _sources(self, given: Given) -> Iterator[Entity]:
        """What has the stub in the code, and the service whose code that is, unless it serves the same itself."""
        owner, around = self._catalogue.home(given.place), self._catalogue.around(given.place)
        if owner.kind == "service" and not self._serves(given):
            yield owner
        if around.kind != "project" or owner.kind != "service":
            yield around


def _calls(modules: ProjectModules, rpcs: Mapping[str, set[str]]) -> Iterator[Given]:
    for path in sorted(modules.files) if rpcs else ():
        for ref in modules.files[path].references if is_code(path) else ():
            for name in sorted(rpcs.get(normal(ref.name), ())):
                if _is_stub(ref, path, name, modules):
                    says = f"calls {name}.{ref.name}"
                    clue = Clue(PROTO, PROTO, name, "needs", "INVOKES", ref.line, ref.caller, says)
                    yield Given(Place(modules.name, path, ref.caller), clue)


def _is_stub(ref: Reference, path: str, service: str, modules: ProjectModules) -> bool:
    """Whether a call is on a variable or field of the file that is typed as a stub of a service."""
    holder, wanted = ref.receiver.rpartition(".")[2], words_of(service)
    for one in modules.files[path].bindings if holder else ():
        words = words_of(one.type.rpartition(".")[2])
        named = one.name.rpartition(".")[2] == holder and words[: len(wanted)] == wanted
        if named and OF_STUBS.issuperset(words[len(wanted) :]):
            return True
    return False
