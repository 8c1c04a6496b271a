"""Classes that are stored in tables, as a document beside them says."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.table_documents import MappedDocuments

DOCTRINE = """<?xml version="1.0" encoding="UTF-8"?>
<doctrine-mapping xmlns="http://doctrine-project.org/schemas/orm/doctrine-mapping">
    <entity name="Shop\\Orders\\Order" table="crm.orders">
        <id name="id" type="string" column="order_id"/>
        <field name="total" column="total_cents"/>
    </entity>
    <embeddable name="Shop\\Orders\\Total"/>
</doctrine-mapping>
"""
HIBERNATE = """<!DOCTYPE hibernate-mapping PUBLIC "-//Hibernate/Hibernate Mapping DTD//EN" "http://hibernate.org/dtd/mapping.dtd">
<hibernate-mapping package="shop">
  <class name="Order" table="ORDERS">
    <property name="total"><column name="TOTAL"/></property>
  </class>
</hibernate-mapping>
"""
JPA = """<entity-mappings>
  <entity class="shop.Order">
    <table name="orders"/>
  </entity>
  <entity class="shop.Unnamed"/>
</entity-mappings>
"""


@pytest.mark.parametrize(
    ("path", "text", "framework", "table", "lines", "columns"),
    [
        ("src/Order.orm.xml", DOCTRINE, "doctrine", "orders", (3, 6), "columns: order_id, total_cents"),
        ("src/Order.hbm.xml", HIBERNATE, "hibernate", "ORDERS", (3, 5), "columns: TOTAL"),
        ("META-INF/orm.xml", JPA, "jpa", "orders", (2, 4), ""),
    ],
)
def test_a_class_and_its_table(path, text, framework, table, lines, columns):
    rule = MappedDocuments()
    assert rule.reads(path)
    found = rule.find(Source(path, text, "shop"))
    assert found.recognised == framework
    assert [(d.name, d.kind, (d.start_line, d.end_line), d.summary) for d in found.definitions] == [
        ("Order", "mapping", lines, ""),
        (table, "table", lines, columns),
    ]
    assert [(c.relation, c.side, c.key, c.entity, c.value) for c in found.clues] == [
        ("OWNS_TABLE", "provides", table.lower(), table, "mapped"),
        ("STORES_IN", "needs", table.lower(), "Order", ""),
        ("USES_TABLE", "needs", table.lower(), "Order", ""),
    ]


def test_other_documents():
    rule = MappedDocuments()
    assert not rule.reads("pom.xml")
    for text in ("<a/>", "<doctrine-mapping/>", "<doctrine-mapping><entity table='a'/></doctrine-mapping>", "no XML"):
        assert rule.find(Source("a.orm.xml", text)) is None
