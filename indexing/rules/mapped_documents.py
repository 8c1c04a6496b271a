r"""Classes that are stored in tables, as a document beside them says: Doctrine's XML, Hibernate's, and JPA's `orm.xml`.

`<entity name="Shop\Order" table="orders">` (https://www.doctrine-project.org/projects/doctrine-orm/en/current/reference/xml-mapping.html),
`<class name="shop.Order" table="orders">` (https://docs.jboss.org/hibernate/orm/5.6/userguide/html_single, hbm.xml),
`<entity class="shop.Order"><table name="orders"/>` (https://jakarta.ee/specifications/persistence). The class is another file's: what is
joined is the table, which the document says to exist, and the service that the document lies in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.facts import Definition
from indexing.rules.port import Findings, Source
from indexing.rules.tables import MAPPED, columns_summary, defines_table, plain_table, uses_table
from indexing.rules.xml_nodes import root_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue
    from indexing.rules.xml_nodes import Element

__all__ = ["MappedDocuments"]

FILE: Final = re.compile(r"\.(?:orm|dcm|hbm)\.xml$|(^|/)orm\.xml$")
CLASSES: Final = {
    "doctrine-mapping": ("doctrine", "entity", "name"),
    "hibernate-mapping": ("hibernate", "class", "name"),
    "entity-mappings": ("jpa", "entity", "class"),
}
"""By the document's element: the framework, the element of a class, and the attribute with its name."""
LAST: Final = re.compile(r"[^\\./]+$")


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
