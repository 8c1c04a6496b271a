"""Rust's crates, Go's modules and Ruby's gems: Cargo.toml (https://doc.rust-lang.org/cargo/reference/manifest.html),
go.mod (https://go.dev/ref/mod#go-mod-file), Gemfile and `.gemspec` (https://bundler.io/man/gemfile.5.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from extraction.facts import Clue
from extraction.rules.clues import needs_package, provides_package, read_toml
from extraction.rules.port import FileRule, Source

TABLES: Final = {"dependencies": "", "dev-dependencies": "development", "build-dependencies": "build"}
MODULE: Final = re.compile(r"module\s+\"?([^\s\"]+)\"?")
REQUIRED: Final = re.compile(r"(?:require\s+)?([\w.~\-]+(?:/[\w.~\-]+)*)\s+v\d\S*\s*(?://(?!\s*indirect\b).*)?")
BLOCK: Final = re.compile(r"(\w+)\s*\(\s*(?://.*)?")
GEM_NAME: Final = re.compile(r"""^\s*\w+\.name\s*=\s*["']([\w.\-]+)["']""")
GEM_SUMMARY: Final = re.compile(r"""^[^\S\n]*\w+\.summary\s*=\s*["'](.+?)["']\s*$""", re.MULTILINE)
GEM: Final = re.compile(
    r"""^\s*(?:(gem)|\w+\.add_(?:runtime_)?dependency|\w+\.add_(development)_dependency)[\s(]+["']([\w.\-]+)["']"""
)


class Cargo(FileRule):
    """`provides package` from `[package]`; a crate under another name is needed under its own (`package = "…"`)."""

    name = "Cargo.toml"
    kind = "rust package"
    files = re.compile(r"(^|/)Cargo\.toml$")

    def facts(self, source: Source) -> Iterator[Clue]:
        data = read_toml(source.text) or {}
        package = data.get("package")
        if isinstance(package, dict) and isinstance(name := package.get("name"), str):
            line = source.line_of(f'"{name}"', source.line_of("[package]") - 1)
            yield provides_package(self.name, name, line, str(package.get("description") or ""), self.kind)
        for table, needed in _tables(data):
            start = max(source.line_of(f"{table}]") - 1, 0)
            for name, stated in needed.items():
                real = stated.get("package") if isinstance(stated, dict) else None
                key = rf"""["']?{re.escape(name)}["']?"""  # `name = …`, or `[dependencies.name]`
                line = source.line_of(re.compile(rf"^\s*(?:{key}\s*[.=]|\[.*{table}\.{key}\])"), start)
                yield needs_package(self.name, real if isinstance(real, str) else name, line, TABLES[table], self.kind)


def _tables(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    targets = data.get("target")
    for holder in (data, *(targets.values() if isinstance(targets, dict) else ())):
        for table in TABLES:
            needed = holder.get(table) if isinstance(holder, dict) else None
            if isinstance(needed, dict):
                yield table, needed


class GoMod(FileRule):
    """`provides package` from `module`, `needs package` from each `require` that is not `// indirect`."""

    name = "go.mod"
    kind = "go package"
    files = re.compile(r"(^|/)go\.mod$")

    def facts(self, source: Source) -> Iterator[Clue]:
        block = ""
        for number, written in enumerate(source.text.split("\n"), 1):
            line = written.strip()
            if opened := BLOCK.fullmatch(line):
                block = opened[1]
            elif line == ")":
                block = ""
            elif named := MODULE.match(line):
                yield provides_package(self.name, named[1], number, kind=self.kind)
            elif (needed := REQUIRED.fullmatch(line)) and (block == "require" or line.startswith("require ")):
                yield needs_package(self.name, needed[1], number, kind=self.kind)


class RubyGems(FileRule):
    """`provides package` from `spec.name`, `needs package` from each `gem` and `add_dependency`."""

    name = "rubygems"
    kind = "gem package"
    files = re.compile(r"(^|/)(?:Gemfile|gems\.rb)$|\.gemspec$")

    def facts(self, source: Source) -> Iterator[Clue]:
        summary = GEM_SUMMARY.search(source.text)
        for number, line in enumerate(source.text.split("\n"), 1):
            if (named := GEM_NAME.match(line)) and source.path.endswith(".gemspec"):
                yield provides_package(self.name, named[1], number, summary[1] if summary else "", self.kind)
            elif needed := GEM.match(line):
                yield needs_package(self.name, needed[3], number, needed[2] or "", self.kind)
