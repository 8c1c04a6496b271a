"""What becomes an entity.

Tables that only classes name.
Documents that speak of entities.
"""

from __future__ import annotations

import pytest

CLASS = 'import jakarta.persistence.*;\n@Entity\n@Table(name = "orders")\nclass Order {}\n'
COMPOSE = "services:\n  a:\n    build: a\n  b:\n    build: b\n"


def test_kinds_and_places(graph):
    text = '"""Tills."""\nDEFAULT_TIMEOUT = 5\nlogger = 1\n\n\nclass Till:\n    """Takes money."""\n\n    def open(self): ...\n'
    found = graph({"shop": {"README.md": "# Shop\n", "shop/till.py": text}})
    assert [(e.kind, e.name, e.path, e.start_line, e.end_line, e.summary) for e in found.batch.entities] == [
        ("class", "Till", "shop/till.py", 6, 9, "Takes money."),
        ("constant", "DEFAULT_TIMEOUT", "shop/till.py", 2, 2, ""),
        ("method", "Till.open", "shop/till.py", 9, 9, ""),
        ("module", "shop.till", "shop/till.py", 1, 9, "Tills."),
        ("project", "shop", "README.md", 1, 1, ""),
    ]


def test_ids_are_unique_when_a_name_is_defined_again(graph):
    found = graph({"p": {"a.py": "@overload\ndef f(): ...\ndef f():\n    x\n    y\n    return 1\n"}})
    assert (found.entity("f", "function").start_line, found.entity("f", "function").end_line) == (3, 6)


@pytest.mark.parametrize(
    ("files", "place"),
    [
        (
            {"a.py": "", "pyproject.toml": '[project]\nname = "p"\ndescription = "Does it."\n'},
            ("pyproject.toml", 2, "Does it."),
        ),
        ({"z/pyproject.toml": "", "README.md": ""}, ("README.md", 1, "")),
        ({"p-1.dist-info/METADATA": "Name: p\nSummary: S\n\n", "a.py": ""}, ("p-1.dist-info/METADATA", 1, "S")),
        ({"b.py": "'''Second.'''", "a/a.py": ""}, ("b.py", 1, "Second.")),
    ],
)
def test_a_project_stands_at_its_manifest_or_readme_or_first_file(graph, files, place):
    entity = graph({"p": files}).entity("p", "project")
    assert (entity.path, entity.start_line, entity.summary) == place


def test_a_project_without_files_is_none(graph):
    assert graph({"p": {}}).batch.entities == []


def test_a_class_stands_for_a_table_that_nobody_creates(graph):
    found = graph({"shop": {"compose.yaml": COMPOSE, "a/Order.java": CLASS}})
    assert {row[:3] for row in found.rows("OWNS_TABLE", "USES_TABLE", "STORES_IN")} == {
        ("shop/a", "OWNS_TABLE", "shop/orders"),
        ("shop/a", "USES_TABLE", "shop/orders"),
        ("shop/Order", "STORES_IN", "shop/orders"),
        ("shop/Order", "USES_TABLE", "shop/orders"),
    }
    assert found.entity("orders", "table").path == "a/Order.java"


def test_a_created_table_is_the_one_that_is_meant(graph):
    found = graph({"shop": {"a/Order.java": CLASS, "db/schema.sql": "CREATE TABLE orders (id INT);\n"}})
    assert found.entity("orders", "table").path == "db/schema.sql"
    assert [row[0] for row in found.rows("OWNS_TABLE")] == ["shop/shop"]


def test_a_table_of_several_services_is_one_and_nobodys_own(graph):
    found = graph({"shop": {"compose.yaml": COMPOSE, "a/Order.java": CLASS, "b/Order.java": CLASS}})
    assert found.entity("orders", "table").path == "a/Order.java"
    assert found.rows("OWNS_TABLE") == []
    assert {row[0] for row in found.rows("USES_TABLE")} == {"shop/a", "shop/b", "shop/Order"}


def test_a_name_by_convention_means_no_other_projects_table(graph):
    model = "class Order < ApplicationRecord\nend\n"
    schema = 'create_table "orders" do |t|\nend\n'
    assert not graph({"a": {"order.rb": model}, "b": {"db/schema.rb": schema}}).rows("USES_TABLE")
    assert graph({"a": {"order.rb": model, "db/schema.rb": schema}}).rows("STORES_IN")
