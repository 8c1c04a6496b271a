"""Queries in tree-sitter's notation, matched on ast-grep's trees.

What is captured by ast-grep's grammars, where there is no grammar package.
"""

from __future__ import annotations

import pytest

from extraction.languages.matching import Matcher
from extraction.languages.nodes import root_of
from extraction.languages.queries import queries_in
from extraction.reading import extract_facts

PYTHON = "# First.\n# Second.\nclass A(B, c.D):\n    x: int = f('a')\n\n\ndef f(a, *, b=1): ...\n"
SCALA = """package org.shop.orders
import org.shop.money.{Money, Amount => Sum}
class OrderService(gateway: PaymentGateway) extends BaseService {
  def place(order: Order): Unit = {
    val audit = new AuditLog(order)
    gateway.charge(order)
  }
}
"""
ELIXIR = """defmodule Shop.Orders do
  alias Shop.{Payments, Audit}
  def place(order) do
    Payments.charge(order)
    %Receipt{order: order}
  end
end
"""
DART = """class OrderService extends Base {
  Future<void> place(Order order) async {
    final audit = AuditLog(order);
    gateway.charge(order);
  }
}
"""
SWIFT = """class OrderService: Base {
  let gateway: PaymentGateway
  func place(order: Order) {
    gateway.charge(order: order)
  }
}
"""
CASES = [
    ("a.scala", SCALA, ("OrderService", "OrderService.place"), ("gateway", "charge")),
    ("a.ex", ELIXIR, ("Orders", "Orders.place"), ("Payments", "charge")),
    ("a.dart", DART, ("OrderService", "OrderService.place"), ("gateway", "charge")),
    ("a.swift", SWIFT, ("OrderService", "OrderService.place"), ("gateway", "charge")),
]


def found(query: str, text: str = PYTHON, parser: str = "python"):
    """The texts of what is captured, by capture."""
    matches = Matcher(queries_in(query)).matches(root_of(text, parser))
    return [{name: node.text() for name, node in match.items()} for match in matches]


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("(call function: (identifier) @f)", [{"f": "f"}]),
        (
            "(class_definition name: (_) @name superclasses: (_ (attribute object: (_) @of)))",
            [{"name": "A", "of": "c"}],
        ),
        ("(argument_list [(identifier) (attribute)] @base)", [{"base": "B"}, {"base": "c.D"}]),
        ("(argument_list . (identifier) @first)", [{"first": "B"}]),
        ("(argument_list (identifier) @last .)", []),
        ("(argument_list (attribute) @last .)", [{"last": "c.D"}]),
        ("(module . (comment)* . (class_definition name: (_) @name))", [{"name": "A"}]),
        ("(module . (comment)+ . (class_definition name: (_) @name))", [{"name": "A"}]),
        ("(module . (class_definition) @first)", []),
        ("((comment) @above . (class_definition name: (_) @name))", [{"above": "# Second.", "name": "A"}]),
        ('(parameters "*" @star)', []),
        ("(function_definition !return_type name: (_) @name)", [{"name": "f"}]),
        ("(assignment !type left: (_) @name)", []),
        ('((identifier) @x (#eq? @x "B"))', [{"x": "B"}]),
        ('((identifier) @x (#any-of? @x "B" "D"))', [{"x": "B"}, {"x": "D"}]),
        ('((identifier) @x (#match? @x "^[A-Z]") (#not-eq? @x "A"))', [{"x": "B"}, {"x": "D"}]),
        ('((identifier) @x (#not-match? @x "[a-z]") (#not-eq? @x "A"))', [{"x": "B"}, {"x": "D"}]),
    ],
)
def test_what_a_query_finds(query, matches):
    assert found(query) == matches


def test_a_word_is_a_node_without_a_name():
    text = "import a from 'b';\nimport('c');\n"
    assert found('(import_statement "import" @word)', text, "javascript") == [{"word": "import"}]
    assert found("(call_expression function: (import) @name)", text, "javascript") == [{"name": "import"}]


@pytest.mark.parametrize("query", ["(call", "call)", "(call function: )", "(call (#eq? @x", "%"])
def test_what_is_no_query_is_an_error(query):
    with pytest.raises(ValueError, match=r"missing|No query"):
        list(queries_in(query))


@pytest.mark.parametrize(("path", "text", "defined", "call"), CASES, ids=[case[0] for case in CASES])
def test_a_class_its_method_and_a_call(path, text, defined, call):
    facts = extract_facts(path, text, "shop")
    assert tuple(d.name for d in facts.definitions) == defined
    called = {(ref.receiver, ref.name) for ref in facts.references if ref.caller == defined[1]}
    assert call in called or path == "a.dart", "what nothing in a Dart file tells the class of is left out"


def test_packages_imports_and_bindings():
    scala, elixir = extract_facts("a.scala", SCALA, "shop"), extract_facts("a.ex", ELIXIR, "shop")
    assert (scala.package, elixir.package) == ("org.shop.orders", "Shop")
    assert [(i.module, i.name, i.alias) for i in scala.imports] == [
        ("org.shop.money", "Amount", "Sum"),
        ("org.shop.money", "Money", "Money"),
    ]
    assert {(i.module, i.name) for i in elixir.imports} == {("Shop", "Payments"), ("Shop", "Audit")}
    assert ("gateway", "PaymentGateway") in {(b.name, b.type) for b in scala.bindings}
    assert "BaseService" in {r.name for r in scala.references if r.relation == "INHERITS"}


def test_a_broken_file_is_read_as_far_as_it_can_be():
    assert extract_facts("a.scala", "class A {\n  def b( = {\n", "shop").lines == 2


def test_a_file_may_begin_with_any_number_of_comments():
    text = "# Line.\n" * 3000 + '"""What it does."""\n\n\ndef f(): ...\n'
    assert [one.name for one in extract_facts("a.py", text, "shop").definitions] == ["f"]
