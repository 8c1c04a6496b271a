from __future__ import annotations

import pytest

from indexing.chunks import chunk_file
from indexing.facts import Definition, FileFacts


def cut(text, *tables, max_chars=1500):
    facts = FileFacts(
        "db/schema.sql", "sql", tuple(Definition(name, "table", start, end) for name, start, end in tables)
    )
    drafts = chunk_file("db/schema.sql", text, facts, max_chars=max_chars)
    return [(d.start_line, d.end_line, d.symbol, d.chunk_kind) for d in drafts]


@pytest.mark.specification("000 §6.3 fields")
def test_a_table_with_the_comments_above_it():
    text = "-- Schema of billing.\n\n-- owned by billing\nCREATE TABLE accounts (\n  id UUID\n);\nCREATE INDEX i ON accounts (id);\n"
    assert cut(text, ("accounts", 4, 6)) == [(1, 1, "", "code"), (3, 6, "accounts", "table"), (7, 7, "", "code")]


def test_a_comment_of_several_lines_belongs_to_its_table_not_to_the_one_before():
    text = "CREATE TABLE a (id int);\n/* orders\n * of all\n */\nCREATE TABLE b (id int);\n"
    assert cut(text, ("a", 1, 1), ("b", 5, 5)) == [(1, 1, "a", "table"), (2, 5, "b", "table")]


def test_a_table_is_one_chunk_whatever_its_size():
    columns = "".join(f"  column_{n} TEXT,\n\n" for n in range(100))
    text = f"CREATE TABLE wide (\n{columns}  id int\n);\n"
    assert cut(text, ("wide", 1, 203), max_chars=200) == [(1, 203, "wide", "table")]


def test_tables_on_one_line_share_a_chunk():
    text = "CREATE TABLE a (id int); CREATE TABLE b (\n id int);\nSELECT 1;\n"
    drafts = chunk_file(
        "a.sql", text, FileFacts("", "", (Definition("a", "table", 1, 1), Definition("b", "table", 1, 2))), max_chars=99
    )
    assert [(d.start_line, d.end_line, d.symbol, d.symbols) for d in drafts] == [
        (1, 2, "a", ("a", "b")),
        (3, 3, "", ()),
    ]


def test_lines_that_are_not_there_and_definitions_that_are_no_tables_are_passed_over():
    text = "SELECT 1;\n"
    assert cut(text, ("gone", 5, 9)) == [(1, 1, "", "code")]
    assert cut("SELECT 1;\n\n", ("blank", 2, 2)) == [(1, 1, "", "code")]
    facts = FileFacts("", "", (Definition("f", "function", 1, 1),))
    assert [d.symbol for d in chunk_file("a.sql", text, facts, max_chars=99)] == [""]


def test_statements_without_tables_are_cut_by_size():
    assert cut("SELECT 1;\n\nSELECT 2;\n", max_chars=12) == [(1, 1, "", "code"), (3, 3, "", "code")]
