"""What one component is called: its service, hosts, folder, package, image and README's title are names of one thing.

They are joined by what they share: the service that a file belongs to, or the folder it lies in. A name that several
components bear selects none of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.occurrences.words import bare
from indexing.rules.aliases import ALIAS
from indexing.rules.common_words import COMMON_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.references.components import Component, Components
    from indexing.resolution.services import Services

__all__ = ["Aliases"]

SHORTEST: Final = 4
CLIENT: Final = re.compile(
    r"(?:[A-Z][a-z]+)??([A-Z]\w{3,}?)(?:Api|Http|Grpc|Rest)?(?:Client|Gateway|Proxy|Connector|Facade)(?:Impl)?"
)


class Aliases:
    """The components of one project by their names, without what says only that they are services: `Cart API` is `cart`."""

    def __init__(self, modules: ProjectModules, services: Services, components: Components) -> None:
        bearers: dict[str, set[Component]] = {}
        for name, component in _named(modules, services, components):
            short = bare(name)
            if component.name and len(short) >= SHORTEST and short not in COMMON_WORDS:
                bearers.setdefault(short, set()).add(component)
        self._by_name = {name: some.pop() for name, some in bearers.items() if len(some) == 1}

    def named(self, name: str) -> Component | None:
        """The one component that a name is of."""
        return self._by_name.get(bare(name))

    def client_of(self, cls: str) -> Component | None:
        """The one that a class is called the client of: `BagTrackerClient` of `bag_tracker`."""
        found = CLIENT.fullmatch(cls)
        return self.named(found[1]) if found else None


def _named(modules: ProjectModules, services: Services, components: Components) -> Iterator[tuple[str, Component]]:
    for path, facts in sorted(modules.files.items()):
        own = components.of(path)
        yield own.name, own
        yield own.folder.rpartition("/")[2], own
        for clue in facts.clues:
            if clue.side == "needs":
                continue
            service = services.named(clue.entity) if clue.entity else None
            if clue.kind == ALIAS:
                yield clue.value, components.of_service(service) if service else own
            elif clue.kind == "service" and service is not None:
                yield clue.key, components.of_service(service)
            elif clue.kind.endswith("package") and path.rpartition("/")[0] == (own.folder or path.rpartition("/")[0]):
                yield clue.value.rpartition("/")[2].rpartition(":")[2], own
