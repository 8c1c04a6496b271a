"""composer.json: PHP's packages, `vendor/name` (https://getcomposer.org/doc/04-schema.md)."""

from __future__ import annotations

from typing import Final

from indexing.rules.json_manifest import named, needed, read_manifest
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
        data = read_manifest(source)
        if data is None:
            return None
        wanted = needed(self.name, self.kind, source, data, TABLES)
        return Findings(
            clues=[*named(self.name, self.kind, source, data), *(clue for package, clue in wanted if "/" in package)]
        )
