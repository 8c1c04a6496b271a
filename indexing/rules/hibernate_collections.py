"""Tables that hold a collection's elements or links, in Hibernate's and NHibernate's mapping files (`Order.hbm.xml`).

`<bag name="Lines" table="order_lines">` (https://nhibernate.info/doc/nhibernate-reference/collections.html); the classes' own
tables are mapped_documents' business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indexing.rules.port import Findings, Source
from indexing.rules.tables import MAPPED, columns_summary, defines_table, plain_table
from indexing.rules.xml_nodes import root_of

if TYPE_CHECKING:
    from indexing.facts import Clue, Definition

__all__ = ["HibernateCollections"]

ELEMENTS: Final = frozenset(
    {"bag", "set", "list", "map", "idbag", "array", "joined-subclass", "union-subclass", "join"}
)


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
