"""pom.xml: Maven's coordinates `group:artifact` (https://maven.apache.org/pom.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source
from indexing.rules.xml_nodes import root_of

if TYPE_CHECKING:
    from indexing.rules.xml_nodes import Element

__all__ = ["Maven"]

PLACEHOLDER: Final = re.compile(r"\$\{([\w.\-]+)\}")
SCOPES: Final = {"test": "test", "provided": "provided"}


class Maven:
    """The group is the parent's where none is given; what only `dependencyManagement` lists is no dependency."""

    name = "maven"
    kind = "maven package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "pom.xml" or path.endswith(".pom")

    def find(self, source: Source) -> Findings | None:
        root = root_of(source.text)
        if root is None or root.name != "project":
            return None
        group = root.said("groupId") or root.said("parent", "groupId")
        known = {element.name: element.text for held in root.all("properties") for element in held.children}
        known |= {"project.groupId": group, "groupId": group, "pom.groupId": group}
        clues = []
        for artifact in root.all("artifactId"):
            summary = " ".join((root.said("description") or root.said("name")).split())
            name = f"{_filled(group, known)}:{_filled(artifact.text, known)}"
            clues.append(provides_package(self.name, name, artifact.line, PLACEHOLDER.sub("", summary), self.kind))
        paths = (("dependencies", "dependency"), ("profiles", "profile", "dependencies", "dependency"))
        for dependency in (one for path in paths for one in root.all(*path)):
            name = self._coordinates(dependency, known)
            if name:
                label = SCOPES.get(dependency.said("scope"), "")
                line = next(dependency.all("artifactId")).line
                clues.append(needs_package(self.name, name, line, label, self.kind))
        return Findings(clues=clues) if clues else None

    def _coordinates(self, dependency: Element, known: dict[str, str]) -> str:
        group, artifact = (_filled(dependency.said(part), known) for part in ("groupId", "artifactId"))
        return f"{group}:{artifact}" if group and artifact else ""


def _filled(text: str, known: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda found: known.get(found[1], found[0]), text)
