"""Packages whose manifest is JSON: npm's and PHP's (https://getcomposer.org/doc/04-schema.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from extraction.facts import Clue
from extraction.rules.clues import needs_package, provides_package
from extraction.rules.port import FileRule, Findings, Source

SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
NPM_TABLES: Final = {
    "dependencies": "",
    "devDependencies": "development",
    "peerDependencies": "peer",
    "optionalDependencies": "optional",
}
DEEPEST: Final = 5
PHP_TABLES: Final = {"require": "", "require-dev": "development"}


def read_manifest(source: Source) -> dict[str, Any] | None:
    """The object in the file; None when there is none. Half a surrogate pair becomes a question mark."""
    try:
        data = json.loads(source.text)
        if SURROGATE.search(source.text):
            data = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def named(rule: str, kind: str, source: Source, data: Mapping[str, Any]) -> Iterator[Clue]:
    """`provides package`, where the manifest has a name."""
    if isinstance(name := data.get("name"), str) and name:
        yield provides_package(rule, name, source.line_of(f'"{name}"'), str(data.get("description") or ""), kind)


def needed(
    rule: str, kind: str, source: Source, data: Mapping[str, Any], tables: Mapping[str, str]
) -> Iterator[tuple[str, Clue]]:
    """Each package in the tables with its `needs package`; `tables` maps a table's name to its label."""
    for table, label in tables.items():
        packages = data.get(table)
        start = source.line_of(f'"{table}"') - 1
        for package in packages if isinstance(packages, dict) else ():
            yield package, needs_package(rule, package, source.line_of(f'"{package}"', start), label, kind)


class PackageJson(FileRule):
    """`provides package` from the name, `needs package` from the tables; npm's names are their own kind. What other
    packages get who import the name is in `main`, `module`, `types` or `exports`: `npm entry`.
    """

    name = "package.json"
    kind = "npm package"
    files = re.compile(r"(^|/)package\.json$")

    def find(self, source: Source) -> Findings | None:
        data = read_manifest(source)
        if data is None:
            return None
        clues = list(named(self.name, self.kind, source, data))
        if clues:
            for entry in _entries(data):
                line = source.line_of(f'"{entry}"')
                clues.append(Clue(self.name, "npm entry", entry, "provides", "IMPORTS", line, says=data["name"]))
        return Findings(clues=[*clues, *(clue for _, clue in needed(self.name, self.kind, source, data, NPM_TABLES))])


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


class Composer(FileRule):
    """`provides package` from the name, `needs package` from the tables; PHP itself and its extensions are none."""

    name = "composer.json"
    kind = "composer package"
    files = re.compile(r"(^|/)composer\.json$")

    def find(self, source: Source) -> Findings | None:
        data = read_manifest(source)
        if data is None:
            return None
        wanted = needed(self.name, self.kind, source, data, PHP_TABLES)
        return Findings(
            clues=[*named(self.name, self.kind, source, data), *(clue for package, clue in wanted if "/" in package)]
        )
