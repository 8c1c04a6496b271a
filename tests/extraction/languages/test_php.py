"""What the queries read from PHP."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("OrderService.php")
    assert (found.symbols.package, found.symbols.summary) == ("Shop.Orders", "")
    assert found.definitions == [
        ("MAX_LINES", "constant", 14, 14, ""),
        ("OrderService", "class", 21, 55, "Takes orders."),
        ("OrderService.RETRIES", "constant", 26, 26, ""),
        ("OrderService.__construct", "method", 29, 33, ""),
        ("OrderService.place", "method", 36, 47, "Places one order."),
        ("OrderService.broken", "method", 49, 49, ""),
        ("OrderService.check", "method", 51, 54, ""),
        ("Orders", "interface", 57, 59, ""),
        ("Orders.place", "method", 58, 58, ""),
        ("LogsThings", "interface", 61, 63, ""),
        ("LogsThings.log", "method", 62, 62, ""),
        ("State", "enum", 65, 68, ""),
        ("State.label", "method", 67, 67, ""),
        ("helper", "function", 71, 71, "Helps."),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("OrderService.php")
    assert found.imports == [
        ("Shop.Billing", "PaymentGateway", "PaymentGateway", 7),
        ("Shop.Money", "Amount", "Money", 8),
        ("Shop.Events", "OrderPlaced", "OrderPlaced", 9),
        ("Shop.Events.Failed", "OrderFailed", "Failed", 9),
        ("Shop.Money", "zero", "zero", 10),
    ]
    assert found.bases == [
        ("OrderService", "BaseService", 22),
        ("OrderService", "Orders", 22),
        ("OrderService", "Shop.Api.Closeable", 22),
        ("OrderService", "LogsThings", 24),
        ("OrderService", "Shared.Counts", 24),
        ("Orders", "Readable", 57),
        ("State", "HasLabel", 65),
    ]
    assert found.calls == [
        ("OrderService.__construct", "Prices", 32),
        ("OrderService.place", "AuditLog", 39),
        ("OrderService.place", "audit.write", 40),
        ("OrderService.place", "repository.save", 41),
        ("OrderService.place", "prices.of", 42),
        ("OrderService.place", "Prices.warm", 43),
        ("OrderService.place", "zero", 44),
        ("OrderService.place", "gateway.charge", 46),
        ("OrderService.place", "order.total", 46),
        ("helper", "total", 71),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("OrderService.php").bindings == {
        ("OrderService", "gateway", "PaymentGateway"),
        ("OrderService", "prices", "Prices"),
        ("OrderService", "repository", "OrderRepository"),
        ("OrderService.__construct", "repository", "OrderRepository"),
        ("OrderService.place", "audit", "AuditLog"),
        ("OrderService.place", "order", "Order"),
        ("Orders.place", "order", "Order"),
    }


def test_chunks(sample):
    assert sample("OrderService.php").chunks == [
        (1, 14, "MAX_LINES"),
        (16, 27, "OrderService"),
        (29, 33, "OrderService.__construct"),
        (35, 47, "OrderService.place"),
        (49, 55, "OrderService"),
        (57, 71, "State"),
    ]
