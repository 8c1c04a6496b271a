r"""Tables in XML and YAML documents: mappings of Doctrine, Hibernate and JPA, and Liquibase's change logs.

`<entity name="Shop\Order" table="orders">`
(https://www.doctrine-project.org/projects/doctrine-orm/en/current/reference/xml-mapping.html), `<class
name="shop.Order" table="orders">` (https://docs.jboss.org/hibernate/orm/5.6/userguide/html_single, hbm.xml), `<bag
name="Lines" table="order_lines">` (https://nhibernate.info/doc/nhibernate-reference/collections.html), `<entity
class="shop.Order"><table name="orders"/>` (https://jakarta.ee/specifications/persistence). The class is another file's:
what is joined is the table, which the document says to exist, and the service that the document lies in. Liquibase's
`createTable` creates one (https://docs.liquibase.com/change-types/create-table.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import yaml

from extraction.facts import Clue, Definition
from extraction.rules.clues import MAPPED, columns_summary, defines_table, plain_table, uses_table
from extraction.rules.port import Fact, FileRule, Findings, Source
from extraction.rules.xml_nodes import Element, root_of
from extraction.rules.yaml_nodes import at, documents, first_line, items, last_line, pairs, scalar

CLASSES: Final = {
    "doctrine-mapping": ("doctrine", "entity", "name"),
    "hibernate-mapping": ("hibernate", "class", "name"),
    "entity-mappings": ("jpa", "entity", "class"),
}
"""By the document's element: the framework, the element of a class, and the attribute with its name."""
LAST: Final = re.compile(r"[^\\./]+$")
ELEMENTS: Final = frozenset(
    {"bag", "set", "list", "map", "idbag", "array", "joined-subclass", "union-subclass", "join"}
)
DEEPEST: Final = 12


class MappedDocuments(FileRule):
    """A Definition of kind mapping for each class with a table, which STORES_IN and USES_TABLE it."""

    name = "mapping documents"
    files = re.compile(r"\.(?:orm|dcm|hbm)\.xml$|(^|/)orm\.xml$")

    def find(self, source: Source) -> Findings | None:
        root = root_of(source.text)
        if root is None or root.name not in CLASSES:
            return None
        framework, element, attribute = CLASSES[root.name]
        definitions: dict[str, Definition] = {}
        clues: list[Clue] = []
        for one in root.all(element):
            called = LAST.search(one.attributes.get(attribute, ""))
            inside = next((table.attributes.get("name", "") for table in one.all("table")), "")
            table = plain_table(one.attributes.get("table", "") or inside)
            if called is None or not table:
                continue
            columns = columns_summary((name, "") for name in _columns(one))
            definitions[called[0]] = Definition(called[0], "mapping", one.line, one.last_line)
            definitions[table], clue = defines_table(framework, table, one.line, one.last_line, columns, MAPPED)
            clues += [clue, *uses_table(framework, table, one.line, called[0])]
        return Findings(definitions.values(), clues, framework) if clues else None


def _columns(element: Element) -> Iterator[str]:
    for one in element.walk():
        named = one.attributes.get("name", "") if one.name == "column" else ""
        if column := one.attributes.get("column", "") or named:
            yield column


class HibernateCollections(FileRule):
    """A table for each collection and subclass that names one of its own."""

    name = "hibernate collections"
    files = re.compile(r"\.hbm\.xml$")

    def facts(self, source: Source) -> Iterator[Fact]:
        root = root_of(source.text)
        if root is None or root.name != "hibernate-mapping":
            return
        seen = {plain_table(one.attributes.get("table", "")) for one in root.all("class")}
        for element in root.walk():
            table = plain_table(element.attributes.get("table", "")) if element.name in ELEMENTS else ""
            if table and table not in seen:
                seen.add(table)
                named = (one.attributes.get("column", "") for one in element.walk())
                columns = columns_summary((column, "") for column in named if column)
                yield from defines_table("hibernate", table, element.line, element.last_line, columns, MAPPED)


class Liquibase(FileRule):
    """A Definition of kind table for each `createTable` of a `databaseChangeLog`."""

    name = "liquibase"
    files = re.compile(r"\.(?:xml|ya?ml)$")

    def facts(self, source: Source) -> Iterator[Fact]:
        if "databaseChangeLog" in source.text:
            yield from self._xml(source) if source.path.endswith(".xml") else self._yaml(source)

    def _xml(self, source: Source) -> Iterator[Fact]:
        root = root_of(source.text)
        for element in root.walk() if root else ():
            if element.name == "createTable" and (name := element.attributes.get("tableName")):
                columns = [(c.attributes.get("name", ""), c.attributes.get("type", "")) for c in element.all("column")]
                yield from defines_table(self.name, name, element.line, element.last_line, columns_summary(columns))

    def _yaml(self, source: Source) -> Iterator[Fact]:
        for node in (one for root in documents(source.text) for one in _created(root)):
            columns = [at(item, "column") for item in items(at(node, "columns"))]
            summary = columns_summary((scalar(at(one, "name")), scalar(at(one, "type"))) for one in columns)
            if name := scalar(at(node, "tableName")):
                first = first_line(node)
                yield from defines_table(self.name, name, first, max(first, last_line(node, source.text)), summary)


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
