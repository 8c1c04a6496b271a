"""Columns and keys, from DDL and from a table's summary."""

from __future__ import annotations

import pytest

from merging.claims import read_claims
from tests.merging.making import graph, table, text


def stated(observation):
    return {(claim.subject, claim.property): claim.value for claim in read_claims(observation)}


def ddl(content, place="db/schema.sql:1-9"):
    return stated(text(content, place))


class TestDdl:
    def test_types_and_key(self):
        found = ddl(
            "-- owned by billing\nCREATE TABLE customers (\n  id UUID PRIMARY KEY,\n  created_at TIMESTAMP NOT NULL\n);\n"
        )
        assert found == {
            ("customers.id", "type"): "uuid",
            ("customers.created_at", "type"): "timestamp",
            ("customers", "primary key"): "id",
        }

    def test_composite_key(self):
        found = ddl("create table c (tenant_id BIGINT NOT NULL, number BIGINT, PRIMARY KEY (tenant_id, number))")
        assert found["c", "primary key"] == "tenant_id, number"
        assert found["c.number", "type"] == "bigint"

    def test_named_constraints_schemas_and_quotes(self):
        found = ddl(
            'CREATE TABLE IF NOT EXISTS public."Orders" ("Id" INT, CONSTRAINT pk PRIMARY KEY ("Id"), UNIQUE (x), FOREIGN KEY (y) REFERENCES z (id))'
        )
        assert found == {("orders.id", "type"): "integer", ("orders", "primary key"): "id"}

    @pytest.mark.parametrize(
        ("written", "meant"),
        [("INT", "integer"), ("int8", "bigint"), ("BOOL", "boolean"), ("character varying(20)", "varchar"), ("VARCHAR(20)", "varchar"),
         ("DECIMAL(10, 2)", "numeric"), ("double precision", "double precision"), ("TIMESTAMPTZ", "timestamp"), ("jsonb", "jsonb")],
    )  # fmt: skip
    def test_one_type_has_one_name(self, written, meant):
        assert ddl(f"CREATE TABLE t (c {written} NOT NULL, d UUID)")["t.c", "type"] == meant

    def test_what_is_no_known_type_is_not_claimed(self):
        assert ddl("CREATE TABLE t (status order_status, id UUID)") == {("t.id", "type"): "uuid"}

    def test_comments_are_no_columns(self):
        assert ddl("CREATE TABLE t (\n  -- id TEXT,\n  id UUID, /* age INT, */\n  x INT\n)") == {
            ("t.id", "type"): "uuid",
            ("t.x", "type"): "integer",
        }

    def test_a_chunk_that_ends_amid_a_table_claims_its_whole_columns_and_no_key(self):
        assert ddl("CREATE TABLE t (\n  id UUID PRIMARY KEY,\n  name VARCH") == {("t.id", "type"): "uuid"}

    def test_two_values_for_one_property_are_none(self):
        assert ddl("CREATE TABLE t (id UUID, n INT);\nCREATE TABLE t (id TEXT, n INT);") == {("t.n", "type"): "integer"}


class TestWhere:
    def test_in_a_fenced_block_of_a_document(self):
        found = stated(
            text(
                "# Schema\n\n```sql\nCREATE TABLE t (id BIGINT)\n```\n\nProse says id is a UUID.\n",
                "docs/schema.md:1-8",
            )
        )
        assert found == {("t.id", "type"): "bigint"}

    def test_not_in_prose_or_code(self):
        assert ddl("CREATE TABLE t (id UUID)", "docs/schema.md:1-2") == {}
        assert ddl("CREATE TABLE t (id UUID)", "app/models.py:1-2") == {}
        assert stated(text("```python\nCREATE TABLE t (id BIGINT)\n```\n", "a.md:1-3")) == {}
        assert stated(text("CREATE TABLE t (id UUID)")) == {}

    @pytest.mark.parametrize("folder", ["tests", "db/migrations", "examples", "Test", "vendor/x", "alembic/versions"])
    def test_not_in_folders_set_aside(self, folder):
        assert ddl("CREATE TABLE t (id UUID)", f"{folder}/a.sql:1-2") == {}

    def test_a_file_may_have_such_a_name(self):
        assert ddl("CREATE TABLE t (id UUID)", "db/tests.sql:1-2") == {("t.id", "type"): "uuid"}

    def test_units_are_apart(self):
        first, second = (
            read_claims(text("CREATE TABLE t (id UUID)", f"{path}:1-2"))[0]
            for path in ("services/a/x.sql", "services/b/x.sql")
        )
        assert (first.unit, second.unit) == ("services/a", "services/b")
        assert first.key() != second.key()
        assert read_claims(text("CREATE TABLE t (id UUID)", "services/x.sql:1-2"))[0].unit == ""


class TestSummary:
    def test_of_a_table(self):
        found = graph("customers", metadata={"entities": [table("customers", "id UUID PRIMARY KEY, tenant INT")]})
        assert stated(found) == {
            ("customers.id", "type"): "uuid",
            ("customers.tenant", "type"): "integer",
            ("customers", "primary key"): "id",
        }
        claim = read_claims(found)[0]
        assert (claim.project, claim.where.path, claim.where.start_line) == ("billing", "db/schema.sql", 1)

    def test_of_anything_else_states_nothing(self):
        for changes in ({"kind": "class"}, {"summary": ""}, {"path": "tests/a.sql"}):
            assert stated(graph("x", metadata={"entities": [{**table("t", "id UUID"), **changes}]})) == {}
        assert stated(graph("x")) == {}
        assert stated(graph("x", metadata={"entities": [table("t", "Where customers live, id comes first")]})) == {}

    def test_without_a_path_has_no_place(self):
        assert read_claims(graph("x", metadata={"entities": [table("t", "id UUID", path="")]}))[0].where is None
