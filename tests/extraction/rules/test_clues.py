"""Names of packages and of tables by convention, and how endpoints are named and compared."""

from __future__ import annotations

import pytest

from extraction.rules.clues import (
    asks,
    columns_summary,
    is_common_path,
    needs_package,
    normal_name,
    plain_table,
    plural,
    provides_package,
    requirement_name,
    route,
    serves,
    snake,
    template,
)


def test_pep_503_normal_form():
    assert {normal_name(n) for n in ("Foo.Bar_baz", "foo-bar-baz", "FOO--bar__baz")} == {"foo-bar-baz"}


@pytest.mark.parametrize(
    ("requirement", "name"),
    [
        ("httpx", "httpx"),
        ("httpx>=0.27,<1", "httpx"),
        ("httpx[http2]>=0.27; python_version > '3'", "httpx"),
        ("pkg @ https://example.org/x.whl", "pkg"),
        ("zope.interface == 5", "zope.interface"),
        ("-r other.txt", ""),
        ("https://example.org/x.whl", ""),
        ("", ""),
    ],
)
def test_the_name_in_a_requirement(requirement, name):
    assert requirement_name(requirement) == name


def test_both_sides_meet_under_one_key():
    needed, provided = needs_package("r", "My_Pkg", 3, "extra x"), provides_package("r", "my.pkg", 1, "Does it.")
    assert (needed.kind, needed.key, needed.relation) == (provided.kind, provided.key, provided.relation)
    assert (needed.says, provided.says) == ("dependency My_Pkg (extra x)", "Does it.")


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
