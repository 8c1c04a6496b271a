"""docker-compose: services, what they are built from, what they wait for, and the addresses they are given.

A compose file may be called anything (`docker-stack.yml`, `ops/app.yml`): its keys decide
(https://github.com/compose-spec/compose-spec/blob/main/spec.md). A path that starts with `$PWD` is one below the folder
that compose is run in, the project's or the file's own.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import yaml

from extraction.facts import Clue, Definition
from extraction.rules.addresses import addresses_in
from extraction.rules.images import runs_image
from extraction.rules.port import Fact, FileRule, Source
from extraction.rules.services import (
    WORKLOAD,
    calls,
    env_map,
    given,
    lives_in,
    provides_service,
    published_at,
)
from extraction.rules.yaml_nodes import (
    at,
    documents,
    entries,
    first_line,
    items,
    last_line,
    names,
    pairs,
    scalar,
    settings,
)

CALLED_SO: Final = re.compile(r"(^|/)(docker-)?compose[\w.-]*\.ya?ml$", re.IGNORECASE)
SERVICES: Final = re.compile(r"^services:\s*(?:#.*)?$", re.MULTILINE)
TOP: Final = re.compile(r"version|name|include|services|networks|volumes|secrets|configs|x-.*")
"""All that a compose file may have at its top."""
RUNS: Final = frozenset({"image", "build", "extends"})
URL_HOST: Final = re.compile(r"(?<=://)(?:[^/@\s]*@)?(?P<host>[\w.-]+)")
FILE: Final = re.compile(r"(^|/)[^./][^/]*\.ya?ml$", re.IGNORECASE)
SCRIPTS: Final = re.compile(r"([^:]+):/docker-entrypoint-initdb\.d(?:/[^:]*)?(?::\w+)?")
"""https://hub.docker.com/_/postgres, initialization scripts; MySQL's, MariaDB's and MongoDB's images have it too."""
PORT: Final = re.compile(r"(?:[\d.]+:|\[[\d:]*\]:)??(?:\$\{\w+:?-)?(\d{2,5})\}?:")
TESTS: Final = re.compile(r"(^|/)tests?/|[-._]tests?\.ya?ml$")
"""What a test run starts waits for more than the services themselves need."""
Fields = dict[str, "yaml.Node"]

RUN_IN: Final = re.compile(r"\$(?:PWD|\{PWD\})(?:/|$)")
ELSEWHERE: Final = re.compile(r"://|[$@]")
LANGUAGE: Final = re.compile(
    r"(?:[\w.-]+/)*(?:python|node|php|ruby|golang|rust|openjdk|eclipse-temurin|amazoncorretto|maven|gradle|sdk|elixir|bun|deno)(?::[^/]*)?$"
)
"""An image that runs whatever code is mounted into it."""
MOUNT: Final = re.compile(r"(?P<host>[^:]+):(?:/(?:\w+/)*(?:app|code|src|workspace|html|www))/?(?::\w+)?")
PATH: Final = re.compile(r"(?:^|[=\"'])(?:\./)?(?P<path>[\w.-]+(?:/[\w.-]+)+)/?[\"']?$")
COMMANDS: Final = re.compile(r"\n|;|&&|\|\|")
WAIT: Final = re.compile(r"(?:.*/)?(?:wait[\w.-]*|-+wait\b.*|nc|until)$")
INSIDE: Final = frozenset(
    {"public", "src", "bin", "dist", "build", "cmd", "lib", "out", "target", "script", "scripts", "config", "docker"}
    | {"node_modules", ".bin", "vendor", "wwwroot"}
)
"""Folders in a service's own: what is started lies in them."""


def compose_services(source: Source) -> Iterator[yaml.Node]:
    """The mapping of services of each document.

    A file that is called so may say what it likes; one that is not has compose's keys alone, and its services all say
    what they run. The first version of the format had the services at its top.
    """
    called_so = CALLED_SO.search(source.path) is not None
    if not called_so and SERVICES.search(source.text) is None:
        return
    for root in documents(source.text):
        services = at(root, "services")
        if services is not None and (
            called_so or (_all_run(services) and all(TOP.fullmatch(k) for k, _ in pairs(root)))
        ):
            yield services
        elif services is None and called_so and _all_run(root):
            yield root


def _all_run(services: yaml.Node) -> bool:
    return all(RUNS & dict(pairs(node)).keys() for _, node in pairs(services))


def _aliases_of(fields: Mapping[str, yaml.Node]) -> Iterator[str]:
    """What else a service is called in its networks."""
    for _, network in pairs(fields.get("networks")):
        yield from (alias for alias, _ in names(at(network, "aliases")))


def _dotted_aliases(services: yaml.Node) -> dict[str, str]:
    """The services behind aliases that look like a domain's (`id.shop.local`), which elsewhere mean no service."""
    named = [(name, dict(pairs(node))) for name, node in pairs(services)]
    return {alias.lower(): name for name, fields in named for alias in _aliases_of(fields) if "." in alias}


def with_service(value: str, aliases: Mapping[str, str]) -> str:
    """An address with the service in place of its alias."""
    found = URL_HOST.search(value)
    service = aliases.get(found["host"].lower(), "") if found else ""
    return f"{value[: found.start('host')]}{service}{value[found.end('host') :]}" if found and service else value


class Compose(FileRule):
    """A Definition of kind service each; `X_URL: name:port` calls the service it names, `depends_on` depends on it."""

    name = "docker-compose"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and TESTS.search(path) is None

    def facts(self, source: Source) -> Iterator[Fact]:
        for services in compose_services(source):
            aliased = _dotted_aliases(services)
            yield from self._homes(source, {name: dict(pairs(node)) for name, node in pairs(services)})
            for name, key, node in entries(services):
                fields = dict(pairs(node))
                first = first_line(key)
                last = max(first, last_line(node, source.text))
                yield Definition(name, "service", first, last, summary=_summary(fields))
                called = (scalar(fields.get(key)) for key in ("container_name", "hostname"))
                aliases = {name, *called, *_aliases_of(fields)} - {""}
                image = scalar(fields.get("image"))
                for alias in sorted(aliases):
                    yield provides_service(self.name, alias, name, first, WORKLOAD, image)
                if image:
                    yield from runs_image(self.name, image, first_line(fields["image"]), name)
                yield from (published_at(self.name, port, name, line) for port, line in _ports(fields.get("ports")))
                yield from self._scripts(source, name, fields)
                yield from self._needed(source, name, fields, aliased)

    def _homes(self, source: Source, services: Mapping[str, Fields]) -> Iterator[Clue]:
        """What each is built from; of one context for several, and of code mounted into an image, what is its alone."""
        shared = shared_folders(source.path, services)
        built = {folder for fields in services.values() for folder in build_folders(source.path, fields)}
        for name, fields in services.items():
            for folder in build_folders(source.path, fields):
                line = first_line(fields["build"])
                yield lives_in(self.name, folder, name, line)
                if folder in shared and (deeper := started_in(folder, fields)):
                    yield lives_in(self.name, deeper[0], name, deeper[1])
            for folder, line in mounted_folders(source.path, fields):
                if folder not in built:
                    yield lives_in(self.name, folder, name, line)

    def _scripts(self, source: Source, service: str, fields: dict[str, yaml.Node]) -> Iterator[Clue]:
        """The folders of what a database's image runs at its first start: they are the database's own."""
        for text, line in names(fields.get("volumes")):
            found = SCRIPTS.fullmatch(text)
            if found is None or not found[1].startswith("."):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), found[1]))
            folder = posixpath.dirname(path) if posixpath.splitext(path)[1] else path
            if folder not in {"", "."} and not folder.startswith(".."):
                yield lives_in(self.name, folder, service, line)

    def _needed(
        self, source: Source, name: str, fields: dict[str, yaml.Node], aliased: Mapping[str, str]
    ) -> Iterator[Clue]:
        linked = ((other.partition(":")[0], line) for other, line in names(fields.get("links")))
        for other, line in (*names(fields.get("depends_on")), *linked):
            says = f"{name} depends on {other}"
            yield Clue(self.name, "service", other.lower(), "needs", "DEPENDS_ON", line, name, says)
        for key, value, line in settings(fields.get("environment")):
            yield from given(self.name, name, key, with_service(value, aliased), line)
        for path, line in _env_files(fields.get("env_file")):
            where = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), path))
            says = f"{name} is given an environment file"
            yield Clue(self.name, "settings", f"{env_map(where)}/", "needs", "CALLS", line, name, says)
        for word, line, waits in words(fields.get("command")):
            for address in addresses_in("", word.rpartition("=")[2]):
                if address.host and waits:
                    says = f"{name} waits for {address.host}"
                    yield Clue(self.name, "service", address.host, "needs", "DEPENDS_ON", line, name, says)
                elif address.host:
                    yield calls(self.name, address, line, name, f"{name} is started with {address.host}")


def _env_files(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """One path, a list of them, or of mappings with a `path`."""
    listed = items(node) or ([node] if node is not None else [])
    for one in listed:
        path = scalar(one) or scalar(at(one, "path"))
        if path and "$" not in path:
            yield path, first_line(one)


def _ports(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """The host's ports: `8080:80`, `127.0.0.1:8080:80`, `${PORT:-8080}:80`, `{published: 8080, target: 80}`."""
    for one in items(node):
        found = PORT.match(scalar(one) or f"{scalar(at(one, 'published'))}:")
        if found:
            yield found[1], first_line(one)


def _summary(fields: dict[str, yaml.Node]) -> str:
    build = fields.get("build")
    context = scalar(at(build, "context")) or scalar(build)
    ports = ", ".join(name for name, _ in names(fields.get("ports")))
    context = "" if "@" in context else context  # a URL with credentials
    parts = (("image", scalar(fields.get("image"))), ("built from", context), ("ports", ports))
    return "; ".join(f"{label} {value}" for label, value in parts if value)


def words(node: yaml.Node | None) -> Iterator[tuple[str, int, bool]]:
    """The words of a command, a text or a list; their lines; whether one before them waits for what they name."""
    texts = names(node) if not scalar(node) else [(scalar(node), first_line(node))] if node is not None else []
    waits = False
    for text, line in texts:
        for command in COMMANDS.split(text):
            waits = waits and " " not in text  # a list has a word an item
            for word in command.split():
                waits = (waits or WAIT.match(word) is not None) and word != "--"
                yield word, line, waits


def build_folders(path: str, fields: Fields) -> list[str]:
    """The build context, or the folder of the Dockerfile where that lies deeper; '' is the project's own."""
    build = fields.get("build")
    if build is None:
        return []
    dockerfile = posixpath.dirname(scalar(at(build, "dockerfile")))
    return _folders(
        path, scalar(build) or scalar(at(build, "context")), "" if ELSEWHERE.search(dockerfile) else dockerfile
    )


def mounted_folders(path: str, fields: Fields) -> Iterator[tuple[str, int]]:
    """The code that a language's own image is given, and the line that mounts it."""
    if "build" in fields or LANGUAGE.fullmatch(scalar(fields.get("image"))) is None:
        return
    for text, line in names(fields.get("volumes")):
        found = MOUNT.fullmatch(text)
        if found and found["host"].startswith((".", "$")):
            yield from ((folder, line) for folder in _folders(path, found["host"]) if folder)


def shared_folders(path: str, services: Mapping[str, Fields]) -> frozenset[str]:
    """What several services of the file are built from."""
    homes = Counter(folder for fields in services.values() for folder in set(build_folders(path, fields)))
    return frozenset(folder for folder, times in homes.items() if times > 1)


def started_in(context: str, fields: Fields) -> tuple[str, int] | None:
    """The one folder below its build context that a service is started in, or whose program it runs, and the line."""
    given = [*words(fields.get("working_dir")), *words(fields.get("entrypoint")), *words(fields.get("command"))]
    found = {_holding(match["path"]): line for word, line, _ in given if (match := PATH.search(word))}
    found.pop("", None)
    folder, line = next(iter(found.items()), ("", 0))
    return (posixpath.normpath(posixpath.join(context, folder)), line) if len(found) == 1 else None


def _holding(path: str) -> str:
    """A program's own folder: `services/till/src/index.js` is `services/till`."""
    parts = path.split("/")
    parts = parts[:-1] if "." in parts[-1] else parts
    while parts and parts[-1].lower() in INSIDE:
        parts.pop()
    return "/".join(parts)


def _folders(path: str, written: str, deeper: str = "") -> list[str]:
    """A folder as a compose file writes it, below the project's; none for one elsewhere."""
    own = posixpath.dirname(path)
    run_in = RUN_IN.match(written)
    rest = written[run_in.end() :] if run_in else written
    if ELSEWHERE.search(rest):
        return []
    found = [
        posixpath.normpath(posixpath.join(base, rest, deeper)) for base in dict.fromkeys(["", own] if run_in else [own])
    ]
    return ["" if folder == "." else folder for folder in found if not folder.startswith(("..", "/"))]
