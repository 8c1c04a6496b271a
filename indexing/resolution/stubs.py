"""Who serves a service of gRPC or Thrift and who has a stub of it, by the file that defines the service.

The .proto agrees with who serves it and with who has a stub of it. The project's own .proto comes first. Another
project is meant when it serves the service, and, where both have the .proto, in the same package. A stub and a server
of the same service also say which service calls which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from extraction.rules.port import COMMON_WORDS
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.edges import Edges
from indexing.resolution.modules import Given, Place
from memory.entities import Entity

PROTO: Final = "grpc"
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
    for given in needs:
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
                        self._edges.add_given(self._owner(one.place), "EXPOSES", target, one, proto)

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
            for source in self._sources(place, clue.key):
                if proto and target is not None:
                    self._edges.add_given(source, clue.relation, target, given, proto, confirmed=confirmed)
            pieces = [one for one in (proto or own,) if one]
            for server in servers.get(project, ()) if pieces else ():
                caller, called = self._owner(given.place), self._owner(server.place)
                if caller.kind == "service" == called.kind:
                    self._edges.add_given(caller, "CALLS", called, given, server, *pieces, confirmed=confirmed)

    def _projects_of(self, project: str, protos: Mapping[str, Given], servers: Mapping[str, list[Given]]) -> list[str]:
        """The own project where it serves the service, or where none does; else it and all that do."""
        if project in servers or (project in protos and not servers):
            return [project]
        return sorted({*servers, project})

    def _owner(self, place: Place) -> Entity:
        return self._catalogue.owner(place) or self._catalogue.around(Place(place.project))

    def _sources(self, place: Place, key: str) -> Iterator[Entity]:
        """What has the stub in the code, and the service whose code that is, unless it serves the same itself."""
        owner, around = self._owner(place), self._catalogue.around(place)
        servers = [at for at, _ in self.servers.get(key, {}).get(place.project, ())]
        if owner.kind == "service" and all(self._owner(at) != owner for at in servers):
            yield owner
        if around.kind != "project" or owner.kind != "service":
            yield around
