"""Gradle's build files, Groovy and Kotlin: dependencies by coordinates and on the build's other projects.

Its version catalogue (`libs.versions.toml`) lists coordinates that the build files name by alias; the project needs them.
A project is called by its path, `:api:client`, which is where its folder lies unless its settings say otherwise
(https://docs.gradle.org/current/userguide/declaring_dependencies.html).
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Final

from indexing.facts import Clue
from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Gradle", "GradleCatalogue"]

NAMES: Final = ("build.gradle", "build.gradle.kts")
CONFIGURATION: Final = r"(?:\w*(?:[iI]mplementation|[aA]pi|[cC]ompile(?:Only)?|[rR]untime(?:Only)?|[aA]nnotationProcessor)|kapt|ksp|testFixtures)"
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


class Gradle:
    """`provides package` for the folder's project; of coordinates too where the file states its group."""

    name = "gradle"
    kind = "maven package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] in NAMES

    def find(self, source: Source) -> Findings | None:
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
                yield needs_package(self.name, name, number, _label(found["how"]), self.kind)
            elif found := OF_BUILD.match(line):
                says = f"dependency project :{found['path']}"
                yield Clue(
                    self.name, PROJECT, _in_project(source, found["path"]), "needs", "DEPENDS_ON", number, says=says
                )


class GradleCatalogue:
    """`needs package` for each library of a version catalogue."""

    name = "gradle catalogue"
    kind = "maven package"

    def reads(self, path: str) -> bool:
        return path.endswith(".versions.toml")

    def find(self, source: Source) -> Findings | None:
        try:
            libraries = tomllib.loads(source.text).get("libraries")
        except (ValueError, RecursionError):  # an integer of 4,301 digits is not a TOMLDecodeError
            return None
        clues = []
        start = source.line_of("[libraries]") - 1
        for alias, stated in (libraries if isinstance(libraries, dict) else {}).items():
            if name := _coordinates(stated):
                line = source.line_of(name.partition(":")[2], source.line_of(alias, start) - 1)
                clues.append(needs_package(self.name, name, line, kind=self.kind))
        return Findings(clues=clues) if clues else None


def _in_project(source: Source, path: str) -> str:
    """Such a path means nothing outside the build."""
    return f"{source.project}:{path}"


def _label(how: str) -> str:
    return "test" if how.startswith(("test", "integrationTest", "androidTest")) else ""


def _coordinates(stated: object) -> str:
    if isinstance(stated, dict):
        module, group, name = (stated.get(key) for key in ("module", "group", "name"))
        stated = module or (f"{group}:{name}" if group and name else "")
    return ":".join(stated.split(":")[:2]) if isinstance(stated, str) and ":" in stated else ""
