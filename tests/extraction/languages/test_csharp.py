"""What the queries read from C#."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("OrderService.cs")
    assert (found.symbols.package, found.symbols.summary) == ("Shop.Orders", "")
    assert found.definitions == [
        ("OrderService", "class", 12, 46, "Takes orders."),
        ("OrderService.MaxLines", "constant", 16, 16, ""),
        ("OrderService.OrderService", "method", 20, 23, ""),
        ("OrderService.PlaceAsync", "method", 28, 37, "Places one order."),
        ("OrderService.Broken", "method", 39, 39, ""),
        ("OrderService.Check", "method", 41, 41, ""),
        ("OrderService.State", "enum", 43, 43, ""),
        ("OrderService.Line", "struct", 45, 45, ""),
        ("OrderService.Line.Price", "method", 45, 45, ""),
        ("IOrders", "interface", 48, 51, ""),
        ("IOrders.PlaceAsync", "method", 50, 50, ""),
        ("OrderPlaced", "class", 54, 54, "One event."),
        ("Handler", "class", 56, 59, ""),
        ("Handler.Handle", "method", 58, 58, ""),
        ("Placed", "type", 61, 61, ""),
        ("OrderExtensions", "class", 63, 66, ""),
        ("OrderExtensions.IsOpen", "method", 65, 65, ""),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("OrderService.cs")
    assert found.imports == [
        ("System", "*", "*", 1),
        ("Shop.Billing", "*", "*", 2),
        ("Shop.Money", "Amount", "Money", 3),
        ("Shop.Clock.Times", "*", "*", 4),
        ("Shop.Events", "*", "global", 5),
    ]
    assert found.bases == [
        ("OrderService", "BaseService", 14),
        ("OrderService", "IOrders", 14),
        ("OrderService", "Shop.Api.IClosable", 14),
        ("IOrders", "IReadable", 48),
        ("OrderPlaced", "IntegrationEvent", 54),
        ("Handler", "IHandler", 56),
    ]
    assert found.calls == [
        ("OrderService.OrderService", "ArgumentNullException", 22),
        ("OrderService.PlaceAsync", "AuditLog", 31),
        ("OrderService.PlaceAsync", "audit.Write", 32),
        ("OrderService.PlaceAsync", "_repository.Save", 33),
        ("OrderService.PlaceAsync", "Prices.Of", 34),
        ("OrderService.PlaceAsync", "_gateway.ChargeAsync", 36),
        ("OrderService.Check", "EmptyOrderException", 41),
        ("Handler.Handle", "orders.PlaceAsync", 58),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("OrderService.cs").bindings == {
        ("Handler", "logger", "ILogger"),
        ("Handler", "orders", "IOrders"),
        ("OrderService", "Total", "Money"),
        ("OrderService", "_gateway", "IPaymentGateway"),
        ("OrderService", "_repository", "OrderRepository"),
        ("OrderService.PlaceAsync", "audit", "AuditLog"),
    }


def test_chunks(sample):
    assert sample("OrderService.cs").chunks == [
        (1, 7, ""),
        (9, 18, "OrderService"),
        (20, 25, "OrderService.OrderService"),
        (27, 39, "OrderService"),
        (41, 46, "OrderService"),
        (48, 61, "IOrders"),
        (63, 66, "OrderExtensions"),
    ]
