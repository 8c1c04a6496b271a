"""Change logs."""

from __future__ import annotations

from indexing.extraction import extract_facts
from indexing.rules.port import Source
from indexing.rules.table_documents import Liquibase

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
