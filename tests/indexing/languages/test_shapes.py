"""Trees that a query would walk for hours."""

from __future__ import annotations

import pytest

from indexing.languages import language_of, read_symbols


@pytest.mark.parametrize(
    ("path", "text", "readable"),
    [
        ("a.js", "function a() {}\n" + "a(\n" * 4000 + ")" * 4000, False),
        ("a.rb", "class A\nend\n" + "[" * 30_000, False),
        ("a.js", "function a() {}\n" + "a(\n" * 1000 + ")" * 1000, True),
        ("a.js", "function f() {}\n" + "text = 'a'" + " + b()\n" * 2500, True),
        ("a.py", "class A:\n    rows = [" + "f(1)," * 30_000 + "]\n", True),
    ],
    ids=["nested calls", "open brackets", "not that deep", "one text of many pieces", "many rows"],
)
def test_what_is_nested_too_deeply_has_no_symbols(path, text, readable):
    symbols = read_symbols(language_of(path), text, path)
    assert bool(symbols.definitions) is readable
