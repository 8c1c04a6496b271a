"""What the queries read from C."""

from __future__ import annotations


def test_definitions_of_a_header(sample):
    found = sample("cart.h")
    assert (found.symbols.package, found.symbols.summary) == ("", "")
    assert found.definitions == [
        ("MAX_LINES", "constant", 6, 6, ""),
        ("cart", "struct", 9, 12, "One cart."),
        ("line_t", "struct", 14, 16, ""),
        ("state", "enum", 18, 18, ""),
        ("compare", "type", 20, 20, ""),
    ]


def test_imports_bases_and_calls_of_a_header(sample):
    found = sample("cart.h")
    assert found.imports == [
        ("list.h", "*", "*", 4),
    ]
    assert found.bases == []
    assert found.calls == []


def test_what_variables_and_fields_are_of_a_header(sample):
    assert sample("cart.h").bindings == {
        ("cart", "items", "list"),
    }


def test_chunks_of_a_header(sample):
    assert sample("cart.h").chunks == [
        (1, 25, "cart"),
    ]


def test_definitions_of_a_source(sample):
    found = sample("cart.c")
    assert (found.symbols.package, found.symbols.summary) == ("", "")
    assert found.definitions == [
        ("RETRIES", "constant", 6, 6, ""),
        ("SQUARE", "function", 7, 7, ""),
        ("total", "constant", 9, 9, ""),
        ("NAME", "constant", 10, 10, ""),
        ("cart_add", "function", 17, 22, "Adds one line."),
        ("check", "function", 24, 24, ""),
        ("broken", "function", 26, 26, ""),
        ("cart_new", "function", 28, 33, ""),
        ("value", "struct", 35, 35, ""),
        ("cart_free", "function", 37, 41, ""),
    ]


def test_imports_bases_and_calls_of_a_source(sample):
    found = sample("cart.c")
    assert found.imports == [
        ("stdio.h", "*", "*", 2),
        ("cart.h", "*", "*", 3),
        ("billing/gateway.h", "*", "*", 4),
    ]
    assert found.bases == []
    assert found.calls == [
        ("cart_add", "check", 19),
        ("cart_add", "list_push", 20),
        ("cart_add", "SQUARE", 21),
        ("cart_new", "gateway_open", 31),
        ("cart_free", "printf", 39),
        ("cart_free", "free", 40),
    ]


def test_chunks_of_a_source(sample):
    assert sample("cart.c").chunks == [
        (1, 22, "cart_add"),
        (24, 41, "cart_new"),
    ]
