"""Packages of the JVM and of .NET: Maven, Gradle's build files and version catalogues, MSBuild's projects.

Maven's pom.xml: https://maven.apache.org/pom.html. A Gradle project is called by its path, `:api:client`, which is
where its folder lies unless its settings say otherwise
(https://docs.gradle.org/current/userguide/declaring_dependencies.html). Its version catalogue (`libs.versions.toml`)
lists coordinates that the build files name by alias; the project needs them. A NuGet package is called as `PackageId`
or `AssemblyName` says, else as its file (https://learn.microsoft.com/nuget/reference/msbuild-targets#pack-target).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import Clue
from extraction.rules.clues import needs_package, provides_package, read_toml
from extraction.rules.port import FileRule, Findings, Source
from extraction.rules.xml_nodes import Element, root_of

PLACEHOLDER: Final = re.compile(r"\$\{([\w.\-]+)\}")
TESTS: Final = ("test", "integrationTest", "androidTest")
SCOPES: Final = {"test": "test", "provided": "provided"}
CONFIGURATION: Final = r"(?:\w*(?:[iI]mplementation|[aA]pi|[cC]ompile(?:Only)?|[rR]untime(?:Only)?|[aA]nnotationProcessor)|kapt|ksp|testFixtures)"  # noqa: E501 - a pattern
COORDINATES: Final = re.compile(
    rf"""^\s*+(?P<how>{CONFIGURATION})\s*+\(?\s*+(?:platform\s*\(\s*)?["'](?P<group>[\w.\-]+):(?P<artifact>[\w.\-]+)(?::[^"']*)?["']"""
)
MAPPED: Final = re.compile(
    rf"""^\s*+(?P<how>{CONFIGURATION})\s*+\(?\s*+group\s*[:=]\s*["'](?P<group>[\w.\-]+)["']\s*,\s*name\s*[:=]\s*["'](?P<artifact>[\w.\-]+)["']"""
)
OF_BUILD: Final = re.compile(
    rf"""^\s*+(?P<how>{CONFIGURATION}|\w+)\s*+\(?\s*+(?:testFixtures\s*\(\s*)?project\s*\(\s*(?:path\s*[:=]\s*)?["']:(?P<path>[\w.\-:]+)["']"""
)
GROUP: Final = re.compile(r"""^group\s*=?\s*["']([\w.\-]+)["']""")
PROJECT: Final = "gradle project package"
MSBUILD: Final = re.compile(r"\.(?:cs|fs|vb)proj$")
PROPS: Final = re.compile(r"(^|/)Directory\.(?:Build|Packages)\.(?:props|targets)$")
DOTNET: Final = "dotnet project package"
STATED: Final = ("PackageId", "AssemblyName")


class Maven(FileRule):
    """The group is the parent's where none is given; what only `dependencyManagement` lists is no dependency."""

    name = "maven"
    kind = "maven package"
    files = re.compile(r"(^|/)pom\.xml$|\.pom$")

    def facts(self, source: Source) -> Iterator[Clue]:
        root = root_of(source.text)
        if root is None or root.name != "project":
            return
        group = root.text_at("groupId") or root.text_at("parent", "groupId")
        known = {element.name: element.text for held in root.all("properties") for element in held.children}
        known |= {"project.groupId": group, "groupId": group, "pom.groupId": group}
        for artifact in root.all("artifactId"):
            summary = " ".join((root.text_at("description") or root.text_at("name")).split())
            name = f"{_filled(group, known)}:{_filled(artifact.text, known)}"
            yield provides_package(self.name, name, artifact.line, PLACEHOLDER.sub("", summary), self.kind)
        paths = (("dependencies", "dependency"), ("profiles", "profile", "dependencies", "dependency"))
        for dependency in (one for path in paths for one in root.all(*path)):
            parts = [_filled(dependency.text_at(part), known) for part in ("groupId", "artifactId")]
            if all(parts):
                label, line = SCOPES.get(dependency.text_at("scope"), ""), next(dependency.all("artifactId")).line
                yield needs_package(self.name, ":".join(parts), line, label, self.kind)


def _filled(text: str, known: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: known.get(found[1], found[0]), text)


class Gradle(FileRule):
    """`provides package` for the folder's project; of coordinates too where the file states its group."""

    name = "gradle"
    kind = "maven package"
    files = re.compile(r"(^|/)build\.gradle(?:\.kts)?$")

    def find(self, source: Source) -> Findings:
        return Findings(clues=[*self._provided(source), *self._needed(source)])

    def _provided(self, source: Source) -> Iterator[Clue]:
        folders = source.path.split("/")[:-1]
        name = folders[-1] if folders else source.project
        for at in range(len(folders)):
            key = _in_project(source, ":".join(folders[at:]))
            yield Clue(self.name, PROJECT, key, "provides", "DEPENDS_ON", 1, says=f"project {name}", value=name)
        for number, line in enumerate(source.text.split("\n"), 1):
            if stated := GROUP.match(line):
                yield provides_package(self.name, f"{stated[1]}:{name}", number, kind=self.kind)
                return

    def _needed(self, source: Source) -> Iterator[Clue]:
        for number, line in enumerate(source.text.split("\n"), 1):
            if found := COORDINATES.match(line) or MAPPED.match(line):
                name = f"{found['group']}:{found['artifact']}"
                yield needs_package(
                    self.name, name, number, "test" if found["how"].startswith(TESTS) else "", self.kind
                )
            elif found := OF_BUILD.match(line):
                says = f"dependency project :{found['path']}"
                key = _in_project(source, found["path"])
                yield Clue(self.name, PROJECT, key, "needs", "DEPENDS_ON", number, says=says)


class GradleCatalogue(FileRule):
    """`needs package` for each library of a version catalogue."""

    name = "gradle catalogue"
    kind = "maven package"
    files = re.compile(r"\.versions\.toml$")

    def facts(self, source: Source) -> Iterator[Clue]:
        libraries = (read_toml(source.text) or {}).get("libraries")
        start = source.line_of("[libraries]") - 1
        for alias, stated in (libraries if isinstance(libraries, dict) else {}).items():
            if name := _coordinates(stated):
                line = source.line_of(name.partition(":")[2], source.line_of(alias, start) - 1)
                yield needs_package(self.name, name, line, kind=self.kind)


def _in_project(source: Source, path: str) -> str:
    """Such a path means nothing outside the build."""
    return f"{source.project}:{path}"


def _coordinates(stated: object) -> str:
    if isinstance(stated, dict):
        module, group, name = (stated.get(key) for key in ("module", "group", "name"))
        stated = module or (f"{group}:{name}" if group and name else "")
    return ":".join(stated.split(":")[:2]) if isinstance(stated, str) and ":" in stated else ""


class DotnetProject:
    """`provides package` from the project, `needs package` from its references; central versions alone are no need."""

    name = "dotnet"
    kind = "nuget package"

    def reads(self, path: str) -> bool:
        return MSBUILD.search(path) is not None or PROPS.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        root = root_of(source.text)
        if root is None or root.name != "Project":
            return None
        named = self._named(source, root) if MSBUILD.search(source.path) else ()
        return Findings(clues=[*named, *self._referenced(source, root)])

    def _named(self, source: Source, root: Element) -> Iterator[Clue]:
        stated = [e for name in STATED for e in root.all("PropertyGroup", name) if e.text and "$(" not in e.text]
        name = stated[0].text if stated else MSBUILD.sub("", source.name)
        line = stated[0].line if stated else root.line
        summary = " ".join(root.text_at("PropertyGroup", "Description").split())
        yield provides_package(self.name, name, line, summary, self.kind)
        key = f"{source.project}/{source.path}".casefold()
        yield Clue(self.name, DOTNET, key, "provides", "DEPENDS_ON", line, says=f"project {source.name}", value=name)

    def _referenced(self, source: Source, root: Element) -> Iterator[Clue]:
        for element in root.walk():
            stated = element.attributes.get("Include", "")
            if element.name == "PackageReference" and re.fullmatch(r"[\w.\-]+", stated):
                yield needs_package(self.name, stated, element.line, kind=self.kind)
            elif element.name == "ProjectReference" and "$(" not in stated and stated:
                path = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), stated.replace("\\", "/")))
                key = f"{source.project}/{path}".casefold()
                says = f"dependency project {posixpath.basename(path)}"
                yield Clue(self.name, DOTNET, key, "needs", "DEPENDS_ON", element.line, says=says)
