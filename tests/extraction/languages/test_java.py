"""What the queries read from Java."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("OrderService.java")
    assert (found.symbols.package, found.symbols.summary) == ("org.shop.orders", "")
    assert found.definitions == [
        ("OrderService", "class", 15, 48, "Takes orders."),
        ("OrderService.MAX_LINES", "constant", 19, 19, ""),
        ("OrderService.LOG", "constant", 20, 20, ""),
        ("OrderService.OrderService", "method", 26, 28, ""),
        ("OrderService.place", "method", 31, 38, "Places one order."),
        ("OrderService.broken", "method", 40, 40, ""),
        ("OrderService.State", "enum", 42, 42, ""),
        ("OrderService.State.done", "method", 42, 42, ""),
        ("OrderService.Line", "class", 45, 47, "One line."),
        ("OrderService.Line.price", "method", 46, 46, ""),
        ("Orders", "interface", 50, 52, ""),
        ("Orders.place", "method", 51, 51, ""),
        ("Audited", "interface", 54, 54, ""),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("OrderService.java")
    assert found.imports == [
        ("java.util", "List", "List", 4),
        ("org.shop.billing", "PaymentGateway", "PaymentGateway", 5),
        ("org.shop.billing", "PaymentGateway.Receipt", "Receipt", 6),
        ("org.shop.events", "*", "*", 7),
        ("org.shop.money", "Money.zero", "zero", 8),
    ]
    assert found.bases == [
        ("OrderService", "BaseService", 17),
        ("OrderService", "Orders", 17),
        ("OrderService", "org.shop.api.Closeable", 17),
        ("OrderService.Line", "Comparable", 45),
        ("Orders", "Readable", 50),
    ]
    assert found.calls == [
        ("OrderService", "LoggerFactory.getLogger", 20),
        ("OrderService", "OrderRepository", 24),
        ("OrderService.place", "AuditLog.open", 33),
        ("OrderService.place", "audit.write", 34),
        ("OrderService.place", "repository.save", 35),
        ("OrderService.place", "zero", 36),
        ("OrderService.place", "gateway.charge", 37),
        ("OrderService.place", "order.total", 37),
        ("OrderService.Line.price", "Prices.of", 46),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("OrderService.java").bindings == {
        ("OrderService", "LOG", "Logger"),
        ("OrderService", "gateway", "PaymentGateway"),
        ("OrderService", "repository", "OrderRepository"),
        ("OrderService.place", "audit", "AuditLog"),
        ("OrderService.place", "order", "Order"),
        ("Orders.place", "order", "Order"),
    }


def test_chunks(sample):
    assert sample("OrderService.java").chunks == [
        (1, 8, ""),
        (10, 20, "OrderService"),
        (22, 28, "OrderService.OrderService"),
        (30, 42, "OrderService"),
        (44, 48, "OrderService.Line"),
        (50, 54, "Orders"),
    ]
