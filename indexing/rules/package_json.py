"""package.json: npm's manifest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from indexing.facts import Clue
from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["PackageJson"]

TABLES: Final = {
    "dependencies": "",
    "devDependencies": "development",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}
DEEPEST: Final = 5


class PackageJson:
    """`provides package` from the name, `needs package` from the tables; npm's names are their own kind.

    What other packages get who import the name stands in `main`, `module`, `types` or `exports`: `npm entry`.
    """

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
            clues += [
                Clue(self.name, "npm entry", entry, "provides", "IMPORTS", source.line_of(f'"{entry}"'), says=name)
                for entry in _entries(data)
            ]
        for table, label in TABLES.items():
            needed = data.get(table)
            start = source.line_of(f'"{table}"') - 1
            clues += [
                needs_package(self.name, package, source.line_of(f'"{package}"', start), label, self.kind)
                for package in (needed if isinstance(needed, dict) else ())
            ]
        return Findings(clues=clues)


def _entries(data: dict[str, Any]) -> Iterator[str]:
    exports = data.get("exports")
    whole = exports.get(".", exports) if isinstance(exports, dict) else exports
    for stated in (data.get("source"), data.get("main"), data.get("module"), data.get("types"), whole):
        yield from dict.fromkeys(_paths(stated))


def _paths(stated: object, depth: int = 0) -> Iterator[str]:
    """The path, or those of the conditions (`import`, `require`, `types` …), which may nest; no path of a part."""
    if isinstance(stated, str) and stated:
        yield stated
    elif isinstance(stated, dict) and depth < DEEPEST:
        for condition, inner in stated.items():
            if not condition.startswith("."):
                yield from _paths(inner, depth + 1)
