"""Tables from data definition, and those that queries in programs use."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from extraction.rules import Source
from extraction.rules.sql import SqlTables


def find(text):
    return SqlTables().find(Source("db/schema.sql", text))


def test_a_table_has_its_lines_and_its_columns_as_written():
    text = (
        "-- customers\n"
        "CREATE TABLE IF NOT EXISTS billing.customers (\n"
        "  id UUID PRIMARY KEY, -- a key, random\n"
        "  amount NUMERIC(10, 2) NOT NULL DEFAULT 0,\n"
        "  seen timestamp with time zone,\n"
        "  owner INTEGER REFERENCES users(id),\n"
        "  CHECK (amount > 0)\n"
        ");\n"
    )
    found = find(text)
    assert [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in found.definitions] == [
        (
            "customers",
            "table",
            2,
            8,
            "columns: id UUID (primary key), amount NUMERIC(10, 2), seen timestamp with time zone, owner INTEGER",
        )
    ]
    assert [(c.side, c.key, c.relation, c.line, c.entity) for c in found.clues] == [
        ("provides", "customers", "OWNS_TABLE", 2, "customers")
    ]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("CREATE TABLE t (a INT, b INT, PRIMARY KEY (a, b))", "columns: a INT, b INT; primary key (a, b)"),
        ("create table t (a int, constraint pk primary key (a))", "columns: a int; primary key (a)"),
        ("CREATE TABLE `t` (`a` bigint(20) NOT NULL, KEY k (a)) ENGINE=InnoDB", "columns: a bigint(20)"),
        ("CREATE TABLE [dbo].[t] ([a] INT)", "columns: a INT"),
        ("CREATE TEMPORARY TABLE t (a, b TEXT,)", "columns: a, b TEXT"),
        ("CREATE TABLE t AS SELECT 1", ""),
        ("CREATE TABLE t (a INT", "columns: a INT"),
    ],
)
def test_other_dialects_and_keys(text, summary):
    assert [(d.name, d.summary) for d in find(text).definitions] == [("t", summary)]


def test_an_alteration_that_adds_needs_its_table():
    found = find(
        "ALTER TABLE ONLY customers ADD COLUMN vip BOOLEAN DEFAULT false;\nALTER TABLE x DROP COLUMN y; ALTER TABLE z ADD;"
    )
    assert [(c.side, c.key, c.relation, c.line, c.says) for c in found.clues] == [
        ("needs", "customers", "USES_TABLE", 1, "adds vip BOOLEAN DEFAULT false"),
        ("needs", "z", "USES_TABLE", 2, "adds nothing"),
    ]


def test_what_is_no_table_is_left_out():
    found = find("CREATE INDEX i ON t(a); CREATE VIEW v AS SELECT 1; TABLE; CREATE TABLE;;")
    assert not list(found.definitions)


def test_a_file_nobody_can_split_is_read_tolerantly_and_says_so():
    found = find('CREATE TABLE a."b" (\n  note TEXT DEFAULT \'it\n);\nCREATE TABLE c (x INT)\n')
    assert found.recognised == "sql (tolerant)"
    assert [(d.name, d.start_line, d.end_line) for d in found.definitions] == [("b", 1, 3), ("c", 4, 4)]


QUERIES = """-- name: AddLine :one
INSERT INTO "sales".lines (id) VALUES ($1);

-- name: Lines :many
-- FROM elsewhere
SELECT l.* FROM sales.lines l LEFT JOIN "sales"."orders" o ON o.id = l.order_id;
"""


def used(path, text):
    return [(c.key, c.line, c.entity) for c in extract_facts(path, text, "shop").clues if c.relation == "USES_TABLE"]


def test_named_queries_use_tables():
    assert used("db/query/lines.sql", QUERIES) == [("lines", 2, ""), ("orders", 6, "")]
    assert "sql queries" in extract_facts("db/query/lines.sql", QUERIES, "shop").recognised
    assert used("db/seed.sql", "INSERT INTO lines VALUES (1);\n") == []  # a script, nobody's query
    assert used("tests/query.sql", QUERIES) == []


def test_a_schema_and_its_quotation_marks_are_no_part_of_a_name():
    text = 'def f(db):\n    db.run(\'SELECT 1 FROM "sales".orders JOIN [dbo].[lines] ON 1\')\n    db.run("UPDATE `a`.`b` SET x = 1")\n'
    assert used("a.py", text) == [("lines", 2, "f"), ("orders", 2, "f"), ("b", 3, "f")]


def test_a_program_that_creates_a_table_stands_for_it():
    text = 'class Store {\n  void Open() {\n    Run(@"CREATE TABLE IF NOT EXISTS Votes (\n      id TEXT)");\n  }\n}\n'
    facts = extract_facts("Store.cs", text, "shop")
    assert [(d.name, d.start_line, d.end_line) for d in facts.definitions if d.kind == "table"] == [("Votes", 3, 4)]
    assert [(c.key, c.relation, c.value) for c in facts.clues if c.kind == "table"] == [
        ("votes", "OWNS_TABLE", "mapped")
    ]
    twice = 'A = "create table x (id int)"\nB = "CREATE TABLE x (id int)"\n'
    assert [d.name for d in extract_facts("a.py", twice, "shop").definitions if d.kind == "table"] == ["x"]
    assert [d for d in extract_facts("tests/a.py", twice, "shop").definitions if d.kind == "table"] == []


def test_a_program_may_create_tables_behind_what_it_asks_first():
    sql = "if object_id('Plan') is null\n  CREATE TABLE Plan (\n    id int);\n  CREATE TABLE PlanEvent (\n    id int);"
    facts = extract_facts("Store.cs", f'class Store {{\n  void Open() {{ Run(@"{sql}"); }}\n}}\n', "shop")
    tables = {(d.name, d.start_line, d.end_line) for d in facts.definitions if d.kind == "table"}
    assert tables == {("Plan", 3, 4), ("PlanEvent", 5, 6)}
