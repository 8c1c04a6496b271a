"""Which part of a project a file belongs to, and what that part is called.

A part is a service, else the folder with a manifest, else the first telling folder. Its service, hosts, folder,
package, image and README's title are names of one thing: they are joined by the service that a file belongs to, or the
folder it lies in. A name that several components bear selects none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from extraction.occurrences.words import bare
from extraction.rules.port import COMMON_WORDS
from extraction.rules.services import ALIAS, COMMON_FOLDERS
from indexing.resolution.modules import ProjectModules
from indexing.resolution.services import Service, Services, normal

MANIFEST: Final = re.compile(
    r"package\.json|pom\.xml|build\.(?:gradle(?:\.kts)?|sbt)|go\.mod|Cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|mix\.exs"
    r"|Gemfile|composer\.json|pubspec\.yaml|Dockerfile|serverless\.ya?ml|Chart\.yaml|[^/]+\.csproj|requirements\.txt",
    re.IGNORECASE,
)
SHORTEST: Final = 4
CLIENT: Final = re.compile(
    r"(?:[A-Z][a-z]+)??([A-Z]\w{3,}?)(?:Api|Http|Grpc|Rest)?(?:Client|Gateway|Proxy|Connector|Facade)(?:Impl)?"
)


@dataclass(frozen=True, slots=True)
class Component:
    """A part of a project, a service or a folder; the whole has neither. home: the file that says where it is."""

    name: str = ""
    folder: str = ""
    is_service: bool = False
    home: str = ""


class Components:
    def __init__(self, modules: ProjectModules, services: Services) -> None:
        self._project = modules.name
        self._services = services
        self._files = modules.files
        self._manifests: dict[str, str] = {}
        for path in sorted(modules.files):
            folder, _, name = path.rpartition("/")
            if folder and MANIFEST.fullmatch(name):
                self._manifests.setdefault(folder, path)
        self._known: dict[str, Component] = {}

    def of(self, path: str) -> Component:
        folder = path.rpartition("/")[0]
        if folder not in self._known:
            self._known[folder] = self._find(path, folder)
        return self._known[folder]

    @staticmethod
    def of_service(service: Service) -> Component:
        return Component(service.name, is_service=True)

    def _find(self, path: str, folder: str) -> Component:
        service = self._services.owner(path)
        if service is not None:
            return self.of_service(service)
        outside = re.sub(r"(^|/)src(/.*|$)", "", folder) or folder  # a manifest among the sources is a part's
        above = outside
        while above:
            if above in self._manifests and self._tells(above, own=True):
                return Component(above.rpartition("/")[2], above, home=self._manifests[above])
            above = above.rpartition("/")[0]
        package = self._files[path].package if path in self._files else ""
        if "." in package:  # the folders of a package's name tell nothing
            folder = folder.removesuffix(package.replace(".", "/")).rstrip("/")
        parts = folder.split("/") if folder else []
        if "src" in parts[1:]:
            parts = parts[: parts.index("src", 1)]
            return Component(parts[-1], "/".join(parts), home=path)
        for n, part in enumerate(parts, 1):
            if self._tells("/".join(parts[:n])):
                return Component(part, "/".join(parts[:n]), home=path)
        return Component()

    def _tells(self, folder: str, *, own: bool = False) -> bool:
        """Whether a folder's name says which part it is; the project's own name does where a manifest is in it."""
        name = folder.rpartition("/")[2]
        if name.lower() in COMMON_FOLDERS or "/." in f"/{folder}":
            return False
        return own or normal(name) != normal(self._project)


class Aliases:
    """A project's components by name, without what says only that they are services: `Cart API` is `cart`."""

    def __init__(self, modules: ProjectModules, services: Services, components: Components) -> None:
        bearers: dict[str, set[Component]] = {}
        for name, component in _named(modules, services, components):
            short = bare(name)
            if component.name and len(short) >= SHORTEST and short not in COMMON_WORDS:
                bearers.setdefault(short, set()).add(component)
        self._by_name = {name: some.pop() for name, some in bearers.items() if len(some) == 1}

    def named(self, name: str) -> Component | None:
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
