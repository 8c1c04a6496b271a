"""pyproject.toml: PEP 621 dependencies and extras, PEP 735 groups, and Poetry's tables."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from indexing.rules.packages import needs_package, provides_package, requirement_name
from indexing.rules.port import Findings, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["Pyproject"]


class Pyproject:
    """`provides package` from the name, `needs package` from every list of requirements."""

    name = "pyproject"

    def reads(self, path: str) -> bool:
        return path.rsplit("/", 1)[-1] == "pyproject.toml"

    def find(self, source: Source) -> Findings | None:
        try:
            data = tomllib.loads(source.text)
        except (ValueError, RecursionError):  # an integer of 4,301 digits is not a TOMLDecodeError
            return None
        return Findings(clues=[*self._named(source, data), *self._listed(source, data), *self._poetry(source, data)])

    def _named(self, source: Source, data: dict[str, Any]) -> Iterator[Clue]:
        for section in (_table(data, "project"), _table(data, "tool", "poetry")):
            name, summary = section.get("name"), section.get("description")
            if isinstance(name, str):
                yield provides_package(
                    self.name, name, _line(source, "name", name), str(summary or "").partition("\n")[0]
                )

    def _listed(self, source: Source, data: dict[str, Any]) -> Iterator[Clue]:
        project = _table(data, "project")
        lists = [("", "dependencies", project.get("dependencies"))]
        lists += [
            (f"extra {extra}", extra, listed) for extra, listed in _table(project, "optional-dependencies").items()
        ]
        lists += [(f"group {group}", group, listed) for group, listed in _table(data, "dependency-groups").items()]
        for label, key, listed in lists:
            start = _line(source, key, "") - 1
            for requirement in listed if isinstance(listed, list) else []:
                name = requirement_name(requirement) if isinstance(requirement, str) else ""
                if name:
                    yield needs_package(self.name, name, _line_of_text(source, requirement, start), label)

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
                    yield needs_package(self.name, name, _line(source, name, ""), label)


def _table(data: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        inner = data.get(key)
        data = inner if isinstance(inner, dict) else {}
    return data


def _line(source: Source, key: str, value: str) -> int:
    """Where `key = … value …` stands; the first line when it is written some other way."""
    pattern = re.compile(rf"""^\s*["']?{re.escape(key)}["']?\s*=.*{re.escape(value)}""")
    return next((n for n, line in enumerate(source.text.split("\n"), 1) if pattern.match(line)), 1)


def _line_of_text(source: Source, text: str, after: int) -> int:
    lines = source.text.split("\n")
    quoted = (f'"{text}"', f"'{text}'")
    order = [*range(after, len(lines)), *range(after)]
    return next((n + 1 for n in order if any(q in lines[n] for q in quoted)), after + 1)
