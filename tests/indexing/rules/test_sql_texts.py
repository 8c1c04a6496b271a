"""SQL in programs and in files of named queries."""

from __future__ import annotations

from indexing.extraction import extract_facts

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
