"""Which calls are worth keeping."""

from __future__ import annotations

from indexing.languages import language_of, read_symbols

PYTHON = language_of("a.py")


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
