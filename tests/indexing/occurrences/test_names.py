"""Which texts are names."""

from __future__ import annotations

import pytest

from indexing.occurrences.names import base_in, last_in, name_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("order-events", "order-events"),
        ("events-${stage}", "events-*"),
        ("order-events-${stage}", "order-events"),
        ("send.{protocol}", "send.*"),  # one word alone would be
        ("${config.host}/push/topic", "/push/topic"),
        ("http://cart-service:8080/items", "cart-service"),
        ("http://localhost:8080", ""),
        ("left-${stage}-right", ""),
        ("two words", ""),
        ("application/json", ""),
        ("Content-Type", ""),
        ("index.html", ""),
        ("v1.2", ""),
    ],
)
def test_a_name_is_no_prose_file_or_header(text, name):
    assert name_in(text) == name


def test_an_address_begins_with_a_variable_and_ends_with_a_name():
    assert base_in("${config.ordersUrl}/orders/1") == "ordersUrl"
    assert base_in("#{gateway_url}/orders") == "gateway_url"
    assert base_in("/orders/${id}") == ""
    assert last_in("gcppubsub://projects/p/topics/workers") == "workers"
    assert last_in("gs://result-files/") == "result-files"
    assert last_in("plain") == ""
