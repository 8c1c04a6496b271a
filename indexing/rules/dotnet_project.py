"""MSBuild's projects (`.csproj`, `.fsproj`, `.vbproj`) and `Directory.Packages.props`: NuGet packages and project
references.

A package is called as `PackageId` or `AssemblyName` says, else as its file
(https://learn.microsoft.com/nuget/reference/msbuild-targets#pack-target).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Final

from indexing.facts import Clue
from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source
from indexing.rules.xml_nodes import Element, root_of

__all__ = ["DotnetProject"]

FILE: Final = re.compile(r"\.(?:cs|fs|vb)proj$")
PROPS: Final = re.compile(r"(^|/)Directory\.(?:Build|Packages)\.(?:props|targets)$")
PROJECT: Final = "dotnet project package"
NAMED: Final = ("PackageId", "AssemblyName")


class DotnetProject:
    """`provides package` from the project, `needs package` from its references; central versions alone are no need."""

    name = "dotnet"
    kind = "nuget package"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None or PROPS.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        root = root_of(source.text)
        if root is None or root.name != "Project":
            return None
        named = self._named(source, root) if FILE.search(source.path) else ()
        return Findings(clues=[*named, *self._referenced(source, root)])

    def _named(self, source: Source, root: Element) -> Iterator[Clue]:
        stated = [e for name in NAMED for e in root.all("PropertyGroup", name) if e.text and "$(" not in e.text]
        name = stated[0].text if stated else FILE.sub("", source.name)
        line = stated[0].line if stated else root.line
        summary = " ".join(root.text_at("PropertyGroup", "Description").split())
        yield provides_package(self.name, name, line, summary, self.kind)
        key = f"{source.project}/{source.path}".casefold()
        yield Clue(self.name, PROJECT, key, "provides", "DEPENDS_ON", line, says=f"project {source.name}", value=name)

    def _referenced(self, source: Source, root: Element) -> Iterator[Clue]:
        for element in root.walk():
            stated = element.attributes.get("Include", "")
            if element.name == "PackageReference" and re.fullmatch(r"[\w.\-]+", stated):
                yield needs_package(self.name, stated, element.line, kind=self.kind)
            elif element.name == "ProjectReference" and "$(" not in stated and stated:
                path = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), stated.replace("\\", "/")))
                key = f"{source.project}/{path}".casefold()
                says = f"dependency project {posixpath.basename(path)}"
                yield Clue(self.name, PROJECT, key, "needs", "DEPENDS_ON", element.line, says=says)
