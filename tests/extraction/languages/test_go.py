"""What the queries read from Go."""

from __future__ import annotations


def test_definitions(sample):
    found = sample("server.go")
    assert (found.symbols.package, found.symbols.summary) == ("src/shop", "Package checkout takes orders.")
    assert found.definitions == [
        ("MaxLines", "constant", 14, 14, ""),
        ("errEmpty", "constant", 17, 17, ""),
        ("retries", "constant", 18, 18, ""),
        ("Store", "interface", 22, 25, "Store keeps orders."),
        ("Store.Save", "method", 24, 24, ""),
        ("Server", "struct", 28, 33, "Server answers."),
        ("Line", "struct", 37, 37, "Line is one row."),
        ("ID", "type", 38, 38, ""),
        ("Sum", "type", 39, 39, ""),
        ("Server.Place", "method", 44, 55, "Place takes one order."),
        ("Set.Add", "method", 57, 57, ""),
        ("broken", "function", 59, 59, ""),
        ("NewServer", "function", 61, 65, ""),
    ]


def test_imports_bases_and_calls(sample):
    found = sample("server.go")
    assert found.imports == [
        ("context", "", "context", 5),
        ("fmt", "", "fmt", 6),
        ("github.com/shop/checkout/genproto", "", "pb", 8),
        ("github.com/shop/checkout/money", "", "money", 9),
        ("gopkg.in/yaml.v3", "", "yaml", 10),
    ]
    assert found.bases == [
        ("Store", "Reader", 23),
        ("Server", "pb.UnimplementedCheckoutServer", 29),
        ("Server", "Base", 30),
    ]
    assert found.calls == [
        ("", "fmt.Errorf", 17),
        ("Server.Place", "money.Sum", 45),
        ("Server.Place", "NewAudit", 46),
        ("Server.Place", "audit.Write", 47),
        ("Server.Place", "s.store.Save", 48),
        ("Server.Place", "s.prices.Of", 51),
        ("Server.Place", "Line", 52),
        ("Server.Place", "line.Check", 53),
        ("Server.Place", "pb.Receipt", 54),
        ("NewServer", "validate", 62),
        ("NewServer", "Server", 64),
    ]


def test_what_variables_and_fields_are(sample):
    assert sample("server.go").bindings == {
        ("Server", "prices", "Prices"),
        ("Server", "store", "Store"),
        ("Server.Place", "audit", "Audit"),
        ("Server.Place", "line", "Line"),
        ("Server.Place", "s", "Server"),
    }


def test_chunks(sample):
    assert sample("server.go").chunks == [
        (1, 25, "Store"),
        (27, 40, "Server"),
        (42, 57, "Server.Place"),
        (59, 65, "NewServer"),
    ]
