"""pip's requirements files: one requirement a line."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.packages import needs_package, requirement_name
from indexing.rules.port import Findings, Source

__all__ = ["Requirements"]

FILE: Final = re.compile(r"(^|/)(requirements[\w.-]*\.(txt|in)|requirements/[\w.-]+\.(txt|in))$")
EGG: Final = re.compile(r"#egg=([\w.-]+)")


class Requirements:
    """`needs package` for each line; options, comments and other files are left out."""

    name = "requirements"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        named = ((number, self._name(line)) for number, line in enumerate(source.text.split("\n"), 1))
        return Findings(clues=[needs_package(self.name, name, number) for number, name in named if name])

    def _name(self, line: str) -> str:
        if egg := EGG.search(line):
            return egg[1]
        return requirement_name(re.sub(r"(^|\s)#.*", "", line).rstrip(" \\"))
