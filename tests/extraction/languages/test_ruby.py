"""What the queries read from Ruby."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("order.rb")
    assert (found.symbols.package, found.symbols.summary) == ("", "")
    assert found.definitions == [
        ("Shop", "namespace", 7, 55, ""),
        ("Order", "class", 11, 46, "Takes orders."),
        ("Order.MAX_LINES", "constant", 15, 15, ""),
        ("Order.lines", "method", 16, 16, ""),
        ("Order.total", "method", 16, 16, ""),
        ("Order.state", "method", 17, 17, ""),
        ("Order.place", "method", 20, 27, "Places one order."),
        ("Order.open", "method", 29, 31, ""),
        ("Order.all", "method", 34, 34, ""),
        ("Order.Line", "class", 37, 39, ""),
        ("Order.Line.price", "method", 38, 38, ""),
        ("Order.check", "method", 43, 45, ""),
        ("Invoice", "class", 48, 48, ""),
        ("EmptyOrder", "class", 50, 50, ""),
        ("Shop.version", "method", 52, 54, ""),
        ("broken", "function", 57, 57, ""),
        ("top_level", "function", 59, 61, ""),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("order.rb")
    assert found.imports == [
        ("json", "", "json", 3),
        ("shop/money", "", "shop/money", 4),
        ("./src/billing/gateway", "", "../billing/gateway", 5),
    ]
    assert found.bases == [
        ("Order", "ApplicationRecord", 11),
        ("Order", "Comparable", 12),
        ("Order", "Finders.ByName", 13),
        ("Invoice", "Base", 48),
        ("EmptyOrder", "StandardError", 50),
    ]
    assert found.calls == [
        ("Order.place", "Gateway", 20),
        ("Order.place", "OrderRepository", 21),
        ("Order.place", "repository.save", 22),
        ("Order.place", "Shop.AuditLog", 23),
        ("Order.place", "audit.write", 24),
        ("Order.place", "Prices.of", 25),
        ("Order.all", "OrderRepository", 34),
        ("Order.all", "OrderRepository.new.all", 34),
        ("top_level", "Shop.Order.open", 60),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("order.rb").bindings == {
        ("Order", "repository", "OrderRepository"),
        ("Order.place", "audit", "Shop.AuditLog"),
    }


def test_chunks(sample):
    assert sample("order.rb").chunks == [
        (1, 17, "Shop"),
        (19, 39, "Order"),
        (41, 46, "Order.check"),
        (48, 55, "Shop"),
        (57, 61, "top_level"),
    ]
