"""The services of one project: what defines each, which names lead to it, and which of them a file belongs to.

Compose files, manifests, settings and Dockerfiles often define one service several times over: they are one, and it
is where the strongest evidence is. Looks at one project alone, so that no other decides what is a service here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from extraction.facts import Clue
from extraction.rules.port import COMMON_WORDS
from extraction.rules.services import ADDRESS, COMMON_FOLDERS, FOLDER, NAMED, WORKLOAD, is_engine, is_store
from indexing.resolution.modules import Place, ProjectModules

HOW: Final = (WORKLOAD, NAMED, ADDRESS, FOLDER)
ASIDE: Final = re.compile(
    r"(^|/)(overlays?|patch(es)?|components?|kustomize|templates|extras?|tests?|examples?|local|dev|legacy)(/|[-_.])"
    r"|(^|/)(docker-)?compose[-.]\w[\w.-]*\.ya?ml$"
)
SOURCES: Final = re.compile(r"(^|/)src/(main|test)/")
ENDINGS: Final = ("service", "svc", "server", "api", "app")
HOLDERS: Final = frozenset({"src", "services", "apps", "packages", "cmd", "microservices", "projects", ""})
LOCAL: Final = "localhost:"
SUFFIX: Final = re.compile(r"_(?:ADDR(?:ESS)?|HOST(?:NAME)?|UR[LI]|ENDPOINT|SERVERS?|BROKERS?)$")
SETTINGS: Final = frozenset({"yml", "yaml", "properties"})
"""What a file of a service's settings ends in, as a server of settings keeps one for each."""


@dataclass(slots=True)
class Service:
    """One service: where it is, and the clue that says so. `strong`: more than a folder speaks for it."""

    name: str
    place: Place
    clue: Clue
    strong: bool
    store: bool = False
    hosts: set[str] = field(default_factory=set)


def normal(name: str) -> str:
    """Names as they compare: without case, hyphens, underscores and dots."""
    return re.sub(r"[-_.]", "", name).casefold()


class Services:
    """Looks up by name, host, variable, folder and file; every answer is one service or none."""

    def __init__(self, modules: ProjectModules) -> None:
        self.project = modules.name
        self._by_name: dict[str, Service] = {}
        self._aliases: dict[str, Service] = {}
        self._folders: dict[str, Service] = {}
        self._owners: dict[str, Service | None] = {}
        given = [
            (path, clue)
            for path, facts in sorted(modules.files.items())
            for clue in facts.clues
            if clue.side == "provides"
        ]
        self._define([(path, clue) for path, clue in given if clue.kind == "service"])
        self._merge([clue for _, clue in given if clue.kind == "service alias"])
        folders = [clue for _, clue in given if clue.kind == "service folder"]
        asked = Counter(
            normal(clue.key)
            for facts in modules.files.values()
            for clue in facts.clues
            if clue.kind == "service" and clue.side == "needs"
        )
        self._unite(folders, asked)
        self._settle(folders)
        self._publish([clue for _, clue in given if clue.kind == "service port"])
        self._name_folders([(path, clue) for path, clue in given if clue.kind.endswith("package")])
        self._drop_nested()
        self.shown = frozenset(service.place for service in self._by_name.values())

    def _define(self, given: list[tuple[str, Clue]]) -> None:
        for path, clue in sorted(given, key=lambda row: _rank(*row)):
            strong = clue.value != FOLDER
            known = self._by_name.get(normal(clue.entity)) or (None if strong else self._fitting(clue.entity))
            if known is None:
                known = Service(clue.entity, Place(self.project, path, clue.entity), clue, strong)
                self._by_name[normal(clue.entity)] = known
            known.store |= clue.relation == "STORES_IN"
            known.hosts.add(clue.key)
        self._drop_the_project()
        for service in self._by_name.values():
            for host in sorted(service.hosts):
                self._aliases.setdefault(normal(host), service)
        self._aliases |= self._by_name

    def _drop_the_project(self) -> None:
        """A Dockerfile at the top of a project with services of its own builds a tool, not the project."""
        own = self._by_name.get(normal(self.project))
        if own is not None and not own.strong and any(s.strong and not s.store for s in self._by_name.values()):
            del self._by_name[normal(self.project)]

    def _drop_nested(self) -> None:
        """A folder that is built into an image inside a service's own is a tool of that service."""
        for folder, service in list(self._folders.items()):
            above = (
                home for home, other in self._folders.items() if other.strong and home and folder.startswith(f"{home}/")
            )
            if not service.strong and next(above, None) is not None:
                del self._folders[folder]
                self._by_name.pop(normal(service.name), None)
                self._aliases = {key: one for key, one in self._aliases.items() if one is not service}

    def _merge(self, aliases: list[Clue]) -> None:
        """A Kubernetes Service is another name of the workload behind it."""
        for clue in aliases:
            name, target = self._by_name.get(normal(clue.key)), self._by_name.get(normal(clue.value))
            if name is None or target is None or name is target or name.clue.value != ADDRESS:
                continue
            if target.clue.value == WORKLOAD:
                del self._by_name[normal(clue.key)]
                for key, service in self._aliases.items():
                    if service is name:
                        self._aliases[key] = target

    def _unite(self, clues: list[Clue], asked: Counter[str]) -> None:
        """A service that its settings and what runs its folder call by two names has the one that others ask for."""
        homes: dict[str, dict[str, Service]] = {}
        for clue in clues:
            if service := self._by_name.get(normal(clue.entity)):
                homes.setdefault(clue.key, {})[service.name] = service
        for folder, services in homes.items():
            run = [one for one in services.values() if one.clue.value == WORKLOAD]
            named = [one for one in services.values() if one.clue.value == NAMED]
            if folder and len(run) == 1 == len(named) and not run[0].store:
                ours, theirs = (asked[normal(one[0].name)] for one in (named, run))
                as_folder = normal(named[0].name) == normal(folder.rsplit("/", 1)[-1])
                self._absorb(*(named + run if ours > theirs or (ours == theirs and as_folder) else run + named))

    def _publish(self, clues: list[Clue]) -> None:
        """What a developer's machine has at a port, where one service alone is published there."""
        there: dict[str, dict[str, Service]] = {}
        for clue in clues:
            if service := self.named(clue.entity):
                there.setdefault(clue.key, {})[service.name] = service
        for port, services in there.items():
            if len(services) == 1:
                self._aliases[f"{LOCAL}{port}"] = next(iter(services.values()))

    def _absorb(self, kept: Service, other: Service) -> None:
        if self._by_name.get(normal(kept.name)) is not kept or self._by_name.get(normal(other.name)) is not other:
            return  # one has been taken in with another of its folders
        del self._by_name[normal(other.name)]
        kept.hosts |= other.hosts
        for key, service in self._aliases.items():
            if service is other:
                self._aliases[key] = kept

    def _settle(self, clues: list[Clue]) -> None:
        """The folders that services are built from; one that several are built from is none's."""
        homes: dict[str, set[str]] = {}
        for clue in clues:
            service = self.named(clue.entity) or self._fitting(clue.entity)
            if service is not None:
                homes.setdefault(clue.key, set()).add(normal(service.name))
        for folder, names in homes.items():
            own = {normal(folder.rpartition("/")[2])} & names
            strong = {name for name in names if self._by_name[name].strong}
            if own and all(self._by_name[name].place.path.startswith(f"{folder}/") for name in strong):
                strong = own  # a compose file of its own may call it `app`
            strong = strong or names
            if len(strong) == 1 and not _is_shared(folder, homes):
                self._folders[folder] = self._by_name[strong.pop()]

    def _name_folders(self, clues: list[tuple[str, Clue]]) -> None:
        """A folder whose manifest has a service's name."""
        for path, clue in clues:
            service = self._by_name.get(normal(clue.key.rsplit("/", 1)[-1].rsplit(":", 1)[-1]))
            if service is not None and "/" in path:
                self._folders.setdefault(path.rpartition("/")[0], service)

    @property
    def names(self) -> Collection[str]:
        """The names and hosts that lead to one from anywhere, as they compare."""
        return [name for name in self._aliases if not name.startswith(LOCAL)]

    def named(self, name: str) -> Service | None:
        """The service of this name or host, in any spelling."""
        return self._aliases.get(normal(name))

    def variable(self, variable: str) -> Service | None:
        """The one service that a variable is named after: `PRODUCT_CATALOG_SERVICE_ADDR`, `CART_HOST`."""
        stem = SUFFIX.sub("", variable.upper())
        if stem == variable.upper():
            return None
        return self.named(stem) or self._fitting(stem.lower()) or self._store_of(stem.lower())

    def _store_of(self, engine: str) -> Service | None:
        """`VALKEY_ADDR` is the one store that begins so."""
        found = [
            s for s in self._by_name.values() if s.store and re.match(rf"{re.escape(engine)}[-_.]", s.name.lower())
        ]
        return found[0] if len(found) == 1 else None

    def _fitting(self, name: str) -> Service | None:
        """The one service whose name differs by a common beginning (`shop-cart`, `cart`) or ending (`cartservice`)."""
        found = [service for service in self._by_name.values() if _fits(name, service.name)]
        return found[0] if len(found) == 1 else None

    def owner(self, path: str) -> Service | None:
        """The service that a file belongs to: of settings the one that they are called after, wherever they are kept;
        else the innermost of its folders that is one's, else the whole project's.
        """
        folder, _, file = path.rpartition("/")
        title, _, end = file.rpartition(".")
        if end in SETTINGS and "-" in title and (meant := self._aliases.get(normal(title))) is not None:
            return meant
        if folder not in self._owners:
            self._owners[folder] = self._owner(folder)
        return self._owners[folder]

    def owner_name(self, path: str) -> str:
        """The name of the service that a file belongs to; '' for none."""
        owner = self.owner(path)
        return owner.name if owner is not None else ""

    def _owner(self, folder: str) -> Service | None:
        above = [folder]
        while above[-1]:
            above.append(above[-1].rpartition("/")[0])
        built = next((self._folders[one] for one in above if one and one in self._folders), None)
        if built is not None:
            return built
        cut = SOURCES.search(f"{folder}/")
        outside = [one for one in above if one and (cut is None or len(one) <= cut.start())]
        inside = [one for one in above if one and one not in outside]
        for one in (*outside, *inside):
            if found := self._called(one):
                return found
        return self._whole()

    def _called(self, folder: str) -> Service | None:
        parent, _, name = folder.rpartition("/")
        exact = self.named(name)
        if name.lower() in COMMON_FOLDERS:
            return exact if parent.rsplit("/", 1)[-1] in HOLDERS and exact and not exact.store else None
        if is_engine(name) and parent.rsplit("/", 1)[-1] not in HOLDERS:
            return None  # a client of it
        return exact or self._fitting(name)

    def _whole(self) -> Service | None:
        """The one service that the project is: built from its top, or called as it is (`orders` in `sock-orders`)."""
        if "" in self._folders:
            return self._folders[""]
        ours = [s for s in self._by_name.values() if not s.store]
        called = [s for s in ours if normal(s.name) == normal(self.project)]
        called = called or [s for s in ours if self.project.lower().endswith(f"-{s.name.lower()}")]
        return called[0] if len(called) == 1 else None

    def is_home_of(self, service: Service) -> bool:
        ours, name = self.project.lower(), service.name.lower()
        return normal(_stem(ours)) == normal(_stem(name)) or ours.endswith(f"-{name}")

    def served_by(self, store: Service) -> Service | None:
        """The service that a database is called after and that therefore is its own: `catalogue` of `catalogue-db`."""
        stem = re.sub(r"[-_.](?:db|database|mysql|postgres(?:ql)?|mongo(?:db)?|redis)$", "", store.name.lower())
        found = self.named(stem) if store.store and stem != store.name.lower() else None
        return found if found is not None and not found.store else None


def _is_shared(folder: str, homes: dict[str, set[str]]) -> bool:
    """Whether the service that a folder builds has its own folder in there, beside those of others."""
    inside = [
        names for home, names in homes.items() if home != folder and home.startswith(f"{folder}/" if folder else "")
    ]
    return homes[folder] in inside and any(names != homes[folder] for names in inside)


def _rank(path: str, clue: Clue) -> tuple[bool, bool, int, int, str, int, str]:
    aside = ASIDE.search(path) is not None
    how = HOW.index(clue.value) if clue.value in HOW else len(HOW)
    return (how == HOW.index(FOLDER), aside, how, path.count("/"), path, clue.line, clue.key)


def _fits(name: str, service: str) -> bool:
    """`name` and `service` are one but for what is before a separator, or for an ending that says it is a service."""
    a, b = re.sub(r"[_.]", "-", name.lower()), re.sub(r"[_.]", "-", service.lower())
    if min(len(a), len(b)) < 3 or {normal(a), normal(b)} & COMMON_WORDS:
        return False
    if is_store(name) != is_store(service):
        return False
    x, y = _stem(a), _stem(b)
    return normal(x) == normal(y) or any(one.endswith(f"-{end}") for one, end in ((a, b), (b, a), (x, y), (y, x)))


def _stem(name: str) -> str:
    ending = next((end for end in ENDINGS if name.endswith(end) and len(name) > len(end) + 2), "")
    return name.removesuffix(ending).rstrip("-")
