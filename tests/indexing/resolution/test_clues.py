"""Edges from two agreeing clues."""

from __future__ import annotations

SCHEMA = "CREATE TABLE customers (\n  id UUID PRIMARY KEY\n);\n"
MODEL = 'class Customer:\n    __tablename__ = "customers"\n'


def test_a_dependency_is_proven_by_the_line_that_asks_and_the_line_that_names(graph):
    edge = graph(
        {
            "shop": {"pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n  "Pay.Client>=1",\n]\n'},
            "pay": {"pyproject.toml": '[project]\nname = "pay_client"\n'},
        }
    ).edge("shop", "pay", "DEPENDS_ON")
    assert (edge.path, edge.lines, edge.status) == ("pyproject.toml", (4,), "confirmed")
    assert [(e.project, e.line, e.says) for e in edge.evidence] == [
        ("shop", 4, "dependency Pay.Client"),
        ("pay", 2, "package pay_client"),
    ]


def test_a_project_that_asks_for_its_own_extra_does_not_depend_on_itself(graph):
    text = '[project]\nname = "shop"\n[project.optional-dependencies]\nall = ["shop[x]"]\n'
    assert not graph({"shop": {"pyproject.toml": text}}).rows()


def test_tables_are_owned_by_their_project_and_used_by_classes(graph):
    found = graph({"crm": {"db/schema.sql": SCHEMA, "models.py": MODEL}})
    assert found.rows("OWNS_TABLE", "STORES_IN", "USES_TABLE") == [
        ("crm/Customer", "STORES_IN", "crm/customers", "models.py", [2]),
        ("crm/Customer", "USES_TABLE", "crm/customers", "models.py", [2]),
        ("crm/crm", "OWNS_TABLE", "crm/customers", "db/schema.sql", [1]),
    ]
    assert found.entity("customers", "table").summary == "columns: id UUID (primary key)"


def test_a_table_that_nobody_defines_gives_no_edge(graph):
    assert not graph({"crm": {"models.py": MODEL}}).rows("STORES_IN", "USES_TABLE")


def test_the_own_table_is_meant_and_else_each_that_has_the_name(graph):
    owners = {name: {"schema.sql": SCHEMA} for name in ("auth", "billing")}
    reader = {"read.py": 'def load():\n    return run("SELECT 1 FROM customers")\n\nrun("DELETE FROM customers")\n'}
    found = graph({**owners, "report": reader})
    assert [(r[0], r[2], r[4]) for r in found.rows("USES_TABLE")] == [
        ("report/load", "auth/customers", [2]),
        ("report/load", "billing/customers", [2]),
        ("report/read", "auth/customers", [4]),
        ("report/read", "billing/customers", [4]),
    ]
    own = graph({**owners, "report": {**reader, "schema.sql": SCHEMA}})
    assert {r[2] for r in own.rows("USES_TABLE")} == {"report/customers"}


def test_an_alteration_is_said_by_the_project(graph):
    found = graph({"crm": {"1.sql": SCHEMA, "2.sql": "ALTER TABLE customers ADD vip BOOLEAN;\n"}})
    assert found.rows("USES_TABLE") == [("crm/crm", "USES_TABLE", "crm/customers", "2.sql", [1])]


def test_services_call_each_other_within_and_across_projects(graph):
    orders = "services:\n  orders:\n    depends_on: [db]\n    environment:\n      PAYMENTS_URL: http://payments:8080\n  db:\n    image: pg\n"
    payments = "services:\n  payments:\n    build: .\n  db:\n    image: pg\n"
    found = graph({"orders": {"compose.yml": orders}, "payments": {"compose.yml": payments}})
    assert found.rows("CALLS") == [
        ("orders/orders", "CALLS", "orders/db", "compose.yml", [3]),
        ("orders/orders", "CALLS", "payments/payments", "compose.yml", [5]),
    ]
    assert [e.project for e in found.edge("orders", "payments").evidence] == ["orders", "payments"]
