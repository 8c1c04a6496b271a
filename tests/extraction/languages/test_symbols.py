"""What the queries read from Python."""

from __future__ import annotations

import pytest

from extraction.facts import Binding, Import, Reference
from extraction.languages import language_of, read_symbols

PYTHON = language_of("a.py")


def read(text, path="shop/orders/service.py"):
    return read_symbols(PYTHON, text, path)


def test_definitions_have_their_decorators_parents_and_first_documentation_line():
    found = read(
        "LIMIT = 3\n"
        "LIMIT = 4\n"
        "\n"
        "@dataclass\n"
        "@final\n"
        "class Order(Base):\n"
        '    """One order.\n'
        "\n"
        '    More."""\n'
        "\n"
        "    @property\n"
        "    def total(self):\n"
        "        def inner():\n"
        "            return 1\n"
        "        return inner()\n"
        "\n"
        "    class Line:\n"
        "        def price(self): ...\n"
        "\n"
        "async def place():\n"
        "    r'''Places it.'''\n"
    ).definitions
    assert [(d.name, d.kind, d.start_line, d.end_line, d.parent, d.summary) for d in found] == [
        ("LIMIT", "constant", 1, 1, "", ""),
        ("Order", "class", 4, 18, "", "One order."),
        ("Order.total", "method", 11, 15, "Order", ""),
        ("Order.Line", "class", 17, 18, "Order", ""),
        ("Order.Line.price", "method", 18, 18, "Order.Line", ""),
        ("place", "function", 20, 21, "", "Places it."),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("import a.b as c", [("a.b", "", "c")]),
        ("import a.b, d", [("a.b", "", "a.b"), ("d", "", "d")]),
        ("from x.y import z as w, v", [("x.y", "v", "v"), ("x.y", "z", "w")]),
        ("from x import *", [("x", "*", "*")]),
        ("from . import models", [("shop.orders", "models", "models")]),
        ("from .models import Order", [("shop.orders.models", "Order", "Order")]),
        ("from ..till import Till", [("shop.till", "Till", "Till")]),
        ("from .... import far", [("far", "", "far")]),
    ],
)
def test_imports_relative_ones_from_where_the_file_is(line, expected):
    assert sorted((i.module, i.name, i.alias) for i in read(line).imports) == expected


def test_a_relative_import_in_a_package_file_starts_in_its_own_folder():
    assert read("from .a import b", "shop/__init__.py").imports == (Import("shop.a", "b", "b", 1),)


def test_the_line_of_an_import_is_that_of_the_name():
    assert [(i.name, i.line) for i in read("from a import (\n    b,\n    c,\n)\n").imports] == [("b", 2), ("c", 3)]


def test_calls_know_their_caller_and_what_they_are_made_on():
    found = read(
        "import till\n"
        "from pay import Gateway\n"
        "class Adapter(till.Base[int], Gateway):\n"
        "    def __init__(self, gateway: Gateway):\n"
        "        self.gateway = gateway\n"
        "    def pay(self):\n"
        "        self.gateway.charge(1)\n"
        "        Gateway(2).refund()\n"
        "        till.close()\n"
        "till.open()\n"
    )
    assert found.references == (
        Reference("INHERITS", "Base", 3, "Adapter", "till"),
        Reference("INHERITS", "Gateway", 3, "Adapter"),
        Reference("CALLS", "charge", 7, "Adapter.pay", "self.gateway"),
        Reference("CALLS", "Gateway", 8, "Adapter.pay"),
        Reference("CALLS", "refund", 8, "Adapter.pay", "Gateway()"),
        Reference("CALLS", "close", 9, "Adapter.pay", "till"),
        Reference("CALLS", "open", 10, "", "till"),
    )
    assert found.bindings == (
        Binding("gateway", "Gateway", 4, "Adapter.__init__"),
        Binding("self.gateway", "gateway", 5, "Adapter.__init__"),
    )


def test_bindings_by_construction_annotation_field_and_with():
    found = read(
        "from pay import A, B, C, D, E\n"
        "class Desk:\n"
        "    field: A\n"
        "    def run(self, b: 'B | None', u: A | B):\n"
        "        c = C()\n"
        "        d: Optional[D] = None\n"
        "        with E() as e:\n"
        "            e.go(); d.go(); c.go(); b.go(); cls.field.go(); self.field.go(); u.go()\n"
    )
    assert {(b.name, b.type, b.scope) for b in found.bindings} == {
        ("self.field", "A", "Desk"),
        ("b", "B", "Desk.run"),
        ("c", "C", "Desk.run"),
        ("d", "D", "Desk.run"),
        ("e", "E", "Desk.run"),
    }


def test_strings_that_are_no_documentation_are_kept_with_their_place():
    found = read('def f():\n    """SELECT nothing at all."""\n    return run("SELECT a FROM b")\n')
    assert [(t.text, t.line, t.scope) for t in found.texts] == [("SELECT a FROM b", 3, "f")]


def test_a_broken_file_gives_what_can_still_be_read():
    found = read("class Good:\n    def fine(self): ...\n\nx = = 2 ]\n\nclass Later: ...\n")
    assert {"Good", "Good.fine", "Later"} <= {d.name for d in found.definitions}


def test_the_module_documentation_may_stand_behind_comments():
    assert read("#!/usr/bin/python\n# licence\n'''What it does.'''\n").summary == "What it does."
    assert read("x = 1\n").summary == ""
