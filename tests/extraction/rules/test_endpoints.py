"""How endpoints are named and compared."""

from __future__ import annotations

import pytest

from extraction.rules.endpoints import asks, is_common_path, route, serves, template


@pytest.mark.parametrize(
    ("written", "named", "key"),
    [
        ("/orders/<int:order_id>/", "/orders/{order_id}", "/orders/{}"),
        ("orders//:id", "/orders/{id}", "/orders/{}"),
        ("/items/{id:int?}", "/items/{id}", "/items/{}"),
        ("^articles/(?P<year>[0-9]{4})/$", "", ""),
        ("articles/(?P<year>[0-9]+)/", "/articles/{year}", "/articles/{}"),
        ("/owners/*/pets", "/owners/*/pets", "/owners/{}/pets"),
        ("/Cart?x=1", "/Cart", "/cart"),
        ("", "/", "/"),
        ("hello world", "", ""),
    ],
)
def test_a_path_whatever_the_framework_writes(written, named, key):
    assert route(written) == named
    assert not named or template(named) == key


def test_common_paths_say_nothing():
    assert all(map(is_common_path, ("/", "/users/{}", "/api/v1/health", "/{}")))
    assert not any(map(is_common_path, ("/orders", "/api/v1/carts/{}")))


def test_the_two_clues():
    definition, clue = serves("flask", "get", "/orders/<id>", 3, "show")
    assert (definition.name, definition.kind, definition.start_line, definition.summary) == (
        "GET /orders/{id}", "endpoint", 3, "handled by show",
    )  # fmt: skip
    assert (clue.kind, clue.key, clue.side, clue.relation, clue.entity, clue.value) == (
        "endpoint", "/orders/{}", "provides", "EXPOSES", "GET /orders/{id}", "GET",
    )  # fmt: skip
    need = asks("http client", "POST", "/orders", "//orders", 4, "Desk.buy")
    assert (need.key, need.side, need.relation, need.entity, need.value) == (
        "/orders", "needs", "INVOKES", "Desk.buy", "POST //orders",
    )  # fmt: skip
    assert need.says == "asks for POST /orders of orders"
