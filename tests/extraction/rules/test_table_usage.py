"""Tables that code uses: ORM classes and SQL in string literals."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts


def needed(text):
    facts = extract_facts("shop/models.py", text, "shop")
    return {(c.relation, c.key, c.entity, c.line) for c in facts.clues if c.side == "needs"}


def test_an_orm_class_stores_in_and_uses_its_table():
    text = 'class Customer(Base):\n    """x"""\n\n    __tablename__ = "crm.Customers"\n'
    assert needed(text) == {("STORES_IN", "customers", "Customer", 4), ("USES_TABLE", "customers", "Customer", 4)}


def test_django_says_it_in_meta():
    text = "class Customer(Model):\n    class Meta:\n        db_table = 'customers'\n"
    assert ("STORES_IN", "customers", "Customer.Meta", 3) in needed(text)


def test_a_table_name_outside_a_class_is_nobodys():
    assert needed("if True:\n    __tablename__ = 'x'\n") == set()


def test_sql_in_a_text_uses_the_tables_behind_its_keywords():
    text = (
        "class Repo:\n"
        "    def load(self):\n"
        '        return run("""\n'
        "            SELECT c.id FROM customers c\n"
        '            JOIN crm.orders o ON o.c = c.id""")\n'
        "\n"
        'INSERT = "INSERT INTO payments (id) VALUES (1)"\n'
    )
    assert needed(text) == {
        ("USES_TABLE", "customers", "Repo.load", 4),
        ("USES_TABLE", "orders", "Repo.load", 5),
        ("USES_TABLE", "payments", "", 7),
    }


def test_prose_is_no_statement():
    assert needed('x = "please select one from customers"\ny = "Take it FROM customers"\n') == set()


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO votes SET ? ON DUPLICATE KEY UPDATE total = total + 1",
        "SELECT id FROM votes FOR UPDATE NOWAIT",
        "UPDATE votes SET total = 1",
    ],
)
def test_update_opens_a_statement_and_else_names_no_table(text):
    assert {row[1] for row in needed(f'Q = "{text}"\n')} == {"votes"}


def test_what_an_upsert_says_of_the_row_that_is_there_names_no_table():
    text = (
        'KEEP = """INSERT INTO clients (id, data) VALUES (1, 2)\n'
        "ON CONFLICT (id) DO UPDATE SET data = EXCLUDED.data\n"
        'WHERE clients.data IS DISTINCT FROM EXCLUDED.data;"""\n'
    )
    assert needed(text) == {("USES_TABLE", "clients", "", 1)}
