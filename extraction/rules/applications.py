"""Folders that are services: by their settings' name, their Dockerfile, their place in a workspace, or the server they
start.

Only a name in settings is strong evidence; the others are weak, and whatever runs the folder outranks them. Settings:
https://docs.spring.io/spring-boot/reference/features/external-config.html, https://quarkus.io/guides/all-config,
https://docs.micronaut.io/latest/guide/#config, Steeltoe's in appsettings.json
(https://docs.steeltoe.io/api/v3/discovery). Workspaces: https://docs.nestjs.com/cli/monorepo,
https://nx.dev/reference/project-configuration. Servers of Rust: axum (https://docs.rs/axum/latest/axum/fn.serve.html),
hyper, Actix Web (https://actix.rs/docs/server), Rocket, warp and tonic
(https://docs.rs/tonic/latest/tonic/transport/struct.Server.html). Modules that are built to run: the SDKs of .NET
(https://learn.microsoft.com/dotnet/core/project-sdk/overview), the plug-ins of Spring Boot
(https://docs.spring.io/spring-boot/gradle-plugin/), Quarkus, Micronaut, Ktor and Gradle's own, and the application
callback of mix (https://hexdocs.pm/mix/Mix.Tasks.Compile.App.html).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Final

import yaml

from extraction.facts import Definition
from extraction.kinds import kind_of
from extraction.rules.expressions import line_at, without_comments
from extraction.rules.packages_managed import MSBUILD
from extraction.rules.port import Fact, FileRule, Findings, Source
from extraction.rules.services import COMMON_FOLDERS, FOLDER, NAMED, lives_in, provides_service
from extraction.rules.yaml_nodes import at, documents, entries, first_line, last_line, scalar
from memory.text import is_test

FRAMEWORKS: Final = ("spring", "quarkus", "micronaut")
SETTINGS: Final = re.compile(r"(^|/)(application|bootstrap)\.(ya?ml|properties)$|(^|/)appsettings\.json$")
OF_TESTS: Final = re.compile(r"(^|/)src/test/")
SOURCES: Final = re.compile(r"(^|/)src/main/resources/(.*/)?[^/]*$|(^|/)[^/]*$")
PROPERTY: Final = re.compile(rf"^[^\S\n]*({'|'.join(FRAMEWORKS)})\.application\.name\s*[=:]\s*(\S+)", re.MULTILINE)
COMMENT: Final = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
"""What .NET allows in its settings, though JSON has none."""
DEFAULT: Final = re.compile(r"\$\{[^:}]+:([^}]*)\}")
DOCKERFILE: Final = re.compile(r"(^|/)(Dockerfile|Containerfile)[^/]*$|\.dockerfile$", re.IGNORECASE)
FROM: Final = re.compile(r"^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE | re.MULTILINE)
OWN_NAME: Final = re.compile(
    r"(?:Docker|Container)file[-.]([A-Za-z][\w-]*)|([A-Za-z][\w-]*)\.dockerfile", re.IGNORECASE
)
VARIANTS: Final = frozenset(
    {"alpine", "debug", "debian", "jvm", "native", "release", "slim", "tye", "ubuntu", "windows"}
)
EXPOSE: Final = re.compile(r"^EXPOSE\s+(.+)$", re.IGNORECASE | re.MULTILINE)
STARTED: Final = frozenset({"build", "serve", "start", "dev", "run", "package", "container", "docker"})
TEST_RUN: Final = re.compile(r"[-_](?:e2e|test|tests)$")
RUST_MAIN: Final = re.compile(r"(?:^|/)(?P<crate>[\w.-]+)/src/main\.rs$")
STARTS: Final = re.compile(
    r"\baxum::serve\(|\baxum::Server::bind\(|\bHttpServer::new\(|\brocket::build\(|#\[launch\]|\bwarp::serve\("
    r"|\btonic\b[\s\S]*?\bServer::builder\(\)|\bhyper\b[\s\S]*?\bServer::bind\("
)
RUNNABLE: Final = (
    (MSBUILD, re.compile(r"Sdk=\"Microsoft\.NET\.Sdk\.(?:Web|Worker)\"|<AzureFunctionsVersion>|<OutputType>Exe<")),
    (re.compile(r"(^|/)mix\.exs$"), re.compile(r"\bmod:\s*\{")),
    (re.compile(r"(^|/)pom\.xml$"), re.compile(r"<artifactId>(?:spring-boot|quarkus|micronaut)-maven-plugin<")),
    (
        re.compile(r"(^|/)build\.gradle(?:\.kts)?$"),
        re.compile(
            r"""\b(?:id|alias)\b.*["'](?:org\.springframework\.boot|io\.ktor\.plugin|io\.quarkus|io\.micronaut\.application|application)["']"""
            r"(?!.*\bapply\b.*\bfalse\b)"
        ),
    ),
)
"""A module's manifest, and what it holds where the module is built to run."""


def _service(rule: str, name: str, folder: str, lines: Sequence[int], summary: str, how: str) -> Iterator[Fact]:
    """A service that is called so, whose source is the folder."""
    yield Definition(name, "service", lines[0], lines[1], summary=summary)
    yield provides_service(rule, name, name, lines[0], how)
    yield lives_in(rule, folder, name, lines[0])


class ApplicationNames(FileRule):
    """A Definition of kind service, reached under its name through discovery, whose source is the module's folder."""

    name = "application name"

    def reads(self, path: str) -> bool:
        return SETTINGS.search(path) is not None and OF_TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        framework, written, line = self._named(source)
        name = DEFAULT.sub(r"\1", written).strip("\"'")
        if not re.fullmatch(r"[A-Za-z][\w.-]*", name):
            return None
        folder = SOURCES.sub("", source.path)
        summary = f"{framework.capitalize()} application in {folder or source.project}"
        return Findings.of(_service(framework, name, folder, (line, line), summary, NAMED), framework)

    def _named(self, source: Source) -> tuple[str, str, int]:
        if found := PROPERTY.search(source.text):
            return found[1], found[2], line_at(source.text, found.start(2))
        text = COMMENT.sub("", source.text) if source.path.endswith(".json") else source.text
        for root in documents(text) if not source.path.endswith(".properties") else ():
            named = at(root, "Spring", "Application", "Name")
            if named is not None and scalar(named):
                return "steeltoe", scalar(named), first_line(named)
            for framework in FRAMEWORKS:
                node = at(root, framework, "application", "name")
                if node is not None and scalar(node):
                    return framework, scalar(node), first_line(node)
        return "", "", 1


class Dockerfile(FileRule):
    """A service, named by the folder; where that says nothing (`docker/`) by the file's own name, or by the project."""

    name = "dockerfile"

    def reads(self, path: str) -> bool:
        return (
            DOCKERFILE.search(path) is not None and kind_of(path, "dockerfile") == "config" and "/." not in f"/{path}"
        )

    def facts(self, source: Source) -> Iterator[Fact]:
        stages = list(FROM.finditer(source.text))
        if not stages:
            return
        folder = nearest = source.path.rpartition("/")[0]
        while folder and folder.rsplit("/", 1)[-1].lower() in COMMON_FOLDERS:
            folder = folder.rpartition("/")[0]
        own = "" if folder or folder == nearest else _own_name(source.name)
        name = folder.rsplit("/", 1)[-1] or own or source.project
        aliases = {found[2].lower(): found[1] for found in stages if found[2]}
        image = stages[-1][1]
        while image.lower() in aliases:
            image = aliases.pop(image.lower())
        line = line_at(source.text, stages[-1].start())
        ports = ", ".join(found[1].strip() for found in EXPOSE.finditer(source.text))
        summary = "; ".join(filter(None, (f"image from {image}", f"ports {ports}" if ports else "")))
        last = source.text.rstrip("\n").count("\n") + 1
        yield Definition(name, "service", 1, last, summary=summary)
        yield provides_service(self.name, name, name, line, FOLDER, image)
        if not own:
            yield lives_in(self.name, folder, name, line)


def _own_name(file: str) -> str:
    """`orders` of `Dockerfile.orders` and `orders.dockerfile`; '' where it says how it is built (`Dockerfile.dev`)."""
    found = OWN_NAME.fullmatch(file)
    name = (found[1] or found[2]) if found else ""
    return "" if name.lower() in COMMON_FOLDERS | VARIANTS else name


class WorkspaceApps(FileRule):
    """A service for each application, whose source is its folder; libraries and test runs are none."""

    name = "workspace application"
    files = re.compile(r"(^|/)(?:nest-cli|project)\.json$")

    def facts(self, source: Source) -> Iterator[Fact]:
        for name, folder, *lines in _applications(source):
            if not TEST_RUN.search(name):
                yield from _service(self.name, name, folder, lines, f"application in {folder}", FOLDER)


def _applications(source: Source) -> Iterator[tuple[str, str, int, int]]:
    """Name, folder, first and last line of each."""
    home = posixpath.dirname(source.path)
    for root in documents(source.text):
        if source.name == "project.json":
            name = scalar(at(root, "name")) or posixpath.basename(home)
            if home and scalar(at(root, "projectType")) == "application" and _runs(root):
                yield name, home, 1, source.text.rstrip("\n").count("\n") + 1
            continue
        for name, key, node in entries(at(root, "projects")):
            written = scalar(at(node, "root")) or scalar(at(node, "sourceRoot"))
            folder = posixpath.normpath(posixpath.join(home, written))
            if written and scalar(at(node, "type")) == "application" and folder != "." and not folder.startswith(".."):
                yield name, folder, first_line(key), max(first_line(key), last_line(node, source.text))


def _runs(root: yaml.Node) -> bool:
    """Whether anything is to be built or started, where it says so: a chart is an application to Nx too."""
    targets = {name for name, _, _ in entries(at(root, "targets"))}
    return not targets or not targets.isdisjoint(STARTED)


class RustServers(FileRule):
    """A Definition of kind service, named by the crate's folder; tests and crates of a common name are none."""

    name = "rust server"
    files = RUST_MAIN

    def facts(self, source: Source) -> Iterator[Fact]:
        found = RUST_MAIN.search(source.path)
        name = found["crate"] if found else ""
        started = STARTS.search(without_comments(source.text))
        if started and name.lower() not in COMMON_FOLDERS:
            line, folder = line_at(source.text, started.end()), source.path.removesuffix("/src/main.rs")
            yield from _service(self.name, name, folder, (line, line), f"listens in {folder}", FOLDER)


class RunnableModules(FileRule):
    """A service for each module that is built to run, called as its folder, or as its file in .NET."""

    name = "application module"

    def reads(self, path: str) -> bool:
        return "/" in path and not is_test(path) and any(file.search(path) for file, _ in RUNNABLE)

    def facts(self, source: Source) -> Iterator[Fact]:
        folder, file = posixpath.split(source.path)
        is_named = MSBUILD.search(file) is not None
        name = MSBUILD.sub("", file) if is_named else posixpath.basename(folder)
        marks = next(marks for manifest, marks in RUNNABLE if manifest.search(source.path))
        found = marks.search(source.text)
        if found and (is_named or name.lower() not in COMMON_FOLDERS):
            line = line_at(source.text, found.start())
            yield from _service(self.name, name, folder, (line, line), f"application in {folder}", FOLDER)
