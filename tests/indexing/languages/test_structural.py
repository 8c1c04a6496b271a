"""What is captured by ast-grep's grammars, where there is no grammar package."""

from __future__ import annotations

import pytest

from indexing.extraction import extract_facts

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
