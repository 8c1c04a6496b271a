"""Tables that only classes name."""

from __future__ import annotations

CLASS = 'import jakarta.persistence.*;\n@Entity\n@Table(name = "orders")\nclass Order {}\n'
COMPOSE = "services:\n  a:\n    build: a\n  b:\n    build: b\n"


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
