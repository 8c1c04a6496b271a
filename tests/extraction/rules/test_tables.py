"""Names of tables by convention."""

from __future__ import annotations

import pytest

from extraction.rules.tables import columns_summary, plain_table, plural, snake


@pytest.mark.parametrize(
    ("one", "many"),
    [("order", "orders"), ("category", "categories"), ("order_status", "order_statuses"), ("box", "boxes"), ("day", "days"), ("person", "people")],
)  # fmt: skip
def test_plural(one, many):
    assert plural(one) == many


def test_spelling():
    assert [snake(name) for name in ("OrderItem", "HTTPRequest", "order")] == ["order_item", "http_request", "order"]
    assert plain_table('crm."Orders"') == "Orders"
    assert columns_summary([]) == ""
    assert columns_summary([("id", "uuid"), ("note", "")]) == "columns: id uuid, note"
