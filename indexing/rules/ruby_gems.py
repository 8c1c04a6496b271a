"""Gemfile and `.gemspec`: Ruby's gems, as they are written in Ruby (https://bundler.io/man/gemfile.5.html)."""

from __future__ import annotations

import re
from typing import Final

from indexing.rules.packages import needs_package, provides_package
from indexing.rules.port import Findings, Source

__all__ = ["RubyGems"]

NAMED: Final = re.compile(r"""^\s*\w+\.name\s*=\s*["']([\w.\-]+)["']""")
SUMMARY: Final = re.compile(r"""^[^\S\n]*\w+\.summary\s*=\s*["'](.+?)["']\s*$""", re.MULTILINE)
NEEDED: Final = re.compile(
    r"""^\s*(?:(gem)|\w+\.add_(?:runtime_)?dependency|\w+\.add_(development)_dependency)[\s(]+["']([\w.\-]+)["']"""
)


class RubyGems:
    """`provides package` from `spec.name`, `needs package` from each `gem` and `add_dependency`."""

    name = "rubygems"
    kind = "gem package"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] in {"Gemfile", "gems.rb"} or path.endswith(".gemspec")

    def find(self, source: Source) -> Findings | None:
        summary = SUMMARY.search(source.text)
        clues = []
        for number, line in enumerate(source.text.split("\n"), 1):
            if (named := NAMED.match(line)) and source.path.endswith(".gemspec"):
                clues.append(provides_package(self.name, named[1], number, summary[1] if summary else "", self.kind))
            elif needed := NEEDED.match(line):
                clues.append(needs_package(self.name, needed[3], number, needed[2] or "", self.kind))
        return Findings(clues=clues) if clues else None
