"""Liquibase's change logs in XML and YAML: `createTable` with its columns (https://docs.liquibase.com/change-types/create-table.html)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.port import Findings, Source
from indexing.rules.tables import columns_summary, defines_table
from indexing.rules.xml_nodes import root_of
from indexing.rules.yaml_nodes import at, documents, first_line, items, last_line, pairs, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from indexing.facts import Clue, Definition

__all__ = ["Liquibase"]

FILE: Final = re.compile(r"\.(?:xml|ya?ml)$")
DEEPEST: Final = 12


class Liquibase:
    """A Definition of kind table for each `createTable` of a `databaseChangeLog`."""

    name = "liquibase"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        if "databaseChangeLog" not in source.text:
            return None
        found = list(self._xml(source) if source.path.endswith(".xml") else self._yaml(source))
        return Findings([d for d, _ in found], [c for _, c in found]) if found else None

    def _xml(self, source: Source) -> Iterator[tuple[Definition, Clue]]:
        root = root_of(source.text)
        for element in root.walk() if root else ():
            if element.name == "createTable" and (name := element.attributes.get("tableName")):
                columns = [(c.attributes.get("name", ""), c.attributes.get("type", "")) for c in element.all("column")]
                yield defines_table(self.name, name, element.line, element.last_line, columns_summary(columns))

    def _yaml(self, source: Source) -> Iterator[tuple[Definition, Clue]]:
        for root in documents(source.text):
            for node in _created(root):
                name = scalar(at(node, "tableName"))
                columns = [
                    (scalar(at(item, "column", "name")), scalar(at(item, "column", "type")))
                    for item in items(at(node, "columns"))
                ]
                if name:
                    line = first_line(node)
                    yield defines_table(
                        self.name, name, line, max(line, last_line(node, source.text)), columns_summary(columns)
                    )


def _created(node: yaml.Node, depth: int = 0) -> Iterator[yaml.Node]:
    if depth > DEEPEST:
        return
    for name, value in pairs(node):
        if name == "createTable":
            yield value
        else:
            yield from _created(value, depth + 1)
    for item in items(node):
        yield from _created(item, depth + 1)
