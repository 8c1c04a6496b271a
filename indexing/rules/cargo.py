"""Cargo.toml: the crate's name and its dependencies, for every target (https://doc.rust-lang.org/cargo/reference/manifest.html)."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cargo"]

TABLES: Final = {"dependencies": "", "dev-dependencies": "development", "build-dependencies": "build"}


class Cargo:
    """`provides package` from `[package]`; a crate under another name is needed under its own (`package = "…"`)."""

    name = "Cargo.toml"
    kind = "rust package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "Cargo.toml"

    def find(self, source: Source) -> Findings | None:
        try:
            data = tomllib.loads(source.text)
        except (ValueError, RecursionError):  # an integer of 4,301 digits is not a TOMLDecodeError
            return None
        clues = []
        package = data.get("package")
        if isinstance(package, dict) and isinstance(name := package.get("name"), str):
            line = source.line_of(f'"{name}"', source.line_of("[package]") - 1)
            clues.append(provides_package(self.name, name, line, str(package.get("description") or ""), self.kind))
        for table, needed in _tables(data):
            start = max(source.line_of(f"{table}]") - 1, 0)
            for name, stated in needed.items():
                real = stated.get("package") if isinstance(stated, dict) else None
                line = _line(source, name, table, start)
                clues.append(
                    needs_package(self.name, real if isinstance(real, str) else name, line, TABLES[table], self.kind)
                )
        return Findings(clues=clues) if clues else None


def _tables(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    targets = data.get("target")
    for holder in (data, *(targets.values() if isinstance(targets, dict) else ())):
        for table in TABLES:
            needed = holder.get(table) if isinstance(holder, dict) else None
            if isinstance(needed, dict):
                yield table, needed


def _line(source: Source, name: str, table: str, start: int) -> int:
    """Where `name = …` stands behind its table's heading, or `[dependencies.name]`."""
    pattern = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*[.=]|\s*\[.*{table}\.["']?{re.escape(name)}["']?\]""")
    lines = source.text.split("\n")
    order = [*range(start, len(lines)), *range(start)]
    return next((at + 1 for at in order if pattern.match(lines[at])), start + 1)
