"""What the queries read from Kotlin."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("OrderService.kt")
    assert (found.symbols.package, found.symbols.summary) == ("org.shop.orders", "")
    assert found.definitions == [
        ("MAX_LINES", "constant", 7, 7, ""),
        ("OrderService", "class", 12, 41, "Takes orders."),
        ("OrderService.place", "method", 22, 31, "Places one order."),
        ("OrderService.broken", "method", 33, 33, ""),
        ("OrderService.RETRIES", "constant", 36, 36, ""),
        ("OrderService.create", "method", 37, 37, ""),
        ("OrderService.State", "enum", 40, 40, ""),
        ("Orders", "interface", 43, 45, ""),
        ("Orders.place", "method", 44, 44, ""),
        ("Ledger", "object", 48, 50, "The only one."),
        ("Ledger.open", "method", 49, 49, ""),
        ("Line", "class", 52, 52, ""),
        ("Lines", "type", 54, 54, ""),
        ("validate", "function", 56, 56, ""),
        ("isOpen", "function", 58, 58, ""),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("OrderService.kt")
    assert found.imports == [
        ("org.shop.billing", "PaymentGateway", "PaymentGateway", 3),
        ("org.shop.events", "*", "*", 4),
        ("org.shop.money", "Money", "Amount", 5),
    ]
    assert found.bases == [
        ("OrderService", "BaseService", 16),
        ("OrderService", "Orders", 16),
        ("Orders", "Readable", 43),
        ("Ledger", "Closeable", 48),
    ]
    assert found.calls == [
        ("OrderService", "OrderRepository", 18),
        ("OrderService.place", "AuditLog", 24),
        ("OrderService.place", "audit.write", 25),
        ("OrderService.place", "repository.save", 26),
        ("OrderService.place", "prices.of", 27),
        ("OrderService.place", "validate", 28),
        ("OrderService.place", "Ledger.open", 29),
        ("OrderService.place", "gateway.charge", 30),
        ("OrderService.create", "OrderService", 37),
        ("validate", "require", 56),
        ("validate", "order.lines.isNotEmpty", 56),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("OrderService.kt").bindings == {
        ("OrderService", "clock", "Clock"),
        ("OrderService", "gateway", "PaymentGateway"),
        ("OrderService", "prices", "Prices"),
        ("OrderService", "repository", "OrderRepository"),
        ("OrderService.place", "audit", "AuditLog"),
        ("OrderService.place", "order", "Order"),
        ("Orders.place", "order", "Order"),
        ("validate", "order", "Order"),
    }


def test_chunks(sample):
    assert sample("OrderService.kt").chunks == [
        (1, 7, "MAX_LINES"),
        (9, 19, "OrderService"),
        (21, 33, "OrderService"),
        (35, 41, "OrderService"),
        (43, 58, "Orders"),
    ]
