r"""Tables in XML and YAML documents: mappings of Doctrine, Hibernate and JPA, and Liquibase's change logs.

`<entity name="Shop\Order" table="orders">` (https://www.doctrine-project.org/projects/doctrine-orm/en/current/reference/xml-mapping.html),
`<class name="shop.Order" table="orders">` (https://docs.jboss.org/hibernate/orm/5.6/userguide/html_single, hbm.xml),
`<bag name="Lines" table="order_lines">` (https://nhibernate.info/doc/nhibernate-reference/collections.html),
`<entity class="shop.Order"><table name="orders"/>` (https://jakarta.ee/specifications/persistence). The class is another file's:
what is joined is the table, which the document says to exist, and the service that the document lies in. Liquibase's
`createTable` creates one (https://docs.liquibase.com/change-types/create-table.html).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Definition
from indexing.rules.port import Findings, Source
from indexing.rules.tables import MAPPED, columns_summary, defines_table, plain_table, uses_table
from indexing.rules.xml_nodes import root_of
from indexing.rules.yaml_nodes import at, documents, first_line, items, last_line, pairs, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

    from indexing.facts import Clue
    from indexing.rules.xml_nodes import Element

__all__ = ["HibernateCollections", "Liquibase", "MappedDocuments"]

FILE: Final = re.compile(r"\.(?:orm|dcm|hbm)\.xml$|(^|/)orm\.xml$")
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
CHANGE_LOG: Final = re.compile(r"\.(?:xml|ya?ml)$")
DEEPEST: Final = 12


class MappedDocuments:
    """A Definition of kind mapping for each class with a table, which STORES_IN and USES_TABLE it."""

    name = "mapping documents"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        root = root_of(source.text)
        if root is None or root.name not in CLASSES:
            return None
        framework, element, attribute = CLASSES[root.name]
        definitions: dict[str, Definition] = {}
        clues: list[Clue] = []
        for one in root.all(element):
            called = LAST.search(one.attributes.get(attribute, ""))
            table = plain_table(_table(one))
            if called is None or not table:
                continue
            columns = columns_summary((name, "") for name in _columns(one))
            defined, clue = defines_table(framework, table, one.line, one.last_line, columns, MAPPED)
            definitions[called[0]] = Definition(called[0], "mapping", one.line, one.last_line)
            definitions[table] = defined
            clues += [clue, *uses_table(framework, table, one.line, called[0])]
        return Findings(definitions.values(), dict.fromkeys(clues), framework) if clues else None


def _table(element: Element) -> str:
    """As an attribute, or as an element inside."""
    inside = (table.attributes.get("name", "") for table in element.all("table"))
    return element.attributes.get("table", "") or next(inside, "")


def _columns(element: Element) -> Iterator[str]:
    for one in element.walk():
        named = one.attributes.get("name", "") if one.name == "column" else ""
        if column := one.attributes.get("column", "") or named:
            yield column


class HibernateCollections:
    """A table for each collection and subclass that names one of its own."""

    name = "hibernate collections"

    def reads(self, path: str) -> bool:
        return path.endswith(".hbm.xml")

    def find(self, source: Source) -> Findings | None:
        root = root_of(source.text)
        if root is None or root.name != "hibernate-mapping":
            return None
        classes = {plain_table(one.attributes.get("table", "")) for one in root.all("class")}
        found: dict[str, tuple[Definition, Clue]] = {}
        for element in root.walk():
            table = plain_table(element.attributes.get("table", "")) if element.name in ELEMENTS else ""
            if table and table not in classes | found.keys():
                named = (one.attributes.get("column", "") for one in element.walk())
                columns = columns_summary((column, "") for column in named if column)
                found[table] = defines_table("hibernate", table, element.line, element.last_line, columns, MAPPED)
        rows = list(found.values())
        return Findings([d for d, _ in rows], [c for _, c in rows]) if rows else None


class Liquibase:
    """A Definition of kind table for each `createTable` of a `databaseChangeLog`."""

    name = "liquibase"

    def reads(self, path: str) -> bool:
        return CHANGE_LOG.search(path) is not None

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
