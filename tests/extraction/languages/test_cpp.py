"""What the queries read from C++."""

from __future__ import annotations


def test_definitions_of_a_header(sample):
    found = sample("service.hpp")
    assert (found.symbols.package, found.symbols.summary) == ("shop.orders", "")
    assert found.definitions == [
        ("kMaxLines", "constant", 7, 7, ""),
        ("Store", "class", 10, 14, "Keeps orders."),
        ("Store.Save", "method", 13, 13, ""),
        ("Service", "class", 19, 32, "Takes orders."),
        ("Service.Count", "method", 24, 24, ""),
        ("Service.Line", "struct", 26, 26, ""),
        ("Service.Line.Price", "method", 26, 26, ""),
        ("State", "enum", 34, 34, ""),
        ("Orders", "type", 35, 35, ""),
    ]


def test_imports_bases_and_calls_of_a_header(sample):
    found = sample("service.hpp")
    assert found.imports == [
        ("memory", "*", "*", 2),
        ("store.hpp", "*", "*", 3),
    ]
    assert found.bases == [
        ("Store", "Closeable", 10),
        ("Service", "Base", 20),
        ("Service", "api.Orders", 20),
    ]
    assert found.calls == []


def test_what_variables_and_fields_are_of_a_header(sample):
    assert sample("service.hpp").bindings == {
        ("Service", "gateway_", "Gateway"),
        ("Service", "order", "Order"),
        ("Service", "store", "Store"),
        ("Service", "store_", "Store"),
    }


def test_chunks_of_a_header(sample):
    assert sample("service.hpp").chunks == [
        (1, 14, "Store"),
        (16, 32, "Service"),
        (34, 37, "State"),
    ]


def test_definitions_of_a_source(sample):
    found = sample("service.cpp")
    assert (found.symbols.package, found.symbols.summary) == ("shop", "")
    assert found.definitions == [
        ("kRetries", "constant", 7, 7, ""),
        ("Service.Service", "method", 10, 10, "Makes one."),
        ("Service.Place", "method", 13, 23, "Places one order."),
        ("broken", "function", 25, 25, ""),
        ("Line.Check", "method", 27, 27, ""),
        ("operator==", "function", 29, 29, ""),
        ("Largest", "function", 34, 35, ""),
        ("main", "function", 37, 37, ""),
    ]


def test_imports_bases_and_calls_of_a_source(sample):
    found = sample("service.cpp")
    assert found.imports == [
        ("service.hpp", "*", "*", 1),
        ("string", "*", "*", 2),
    ]
    assert found.bases == []
    assert found.calls == [
        ("Service.Service", "std.move", 10),
        ("Service.Place", "AuditLog", 14),
        ("Service.Place", "log.Write", 15),
        ("Service.Place", "Prices", 16),
        ("Service.Place", "prices.Of", 17),
        ("Service.Place", "store_.Save", 18),
        ("Service.Place", "gateway_.Charge", 19),
        ("Service.Place", "Validate", 20),
        ("Service.Place", "Money.Zero", 21),
        ("Service.Place", "Line", 22),
        ("operator==", "Same", 29),
    ]


def test_what_variables_and_fields_are_of_a_source(sample):
    assert sample("service.cpp").bindings == {
        ("Service.Place", "log", "AuditLog"),
        ("Service.Place", "prices", "Prices"),
    }


def test_chunks_of_a_source(sample):
    assert sample("service.cpp").chunks == [
        (1, 10, "kRetries"),
        (12, 27, "Service.Place"),
        (29, 37, "Largest"),
    ]
