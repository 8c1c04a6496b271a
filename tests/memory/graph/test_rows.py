from __future__ import annotations

import pytest

from memory.entities import Entity
from memory.graph.rows import entity_row, name_parts


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("HTTPClient.send_all", ["httpclient", "http", "client", "send", "all"]),
        ("order-service", ["order", "service"]),
        ("über.Straße", ["über", "strasse"]),
        ("", []),
        ("+-*", []),
    ],
)
def test_what_a_name_is_found_by(name, parts):
    assert name_parts(name) == parts


def test_a_nodes_properties():
    row = entity_row(Entity("PayNow", "function", "billing", "a.py", 1, 2))
    assert (row["key"], row["search"]) == ("paynow", "paynow pay now")
