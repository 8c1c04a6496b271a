from __future__ import annotations

import re

import pytest

from memory.entities import Entity
from memory.graph import queries
from memory.graph.queries import entity_row, gathered, name_parts

TEXTS = {name: text for name, text in vars(queries).items() if name.isupper() and name[0] != "_"}
READS = {name: text for name, text in TEXTS.items() if "RETURN" in text}


@pytest.mark.parametrize("name", READS)
def test_every_read_is_inside_the_permission_and_limited(name):
    text = READS[name]
    assert "IN $permission" in text
    assert "namespace = $namespace" in text
    assert text.endswith("LIMIT $limit")


@pytest.mark.parametrize("name", TEXTS)
def test_values_are_bound_and_no_hop_bound_is_written(name):
    texts = TEXTS[name]
    for text in [texts] if isinstance(texts, str) else texts:
        assert "$" in text
        assert not re.search(r"\{\w+\}|\*\s*\d|\*\.\.", text)


def test_rows_of_several_parts_come_in_the_texts_order_and_a_ghost_with_its_own_as_one():
    def found(name, held, length):
        return {"e_id": name, "held": held, "length": length}

    parts = [[found("b", 2, 9), found("c", 1, 3)], [found("a", 2, 9), found("b", 2, 9), found("d", 1, 2)]]
    assert [row["e_id"] for row in gathered(queries.FIND_TEXT, parts, 3)] == ["a", "b", "d"]
    assert [row["e_id"] for row in gathered(queries.FIND_EXACT, parts, 9)] == ["a", "b", "c", "d"]
    assert gathered("any text", parts[:1], 1) == parts[0]  # the engine has cut it


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
