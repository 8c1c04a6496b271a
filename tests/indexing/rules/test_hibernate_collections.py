"""Tables of collections in Hibernate's mapping files."""

from __future__ import annotations

from indexing.rules import Source
from indexing.rules.table_documents import HibernateCollections

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
