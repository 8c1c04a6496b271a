"""Names as code writes them.

Which calls are worth keeping.
"""

from __future__ import annotations

import pytest

from extraction.languages import language_of, read_symbols
from extraction.languages.calls import class_of, type_of, variable_of

PYTHON = language_of("a.py")


@pytest.mark.parametrize(
    ("path", "written", "expected"),
    [
        ("a.py", "Optional[Store]", "Store"),
        ("a.py", "'Store | None'", "Store"),
        ("a.ts", "Store<string> | null", "Store"),
        ("a.java", "List<Order>", "List"),
        ("a.java", "Optional<Order>", "Order"),
        ("a.cs", "IStore?", "IStore"),
        ("a.php", "?\\Shop\\Store", "Shop.Store"),
        ("a.go", "*store.Store", "store.Store"),
        ("a.go", "store.NewStore", "store.Store"),
        ("a.go", "[]Store", ""),
        ("a.rs", "&'a mut Store", "Store"),
        ("a.rs", "Arc<Mutex<dyn Store>>", "Store"),
        ("a.rs", "crate::store::Store", "crate.store.Store"),
        ("a.cpp", "const std::unique_ptr<shop::Store>&", "shop.Store"),
        ("a.cpp", "auto", ""),
        ("a.c", "int", ""),
    ],
)
def test_the_class_of_an_annotation(path, written, expected):
    assert type_of(written, language_of(path)) == expected


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("a.py", "cls.store", "self.store"),
        ("a.py", "self", "self"),
        ("a.java", "this.store", "store"),
        ("a.java", "this", ""),
        ("a.rb", "self.store", "store"),
        ("a.rb", "store", "store"),
    ],
)
def test_what_a_method_calls_its_object_by(path, name, expected):
    assert variable_of(name, language_of(path)) == expected


def test_the_class_a_name_is_in():
    assert (class_of("A.B.c"), class_of("c")) == ("A.B", "")


def kept(text):
    return [(r.receiver, r.name) for r in read_symbols(PYTHON, text, "a.py").references]


def test_what_is_neither_defined_imported_nor_bound_is_left_out():
    text = "from a import b\ndef f():\n    b(); f(); print(); len(); c.d(); self.x()\n"
    assert kept(text) == [("", "b"), ("", "f")]


def test_a_star_import_may_bring_any_name():
    assert kept("from a import *\nb()\n") == [("", "b")]


def test_a_parameter_hides_what_else_has_its_name():
    assert kept("from a import b\ndef f(b, c: int, d=1):\n    b(); b.x()\n") == []
    assert kept("from a import b\ndef f(b: b):\n    b.x()\n") == [("b", "x")]


def test_a_variable_hides_it_too():
    assert kept("from a import b, C\ndef f():\n    b = C()\n    b()\n") == [("", "C")]
