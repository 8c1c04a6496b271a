"""package.json: npm's manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from indexing.facts import Clue
from indexing.rules.json_manifest import named, needed, read_manifest
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
        data = read_manifest(source)
        if data is None:
            return None
        clues = list(named(self.name, self.kind, source, data))
        if clues:
            clues += [
                Clue(
                    self.name,
                    "npm entry",
                    entry,
                    "provides",
                    "IMPORTS",
                    source.line_of(f'"{entry}"'),
                    says=data["name"],
                )
                for entry in _entries(data)
            ]
        return Findings(clues=[*clues, *(clue for _, clue in needed(self.name, self.kind, source, data, TABLES))])


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
