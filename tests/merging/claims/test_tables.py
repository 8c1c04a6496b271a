"""Columns and keys, from DDL and from a table's summary."""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.sql import SqlTables
from merging.claims import read_claims
from tests.merging.making import graph, table, text


def stated(observation):
    return {(claim.subject, claim.property): claim.value for claim in read_claims(observation)}


def ddl(content, place="db/schema.sql:1-9"):
    return stated(text(content, place))


def _summary(statement):
    return SqlTables().find(Source("db/schema.sql", statement)).definitions[0].summary


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
        ("meant", "written"),
        [
            ("integer", ("INT", "INTEGER", "int4", "serial")),
            ("bigint", ("BIGINT", "int8", "bigserial")),
            ("smallint", ("smallint", "int2")),
            ("boolean", ("BOOLEAN", "BOOL")),
            ("varchar", ("VARCHAR(20)", "character varying(20)")),
            ("char", ("CHAR(2)", "character(2)")),
            ("numeric", ("NUMERIC(10, 2)", "DECIMAL(10, 2)")),
            ("double precision", ("double", "double  precision", "float8")),
            ("real", ("real", "float4")),
            ("timestamp", ("TIMESTAMP", "TIMESTAMPTZ", "datetime")),
            ("json", ("json",)),
            ("jsonb", ("JSONB",)),
        ],
    )
    def test_one_type_has_one_name(self, meant, written):
        for name in written:
            found = ddl(f"CREATE TABLE t (c {name} NOT NULL, d UUID)")
            assert found == {("t.c", "type"): meant, ("t.d", "type"): "uuid"}

    @pytest.mark.parametrize(
        "name",
        ["uuid", "text", "date", "time", "bytea", "blob", "float", "interval", "inet", "clob", "tinyint", "mediumint"],
    )
    def test_a_type_of_one_name_keeps_it(self, name):
        assert ddl(f"CREATE TABLE t (c {name.upper()})") == {("t.c", "type"): name}

    @pytest.mark.parametrize("name", ["context", "texts", "XUUID", "json5", "varchar2"])
    def test_what_only_holds_a_known_type_is_none(self, name):
        assert ddl(f"CREATE TABLE t (c {name})") == {}

    def test_several_tables_of_a_file_are_apart(self):
        assert ddl("CREATE TABLE a (id UUID);\nCREATE TABLE b (n INT, m TEXT);\nINSERT INTO b VALUES (1, 'x');\n") == {
            ("a.id", "type"): "uuid",
            ("b.n", "type"): "integer",
            ("b.m", "type"): "text",
        }

    @pytest.mark.parametrize(
        "constraint",
        ["CONSTRAINT u UNIQUE (a, b)", "UNIQUE (a)", "CHECK (a > 0)", "EXCLUDE USING gist (a WITH =)", "INDEX i (a)",
         "KEY text (a)", "LIKE text", "FOREIGN KEY (a) REFERENCES b (a)", "PERIOD time (a, b)", "PRIMARY text"],
    )  # fmt: skip
    def test_what_is_said_of_the_table_is_no_column(self, constraint):
        assert ddl(f"CREATE TABLE t ({constraint}, id UUID)") == {("t.id", "type"): "uuid"}

    def test_a_column_may_begin_like_a_constraint(self):
        assert ddl("CREATE TABLE t (key_id UUID, checked BOOL)") == {
            ("t.key_id", "type"): "uuid",
            ("t.checked", "type"): "boolean",
        }

    def test_a_key_of_a_foreign_table_is_not_its_own(self):
        found = ddl("CREATE TABLE t (id UUID, o INT REFERENCES orders (id), note TEXT DEFAULT 'no primary_key')")
        assert ("t", "primary key") not in found

    def test_a_table_made_otherwise_states_nothing(self):
        assert ddl("CREATE TABLE t AS SELECT id FROM u WHERE (id INT)") == {}
        assert ddl("RECREATE TABLE t (id INT)") == {}

    def test_what_is_no_known_type_is_not_claimed(self):
        assert ddl("CREATE TABLE t (status order_status, id UUID)") == {("t.id", "type"): "uuid"}

    def test_comments_are_no_columns(self):
        found = ddl("CREATE TABLE t (\n  -- id TEXT,\n  id UUID, /**/ a INT, /* age INT,\n ) */\n  x INT --\n, y INT)")
        assert found == {
            ("t.id", "type"): "uuid",
            ("t.a", "type"): "integer",
            ("t.x", "type"): "integer",
            ("t.y", "type"): "integer",
        }

    def test_a_chunk_that_ends_amid_a_table_claims_its_whole_columns_and_no_key(self):
        found = ddl("CREATE TABLE t (\n  id UUID PRIMARY KEY,\n  price NUMERIC(10, 2),\n  n INT,\n  name TEXT")
        assert found == {("t.id", "type"): "uuid", ("t.price", "type"): "numeric", ("t.n", "type"): "integer"}

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

    def test_as_the_rules_write_it(self):
        summary = _summary("CREATE TABLE customers (id UUID PRIMARY KEY, tenant INT)")
        assert stated(graph("customers", metadata={"entities": [table("customers", summary)]})) == {
            ("customers.id", "type"): "uuid",
            ("customers.tenant", "type"): "integer",
            ("customers", "primary key"): "id",
        }

    def test_the_key_behind_the_columns_is_not_the_last_columns(self):
        summary = 'columns: id bigint(20), checked tinyint(1); primary key ("id") Used by billing/Revoker'
        found = graph("keys", metadata={"entities": [table("keys", summary)]})
        assert stated(found)["keys", "primary key"] == "id"

    def test_of_anything_else_states_nothing(self):
        for changes in ({"kind": "class"}, {"summary": ""}, {"path": "tests/a.sql"}):
            assert stated(graph("x", metadata={"entities": [{**table("t", "id UUID"), **changes}]})) == {}
        assert stated(graph("x")) == {}
        assert stated(graph("x", metadata={"entities": [table("t", "Where customers live, id comes first")]})) == {}

    def test_without_a_path_has_no_place(self):
        assert read_claims(graph("x", metadata={"entities": [table("t", "id UUID", path="")]}))[0].where is None
