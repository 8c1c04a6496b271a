"""Who serves a gRPC service and who has a stub of it: the .proto that defines it agrees with both (issue 6 §2).

The project's own .proto comes first. Another project is meant when it serves the service, and, where both have the .proto,
in the same package. A stub and a server of the same service also say which service calls which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexing.resolution.names import Place
from indexing.rules.common_words import COMMON_WORDS
from memory.entities import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from indexing.facts import Clue
    from indexing.resolution.catalogue import Catalogue
    from indexing.resolution.edges import Edges
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services
    from memory.entities import Entity

__all__ = ["PROTO", "SERVER", "STUBS", "add_stub_edges"]

PROTO: Final = "grpc"
SERVER: Final = "grpc server"
STUBS: Final = frozenset({PROTO, SERVER})
Given = tuple[Place, "Clue"]


def add_stub_edges(
    projects: Mapping[str, ProjectModules], services: Mapping[str, Services], catalogue: Catalogue, edges: Edges
) -> None:
    """Add EXPOSES and INVOKES to gRPC services, and CALLS between the services at both ends."""
    stubs = _Stubs(services, catalogue, edges)
    needs: list[Given] = []
    for project in sorted(projects):
        for path, facts in sorted(projects[project].files.items(), key=lambda row: (row[0].count("/"), row[0])):
            for clue in facts.clues:
                place = Place(project, path, clue.entity)
                if clue.kind == SERVER:
                    stubs.servers.setdefault(clue.key, {}).setdefault(project, []).append((place, clue))
                elif clue.kind == PROTO and clue.side == "provides":
                    stubs.protos.setdefault(clue.key, {}).setdefault(project, (place, clue))
                elif clue.kind == PROTO:
                    needs.append((place, clue))
    stubs.expose()
    for place, clue in needs:
        stubs.invoke(place, clue)


class _Stubs:
    """protos: of each project the one .proto that stands for its copies; servers: who serves a service."""

    def __init__(self, services: Mapping[str, Services], catalogue: Catalogue, edges: Edges) -> None:
        self.protos: dict[str, dict[str, Given]] = {}
        self.servers: dict[str, dict[str, list[Given]]] = {}
        self._services = services
        self._catalogue = catalogue
        self._edges = edges

    def expose(self) -> None:
        for name in sorted(self.servers):
            for project, served in self.servers[name].items():
                proto = self.protos.get(name, {}).get(project)
                target = self._catalogue.at(proto[0]) if proto else None
                for place, clue in served:
                    if proto and target is not None:
                        self._add(self._owner(place), "EXPOSES", target, (place, clue), [proto])

    def invoke(self, place: Place, clue: Clue) -> None:
        protos, servers = self.protos.get(clue.key, {}), self.servers.get(clue.key, {})
        own = protos.get(place.project)
        for project in self._meant(place.project, protos, servers):
            proto = protos.get(project)
            if own is not None and proto is not None and own[1].value != proto[1].value:
                continue  # another system's of the same name
            confirmed = project == place.project or clue.key.casefold() not in COMMON_WORDS
            target = self._catalogue.at(proto[0]) if proto else None
            for source in self._sources(place, clue.key):
                if proto and target is not None:
                    self._add(source, clue.relation, target, (place, clue), [proto], confirmed=confirmed)
            pieces = [one for one in (proto or own,) if one]
            for server in servers.get(project, ()) if pieces else ():
                self._call(place, clue, server, pieces, confirmed=confirmed)

    def _meant(self, project: str, protos: Mapping[str, Given], servers: Mapping[str, list[Given]]) -> list[str]:
        """The own project where it serves the service, or where nobody does; else it and all that do."""
        if project in servers or (project in protos and not servers):
            return [project]
        return sorted({*servers, project})

    def _call(self, place: Place, clue: Clue, server: Given, protos: list[Given], *, confirmed: bool) -> None:
        source, target = self._owner(place), self._owner(server[0])
        if source.kind == "service" == target.kind:
            self._add(source, "CALLS", target, (place, clue), [server, *protos], confirmed=confirmed)

    def _owner(self, place: Place) -> Entity:
        service = self._services[place.project].owner(place.path)
        found = self._catalogue.at(service.place) if service else None
        return found or self._catalogue.around(Place(place.project))

    def _sources(self, place: Place, key: str) -> Iterator[Entity]:
        """What has the stub in the code, and the service whose code that is, unless it serves the same itself."""
        owner, said = self._owner(place), self._catalogue.around(place)
        servers = [at for at, _ in self.servers.get(key, {}).get(place.project, ())]
        if owner.kind == "service" and all(self._owner(at) != owner for at in servers):
            yield owner
        if said.kind != "project" or owner.kind != "service":
            yield said

    def _add(
        self,
        source: Entity,
        relation: str,
        target: Entity,
        given: Given,
        others: list[Given],
        *,
        confirmed: bool = True,
    ) -> None:
        place, clue = given
        pieces = [Evidence(one.rule, at.project, at.path, one.line, one.says) for at, one in (given, *others)]
        self._edges.add(
            source, relation, target, path=place.path, lines=[clue.line], evidence=pieces, confirmed=confirmed
        )
