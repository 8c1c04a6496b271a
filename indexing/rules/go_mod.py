"""go.mod: the module's path, and the modules that it requires itself (https://go.dev/ref/mod#go-mod-file)."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

__all__ = ["GoMod"]

MODULE: Final = re.compile(r"module\s+\"?([^\s\"]+)\"?")
REQUIRED: Final = re.compile(r"(?:require\s+)?([\w.~\-]+(?:/[\w.~\-]+)*)\s+v\d\S*\s*(?://(?!\s*indirect\b).*)?")
BLOCK: Final = re.compile(r"(\w+)\s*\(\s*(?://.*)?")


class GoMod:
    """`provides package` from `module`, `needs package` from each `require` that is not `// indirect`."""

    name = "go.mod"
    kind = "go package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "go.mod"

    def find(self, source: Source) -> Findings | None:
        clues = []
        block = ""
        for number, written in enumerate(source.text.split("\n"), 1):
            line = written.strip()
            if opened := BLOCK.fullmatch(line):
                block = opened[1]
            elif line == ")":
                block = ""
            elif named := MODULE.match(line):
                clues.append(provides_package(self.name, named[1], number, kind=self.kind))
            elif (needed := REQUIRED.fullmatch(line)) and (block == "require" or line.startswith("require ")):
                clues.append(needs_package(self.name, needed[1], number, kind=self.kind))
        return Findings(clues=clues) if clues else None
