from __future__ import annotations

from memory.observations import NormalizedObservation
from memory.text.lines import split_lines
from synthesis.extractive.sources import Source
from synthesis.extractive.tables import tables_in

DDL = split_lines("""-- a comment with ( in it
CREATE TABLE IF NOT EXISTS "customers" (
  tenant_id BIGINT NOT NULL, -- whose
  number NUMERIC(10, 2) NOT NULL,
  note TEXT DEFAULT '(none)',
  FOREIGN KEY (tenant_id) REFERENCES tenants (id),
  CONSTRAINT pk PRIMARY KEY (tenant_id, "number")
);
CREATE TABLE one (id UUID PRIMARY KEY);
CREATE TABLE cut_off (
  id UUID""")


def tables():
    observation = NormalizedObservation("x", "vector:qdrant", "crm", 0.5, "code", id="v")
    return list(tables_in(Source(observation, None, tuple(DDL))))


def test_columns_with_their_lines_and_the_key():
    customers = tables()[0]
    assert (customers.name, customers.first, customers.last) == ("customers", 1, 7)
    assert [(c.name, c.type, c.line) for c in customers.columns] == [
        ("tenant_id", "BIGINT", 2), ("number", "NUMERIC(10, 2)", 3), ("note", "TEXT", 4),
    ]  # fmt: skip
    assert (customers.key, customers.key_line) == (("tenant_id", "number"), 6)
    assert customers.column("note")
    assert customers.column("pk") is None


def test_a_table_in_one_line_and_one_that_is_cut_off():
    assert [t.name for t in tables()] == ["customers", "one"]
    assert (tables()[1].key, tables()[1].columns[0].type) == (("id",), "UUID")
