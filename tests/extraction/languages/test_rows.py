"""Languages whose row is all there is of them, and those that have rules beside it: definitions, and chunks that begin there."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from indexing.chunks import chunk_file

SCALA = """package shop
/** Takes orders. */
class Orders(gateway: Gateway) extends Base {
  def place(order: Order): Unit = gateway.charge(order)
}
object Main { def run() = 1 }
trait Audit { def note(text: String): Unit }
"""
SWIFT = """import Foundation
/// Takes orders.
class Orders: Base {
  func place(order: Order) -> Bool { return true }
}
struct Line { let sku: String }
enum State { case open }
protocol Audit { func note(text: String) }
"""
DART = """import 'package:shop/gateway.dart';
/// Takes orders.
class Orders extends Base {
  bool place(Order order) {
    return true;
  }
}
mixin Audit {}
int total() { return 1; }
"""
SOLIDITY = """pragma solidity ^0.8.0;
/// Takes orders.
contract Orders is Base {
  struct Line { uint sku; }
  function place(uint sku) public { charge(sku); }
}
interface Audit { function note() external; }
"""
LUA = """local Orders = {}
--- Takes an order.
function Orders.place(order)
  return charge(order)
end
local function total() end
"""
BASH = """#!/bin/bash
place() {
  charge "$1"
}
# Adds up.
function total { echo 1; }
"""
ELIXIR = """defmodule Shop.Orders do
  def place(order, by \\\\ nil), do: charge(order)
  defp total(lines) when lines != [] do
    1
  end
end
"""


@pytest.mark.parametrize(
    ("file", "text", "definitions"),
    [
        (
            "Orders.scala",
            SCALA,
            [
                ("Orders", "class", 3, 5, "Takes orders."),
                ("Orders.place", "method", 4, 4, ""),
                ("Main", "object", 6, 6, ""),
                ("Main.run", "method", 6, 6, ""),
                ("Audit", "interface", 7, 7, ""),
                ("Audit.note", "method", 7, 7, ""),
            ],
        ),
        (
            "Orders.swift",
            SWIFT,
            [
                ("Orders", "class", 3, 5, "Takes orders."),
                ("Orders.place", "method", 4, 4, ""),
                ("Line", "class", 6, 6, ""),
                ("State", "class", 7, 7, ""),
                ("Audit", "interface", 8, 8, ""),
            ],
        ),
        (
            "orders.dart",
            DART,
            [
                ("Orders", "class", 3, 7, "Takes orders."),
                ("Orders.place", "method", 4, 6, ""),
                ("total", "function", 9, 9, ""),
            ],
        ),
        (
            "Orders.sol",
            SOLIDITY,
            [
                ("Orders", "class", 3, 6, "Takes orders."),
                ("Orders.Line", "struct", 4, 4, ""),
                ("Orders.place", "method", 5, 5, ""),
                ("Audit", "interface", 7, 7, ""),
                ("Audit.note", "method", 7, 7, ""),
            ],
        ),
        (
            "orders.lua",
            LUA,
            [("Orders.place", "function", 3, 5, "Takes an order."), ("total", "function", 6, 6, "")],
        ),
        ("orders.sh", BASH, [("place", "function", 2, 4, ""), ("total", "function", 6, 6, "Adds up.")]),
        (
            "orders.ex",
            ELIXIR,
            [
                ("Orders", "class", 1, 6, ""),
                ("Orders.place", "method", 2, 2, ""),
                ("Orders.total", "method", 3, 5, ""),
            ],
        ),
    ],
    ids=["scala", "swift", "dart", "solidity", "lua", "bash", "elixir"],
)
def test_definitions_and_chunks(file, text, definitions):
    facts = extract_facts(file, text, "shop")
    assert [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in facts.definitions] == definitions
    chunks = chunk_file(file, text, facts, max_chars=60)
    place = next(name for name, *_ in definitions if name.endswith("place"))
    assert place in {chunk.symbol for chunk in chunks}
