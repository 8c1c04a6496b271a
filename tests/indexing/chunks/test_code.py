"""Code by its definitions, and SQL by its tables."""

from __future__ import annotations

import pytest

from extraction.facts import Definition, FileFacts
from indexing.chunks import chunk_file

FILLER = "    call('a line of one hundred characters or so that makes a body stand on its own in a chunk here')\n" * 3


def cut(text, *definitions, max_chars=1500, path="shop/a.py"):
    facts = FileFacts(path, "python", tuple(Definition(*d) for d in definitions))
    return [(d.start_line, d.end_line, d.symbol) for d in chunk_file(path, text, facts, max_chars=max_chars)]


def test_one_chunk_a_definition():
    assert len(FILLER) > 200
    text = f"def a():\n{FILLER}\n\ndef b():\n{FILLER}\n\nclass C:\n{FILLER}"
    assert cut(text, ("a", "function", 1, 4), ("b", "function", 7, 10), ("C", "class", 13, 16)) == [
        (1, 4, "a"),
        (7, 10, "b"),
        (13, 16, "C"),
    ]


def test_what_stands_between_definitions_has_no_symbol():
    text = f'"""Doc."""\n\nimport x\n{FILLER}\n\ndef a():\n{FILLER}\nmain(\n{FILLER})\n'
    assert cut(text, ("a", "function", 9, 12)) == [(1, 6, ""), (9, 12, "a"), (14, 18, "")]


def test_small_neighbours_are_one_chunk_that_names_the_longest():
    text = "A = 1\nB = 2\n\ndef get():\n    return A\n\ndef both():\n    x = A\n    return x + B\n"
    found = [("A", "constant", 1, 1), ("B", "constant", 2, 2), ("get", "function", 4, 5), ("both", "function", 7, 9)]
    assert cut(text, *found) == [(1, 9, "both")]
    drafts = chunk_file("a.py", text, FileFacts("", "", tuple(Definition(*d) for d in found)), max_chars=1500)
    assert drafts[0].symbols == ("A", "B", "get", "both")


def test_imports_with_one_definition_are_that_definitions():
    assert cut("import x\n\ndef a():\n    pass\n", ("a", "function", 3, 4)) == [(1, 4, "a")]


def test_decorators_and_comments_belong_to_the_definition():
    above = f"def before():\n{FILLER}"
    text = f'{above}\n\n# Why this is here.\n@wrap(\n    "one",\n    [\n        2,\n    ],\n)\n# and more\ndef a():\n{FILLER}'
    assert text.split("\n")[14] == "def a():"
    assert cut(text, ("before", "function", 1, 4), ("a", "function", 15, 18)) == [(1, 4, "before"), (7, 18, "a")]


def test_a_statement_right_above_does_not_belong_to_it():
    text = f"# about x\nx = [\n{FILLER}]\ndef a():\n{FILLER}"
    assert cut(text, ("a", "function", 7, 10)) == [(1, 6, ""), (7, 10, "a")]


def test_a_big_class_is_opened_into_its_members():
    text = f'class Cart:\n    """Holds things."""\n{FILLER}\n    def add(self):\n{FILLER}\n    @property\n    def total(self):\n{FILLER}\n    x = 1\n'
    found = [("Cart", "class", 1, 18), ("Cart.add", "method", 7, 10), ("Cart.total", "method", 13, 16)]
    assert text.split("\n")[6] == "    def add(self):"
    assert text.split("\n")[12] == "    def total(self):"
    assert cut(text, *found, max_chars=500) == [(1, 5, "Cart"), (7, 10, "Cart.add"), (12, 18, "Cart.total")]
    assert cut(text, *found) == [(1, 18, "Cart")]


def test_small_members_of_an_opened_class_join_under_its_name_and_not_with_what_follows():
    text = f"class Cart:\n{FILLER}\n    def a(self):\n        pass\n\n    def b(self):\n        pass\n\n    def c(self):\n{FILLER}\n\ndef d():\n    pass\n"
    found = [
        ("Cart", "class", 1, 15),
        ("Cart.a", "method", 6, 7),
        ("Cart.b", "method", 9, 10),
        ("Cart.c", "method", 12, 15),
        ("d", "function", 18, 19),
    ]
    assert cut(text, *found, max_chars=420) == [(1, 10, "Cart"), (12, 15, "Cart.c"), (18, 19, "d")]


def test_classes_inside_a_big_class_are_opened_too():
    text = f"class A:\n    class B:\n        def c(self):\n{FILLER}\n        def d(self):\n{FILLER}"
    found = [("A", "class", 1, 11), ("A.B", "class", 2, 11), ("A.B.c", "method", 3, 6), ("A.B.d", "method", 8, 11)]
    assert cut(text, *found, max_chars=400) == [(1, 6, "A"), (8, 11, "A.B.d")]


def test_a_long_function_is_cut_by_size_and_keeps_its_name():
    text = f"def a():\n{FILLER}\n{FILLER}\n    def inner():\n{FILLER}"
    found = [("a", "function", 1, 13), ("a.inner", "function", 10, 13)]
    assert text.split("\n")[9] == "    def inner():"
    assert cut(text, *found, max_chars=420) == [(1, 4, "a"), (6, 8, "a"), (10, 13, "a.inner")]


def test_lines_that_make_no_sense_are_passed_over():
    text = f"def a():\n{FILLER}\ndef b():\n{FILLER}"
    crossing = ("x", "class", 3, 8)
    beyond = ("y", "function", 40, 50)
    twice = ("a2", "function", 1, 4)
    assert cut(text, ("a", "function", 1, 4), twice, crossing, ("b", "function", 6, 99), beyond) == [
        (1, 4, "a"),
        (6, 9, "b"),
    ]


def test_definitions_of_other_files_count_too():
    text = "services:\n  db:\n    image: postgres\n  web:\n    build: .\n"
    found = [("db", "service", 2, 3), ("web", "service", 4, 5)]
    assert cut(text, *found, path="compose.yaml", max_chars=30) == [(1, 1, ""), (2, 3, "db"), (4, 5, "web")]


def test_code_without_definitions_is_cut_by_size():
    assert cut(f"x = (\n{FILLER})\n\ny = (\n{FILLER})\n", max_chars=320) == [(1, 5, ""), (7, 11, "")]


def test_head_and_end_of_what_was_opened_join_the_parts():
    text = f"namespace Shop {{\n  class Cart {{\n{FILLER}\n    def a():\n{FILLER}  }}\n}}\n"
    found = [("Shop", "namespace", 1, 12), ("Cart", "class", 2, 11), ("Cart.a", "method", 7, 10)]
    assert text.split("\n")[6] == "    def a():"
    assert cut(text, *found, max_chars=420, path="a.cs") == [(1, 5, "Shop"), (7, 12, "Cart.a")]


def test_symbols_name_the_whole_and_what_begins_in_it():
    text = f"class Cart:\n{FILLER}\n    def a(self):\n{FILLER}\n{FILLER}"
    facts = FileFacts("a.py", "python", (Definition("Cart", "class", 1, 13), Definition("Cart.a", "method", 6, 13)))
    drafts = chunk_file("a.py", text, facts, max_chars=420)
    assert [(d.symbol, d.symbols) for d in drafts] == [
        ("Cart", ("Cart",)),
        ("Cart.a", ("Cart.a",)),
        ("Cart.a", ("Cart.a",)),
    ]


def test_a_definition_ends_with_its_last_line_that_is_not_blank():
    text = f"def a():\n{FILLER}\n\ndef b():\n{FILLER}"
    blank = ("c", "function", 5, 6)
    assert cut(text, ("a", "function", 1, 6), blank, ("b", "function", 7, 10)) == [(1, 4, "a"), (7, 10, "b")]


def cut_of_sql(text, *tables, max_chars=1500):
    facts = FileFacts(
        "db/schema.sql", "sql", tuple(Definition(name, "table", start, end) for name, start, end in tables)
    )
    drafts = chunk_file("db/schema.sql", text, facts, max_chars=max_chars)
    return [(d.start_line, d.end_line, d.symbol, d.chunk_kind) for d in drafts]


@pytest.mark.specification("000 §6.3 fields")
def test_a_table_with_the_comments_above_it():
    text = "-- Schema of billing.\n\n-- owned by billing\nCREATE TABLE accounts (\n  id UUID\n);\nCREATE INDEX i ON accounts (id);\n"
    assert cut_of_sql(text, ("accounts", 4, 6)) == [(1, 1, "", "code"), (3, 6, "accounts", "table"), (7, 7, "", "code")]


def test_a_comment_of_several_lines_belongs_to_its_table_not_to_the_one_before():
    text = "CREATE TABLE a (id int);\n/* orders\n * of all\n */\nCREATE TABLE b (id int);\n"
    assert cut_of_sql(text, ("a", 1, 1), ("b", 5, 5)) == [(1, 1, "a", "table"), (2, 5, "b", "table")]


def test_a_table_is_one_chunk_whatever_its_size():
    columns = "".join(f"  column_{n} TEXT,\n\n" for n in range(100))
    text = f"CREATE TABLE wide (\n{columns}  id int\n);\n"
    assert cut_of_sql(text, ("wide", 1, 203), max_chars=200) == [(1, 203, "wide", "table")]


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
    assert cut_of_sql(text, ("gone", 5, 9)) == [(1, 1, "", "code")]
    assert cut_of_sql("SELECT 1;\n\n", ("blank", 2, 2)) == [(1, 1, "", "code")]
    facts = FileFacts("", "", (Definition("f", "function", 1, 1),))
    assert [d.symbol for d in chunk_file("a.sql", text, facts, max_chars=99)] == [""]


def test_statements_without_tables_are_cut_by_size():
    assert cut_of_sql("SELECT 1;\n\nSELECT 2;\n", max_chars=12) == [(1, 1, "", "code"), (3, 3, "", "code")]
