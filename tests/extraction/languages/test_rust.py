"""What the queries read from Rust."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("service.rs")
    assert (found.symbols.package, found.symbols.summary) == ("::shop.service", "Takes orders.")
    assert found.definitions == [
        ("Inner", "struct", 10, 10, ""),
        ("MAX_LINES", "constant", 13, 13, ""),
        ("NAME", "constant", 14, 14, ""),
        ("Order", "struct", 19, 22, "One order."),
        ("State", "enum", 24, 24, ""),
        ("Store", "interface", 27, 30, "Keeps orders."),
        ("Store.save", "method", 28, 28, ""),
        ("Store.close", "method", 29, 29, ""),
        ("Service", "struct", 32, 36, ""),
        ("Service.new", "method", 40, 42, "Makes one."),
        ("Service.place", "method", 44, 53, ""),
        ("broken", "function", 56, 56, ""),
        ("MemoryStore.save", "method", 59, 59, ""),
        ("Orders", "type", 62, 62, ""),
        ("validate", "function", 64, 64, ""),
        ("places", "function", 68, 69, ""),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("service.rs")
    assert found.imports == [
        ("std.sync", "Arc", "Arc", 2),
        ("::billing", "Gateway", "Gateway", 4),
        ("::billing.receipts", "Receipt", "Paper", 4),
        ("::shop.store", "*", "*", 5),
        ("shop_money", "Money", "Money", 6),
        ("::shop.service.audit", "", "audit", 8),
    ]
    assert found.bases == [
        ("Store", "Send", 27),
        ("Store", "Sync", 27),
        ("Store", "Reader", 27),
        ("MemoryStore", "Store", 58),
    ]
    assert found.calls == [
        ("Store.close", "drop", 29),
        ("Service.place", "audit.Log.open", 46),
        ("Service.place", "log.write", 47),
        ("Service.place", "Money.zero", 48),
        ("Service.place", "money.check", 49),
        ("Service.place", "prices.of", 50),
        ("Service.place", "validate", 51),
        ("Service.place", "gateway.charge", 52),
        ("MemoryStore.save", "Ok", 59),
        ("validate", "Line", 64),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("service.rs").bindings == {
        ("Order", "lines", "Vec"),
        ("Service", "gateway", "Gateway"),
        ("Service", "prices", "Prices"),
        ("Service", "store", "S"),
        ("Service.new", "prices", "Prices"),
        ("Service.place", "log", "audit.Log"),
        ("Service.place", "money", "Money"),
    }


def test_chunks(sample):
    assert sample("service.rs").chunks == [
        (1, 24, "Order"),
        (26, 42, "Service"),
        (44, 56, "Service.place"),
        (58, 70, "places"),
    ]
