"""setup.cfg: setuptools' declarative metadata, before pyproject.toml."""

from __future__ import annotations

import configparser
from typing import TYPE_CHECKING

from indexing.rules.packages import needs_package, provides_package, requirement_name
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["SetupCfg"]


class SetupCfg:
    """`provides package` from [metadata] name, `needs package` from install_requires and the extras."""

    name = "setup.cfg"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "setup.cfg"

    def find(self, source: Source) -> Findings | None:
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(source.text)
        except configparser.Error:
            return None
        return Findings(clues=list(self._clues(source, parser)))

    def _clues(self, source: Source, parser: configparser.RawConfigParser) -> Iterator[Clue]:
        name = parser.get("metadata", "name", fallback="").strip()
        if name:
            summary = parser.get("metadata", "description", fallback="").strip()
            yield provides_package(self.name, name, source.line_of(name), summary)
        lists = [("", parser.get("options", "install_requires", fallback=""))]
        if parser.has_section("options.extras_require"):
            lists += [(f"extra {extra}", text) for extra, text in parser.items("options.extras_require")]
        for label, text in lists:
            for requirement in text.split("\n"):
                if needed := requirement_name(requirement.strip()):
                    yield needs_package(self.name, needed, source.line_of(requirement.strip()), label)
