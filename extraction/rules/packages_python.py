"""Python's packages: pyproject.toml (PEP 621, PEP 735, Poetry), setup.cfg, requirements files, installed metadata."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from typing import Any, Final

from extraction.facts import Clue
from extraction.rules.clues import needs_package, provides_package, read_toml, requirement_name
from extraction.rules.port import FileRule, Findings, Source

EGG: Final = re.compile(r"#egg=([\w.-]+)")
METADATA: Final = re.compile(r"(\.dist-info/METADATA|(^|/)PKG-INFO)$")
EXTRA: Final = re.compile(r"extra\s*==\s*['\"]([^'\"]+)['\"]")


class Pyproject(FileRule):
    """`provides package` from the name, `needs package` from every list of requirements."""

    name = "pyproject"
    files = re.compile(r"(^|/)pyproject\.toml$")

    def find(self, source: Source) -> Findings | None:
        data = read_toml(source.text)
        if data is None:
            return None
        return Findings(clues=[*self._named(source, data), *self._listed(source, data), *self._poetry(source, data)])

    def _named(self, source: Source, data: dict[str, Any]) -> Iterator[Clue]:
        for section in (_table(data, "project"), _table(data, "tool", "poetry")):
            name, summary = section.get("name"), section.get("description")
            if isinstance(name, str):
                yield provides_package(
                    self.name, name, source.line_of(_entry("name", name)), str(summary or "").partition("\n")[0]
                )

    def _listed(self, source: Source, data: dict[str, Any]) -> Iterator[Clue]:
        project = _table(data, "project")
        lists = [("", "dependencies", project.get("dependencies"))]
        lists += [
            (f"extra {extra}", extra, listed) for extra, listed in _table(project, "optional-dependencies").items()
        ]
        lists += [(f"group {group}", group, listed) for group, listed in _table(data, "dependency-groups").items()]
        for label, key, listed in lists:
            start = source.line_of(_entry(key)) - 1
            for requirement in listed if isinstance(listed, list) else []:
                name = requirement_name(requirement) if isinstance(requirement, str) else ""
                if name:
                    quoted = re.compile(rf"""(["']){re.escape(requirement)}\1""")
                    yield needs_package(self.name, name, source.line_of(quoted, start), label)

    def _poetry(self, source: Source, data: dict[str, Any]) -> Iterator[Clue]:
        poetry = _table(data, "tool", "poetry")
        tables = [("", _table(poetry, "dependencies")), ("group dev", _table(poetry, "dev-dependencies"))]
        tables += [
            (f"group {group}", _table(_table(poetry, "group"), group, "dependencies"))
            for group in _table(poetry, "group")
        ]
        for label, table in tables:
            for name in table:
                if name.lower() != "python":
                    yield needs_package(self.name, name, source.line_of(_entry(name)), label)


def _table(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        inner = data.get(key)
        data = inner if isinstance(inner, dict) else {}
    return data


def _entry(key: str, value: str = "") -> re.Pattern[str]:
    """`key = … value …`; written some other way it is not found."""
    return re.compile(rf"""^\s*["']?{re.escape(key)}["']?\s*=.*{re.escape(value)}""")


class SetupCfg(FileRule):
    """`provides package` from [metadata] name, `needs package` from install_requires and the extras."""

    name = "setup.cfg"
    files = re.compile(r"(^|/)setup\.cfg$")

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


class Requirements(FileRule):
    """`needs package` for each line; options, comments and other files are left out."""

    name = "requirements"
    files = re.compile(r"(^|/)(requirements[\w.-]*\.(txt|in)|requirements/[\w.-]+\.(txt|in))$")

    def find(self, source: Source) -> Findings | None:
        return Findings(clues=list(self.facts(source)))

    def facts(self, source: Source) -> Iterator[Clue]:
        for number, line in enumerate(source.text.split("\n"), 1):
            egg = EGG.search(line)
            name = egg[1] if egg else requirement_name(re.sub(r"(^|\s)#.*", "", line).rstrip(" \\"))
            if name:
                yield needs_package(self.name, name, number)


class DistributionMetadata(FileRule):
    """The header lines up to the first empty one; behind it is the README."""

    name = "distribution"
    files = METADATA

    def facts(self, source: Source) -> Iterator[Clue]:
        header = source.text.split("\n\n", 1)[0].split("\n")
        fields = [(number, *line.partition(": ")[::2]) for number, line in enumerate(header, 1)]
        summary = next((value for _, key, value in fields if key == "Summary"), "")
        for number, key, value in fields:
            if key == "Name" and value.strip():
                yield provides_package(self.name, value.strip(), number, summary.strip())
            elif key == "Requires-Dist" and (needed := requirement_name(value)):
                extra = EXTRA.search(value)
                yield needs_package(self.name, needed, number, f"extra {extra[1]}" if extra else "")
