"""Classes that are stored in tables, as a document beside them says.

Tables of collections in Hibernate's mapping files.
Change logs.
"""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from extraction.rules import Source
from extraction.rules.table_documents import HibernateCollections, Liquibase, MappedDocuments

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
TEXT = """\
<?xml version="1.0" encoding="utf-8"?>
<hibernate-mapping xmlns="urn:nhibernate-mapping-2.2" namespace="Shop">
  <class name="Order" table="orders">
    <id name="Id" column="id"/>
    <bag name="Lines" table="shop.order_lines">
      <key column="order_id"/>
      <composite-element class="Line"><property name="Price" column="price"/></composite-element>
    </bag>
    <bag name="Parts" table="orders"/>
    <set name="Tags"><key column="order_id"/></set>
    <joined-subclass name="Rush" table="rush_orders"><key column="order_id"/></joined-subclass>
  </class>
</hibernate-mapping>
"""
XML = """\
<databaseChangeLog xmlns="http://www.liquibase.org/xml/ns/dbchangelog">
  <changeSet id="1" author="a">
    <createTable tableName="orders">
      <column name="id" type="uuid"/>
      <column name="state" type="varchar(9)"/>
    </createTable>
  </changeSet>
</databaseChangeLog>
"""
YAML = """\
databaseChangeLog:
- changeSet:
    id: 1
    changes:
    - createTable:
        tableName: orders
        columns:
        - column: {name: id, type: uuid}
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


def test_collections_and_subclasses_with_tables_of_their_own():
    rule = HibernateCollections()
    assert rule.reads("Domain/Order.hbm.xml")
    assert not rule.reads("Domain/Order.xml")
    found = rule.find(Source("Domain/Order.hbm.xml", TEXT))
    assert [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in found.definitions] == [
        ("order_lines", "table", 5, 8, "columns: order_id, price"),
        ("rush_orders", "table", 11, 11, "columns: order_id"),
    ]
    assert [(c.key, c.relation, c.value) for c in found.clues] == [
        ("order_lines", "OWNS_TABLE", "mapped"),
        ("rush_orders", "OWNS_TABLE", "mapped"),
    ]


def test_what_says_nothing():
    find = HibernateCollections().find
    assert find(Source("a.hbm.xml", "<a")) is None
    assert find(Source("a.hbm.xml", "<other/>")) is None
    assert find(Source("a.hbm.xml", '<hibernate-mapping><class name="A" table="a"/></hibernate-mapping>')) is None


def tables(path, text):
    facts = extract_facts(path, text, "shop")
    return [(d.name, d.start_line, d.end_line, d.summary) for d in facts.definitions if d.kind == "table"]


def test_xml_and_yaml():
    assert tables("db/changelog.xml", XML) == [("orders", 3, 6, "columns: id uuid, state varchar(9)")]
    assert tables("db/changelog.yaml", YAML) == [("orders", 6, 8, "columns: id uuid")]


def test_what_is_none():
    assert Liquibase().find(Source("a.xml", "<a/>")) is None
    assert Liquibase().find(Source("a.xml", "<databaseChangeLog>")) is None
    deep = "databaseChangeLog: " + "[" * 20 + "]" * 20
    assert Liquibase().find(Source("a.yaml", deep)) is None
