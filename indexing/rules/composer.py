"""composer.json: PHP's packages, `vendor/name` (https://getcomposer.org/doc/04-schema.md)."""

from __future__ import annotations

import json
from typing import Final

from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

__all__ = ["Composer"]

TABLES: Final = {"require": "", "require-dev": "development"}


class Composer:
    """`provides package` from the name, `needs package` from the tables; PHP itself and its extensions are none."""

    name = "composer.json"
    kind = "composer package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "composer.json"

    def find(self, source: Source) -> Findings | None:
        try:
            data = json.loads(source.text)
        except (ValueError, RecursionError):
            return None
        if not isinstance(data, dict):
            return None
        clues = []
        if isinstance(name := data.get("name"), str) and name:
            summary = str(data.get("description") or "")
            clues.append(provides_package(self.name, name, source.line_of(f'"{name}"'), summary, self.kind))
        for table, label in TABLES.items():
            needed = data.get(table)
            start = source.line_of(f'"{table}"') - 1
            clues += [
                needs_package(self.name, package, source.line_of(f'"{package}"', start), label, self.kind)
                for package in (needed if isinstance(needed, dict) else ())
                if "/" in package
            ]
        return Findings(clues=clues)
