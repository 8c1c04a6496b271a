"""package.json: npm's manifest."""

from __future__ import annotations

import json
from typing import Final

from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

__all__ = ["PackageJson"]

TABLES: Final = {
    "dependencies": "",
    "devDependencies": "development",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}


class PackageJson:
    """`provides package` from the name, `needs package` from the tables; npm's names are their own kind."""

    name = "package.json"
    kind = "npm package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "package.json"

    def find(self, source: Source) -> Findings | None:
        try:
            data = json.loads(source.text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(data, dict):
            return None
        clues = []
        if isinstance(name := data.get("name"), str) and name:
            clues.append(
                provides_package(
                    self.name, name, source.line_of(f'"{name}"'), str(data.get("description") or ""), self.kind
                )
            )
        for table, label in TABLES.items():
            needed = data.get(table)
            start = source.line_of(f'"{table}"') - 1
            clues += [
                needs_package(self.name, package, source.line_of(f'"{package}"', start), label, self.kind)
                for package in (needed if isinstance(needed, dict) else ())
            ]
        return Findings(clues=clues)
