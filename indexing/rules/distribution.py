"""An installed distribution's METADATA (Python packaging's core metadata): Name and Requires-Dist."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.packages import needs_package, provides_package, requirement_name
from indexing.rules.port import Findings, Source

__all__ = ["DistributionMetadata"]

FILE: Final = re.compile(r"(\.dist-info/METADATA|(^|/)PKG-INFO)$")
EXTRA: Final = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


class DistributionMetadata:
    """The header lines up to the first empty one; behind it stands the README."""

    name = "distribution"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        header = source.text.split("\n\n", 1)[0].split("\n")
        fields = [(number, *line.partition(": ")[::2]) for number, line in enumerate(header, 1)]
        summary = next((value for _, key, value in fields if key == "Summary"), "")
        clues = []
        for number, key, value in fields:
            if key == "Name" and value.strip():
                clues.append(provides_package(self.name, value.strip(), number, summary.strip()))
            elif key == "Requires-Dist" and (needed := requirement_name(value)):
                extra = EXTRA.search(value)
                clues.append(needs_package(self.name, needed, number, f"extra {extra[1]}" if extra else ""))
        return Findings(clues=clues) if clues else None
