"""Names that files share by their package: one small organisation for each way of it."""

from __future__ import annotations

import pytest

from extraction.facts import Clue, FileFacts
from extraction.reading import extract_facts
from indexing.resolution import resolve
from indexing.resolution.packages import Packages, family_of, nearest, tops

ORDERS = {
    "src/main/java/org/shop/orders/OrderService.java": (
        "package org.shop.orders;\n"
        "import org.shop.billing.PaymentGateway;\n"
        "import org.shop.events.*;\n"
        "public class OrderService extends org.shop.billing.Base {\n"
        "  private final PaymentGateway gateway = null;\n"
        "  private OrderRepository repository;\n"
        "  void place(Order order) {\n"
        "    repository.save(order);\n"
        "    gateway.charge(order.total());\n"
        "    new OrderPlaced();\n"
        "    Ledger.INSTANCE.open();\n"
        "    Unknown.call();\n"
        "  }\n"
        "}\n"
    ),
    "src/main/java/org/shop/orders/OrderRepository.java": (
        "package org.shop.orders;\ninterface OrderRepository extends JpaRepository<Order> {}\n"
    ),
    "src/main/kotlin/org/shop/orders/Order.kt": (
        "package org.shop.orders\n\nclass Order {\n  fun total() = sum(1)\n}\n\nfun sum(a: Int) = a\n"
    ),
    "src/main/java/org/shop/events/OrderPlaced.java": "package org.shop.events;\npublic class OrderPlaced {}\n",
}
BILLING = {
    "PaymentGateway.java": (
        "package org.shop.billing;\npublic class PaymentGateway {\n  public void charge(int a) {}\n}\nclass Base {}\n"
    )
}


def test_a_package_is_one_module_whose_files_need_no_import(graph):
    found = graph({"orders": ORDERS, "billing": BILLING})
    assert found.edge("OrderService", "OrderRepository").lines == (8,)
    assert found.edge("OrderService", "Order").lines == (9,)
    assert found.edge("OrderService", "OrderPlaced").evidence[1].says == "imports OrderPlaced"
    assert found.edge("Order", "sum").lines == (4,)
    assert found.edge("org.shop.orders", "Order", "DEFINES").lines == (3,)
    modules = [e.path for e in found.batch.entities if e.kind == "module" and e.name == "org.shop.orders"]
    assert modules == [
        "src/main/java/org/shop/orders/OrderRepository.java",
        "src/main/kotlin/org/shop/orders/Order.kt",
    ], "one a folder, at its first file"
    assert (
        found.edge("OrderService", "OrderRepository").evidence[0].says
        == "OrderService.place calls OrderRepository.save"
    )


def test_what_a_package_of_another_project_defines_needs_an_import_or_its_full_name(graph):
    found = graph({"orders": ORDERS, "billing": BILLING})
    edge = found.edge("OrderService", "PaymentGateway")
    assert [(e.rule, e.project, e.line) for e in edge.evidence] == [
        ("calls", "orders", 9),
        ("import", "orders", 2),
        ("definition", "billing", 3),
    ]
    assert found.edge("OrderService", "Base", "INHERITS").lines == (4,)
    assert found.edge("OrderService", "PaymentGateway", "IMPORTS").status == "confirmed"
    gone = graph({"orders": ORDERS, "billing": {"a.java": "package org.shop.billing;\nclass Other {}\n"}})
    assert gone.edge("OrderService", "billing", "IMPORTS").status == "candidate"


def test_two_projects_that_add_to_one_package_are_not_joined_by_importing_all_of_it(graph):
    found = graph(
        {
            "a": {"A.java": "package a;\nimport org.shop.tools.*;\nclass A {}\n"},
            "b": {"B.java": "package org.shop.tools;\nclass B {}\n"},
        }
    )
    assert found.rows("IMPORTS") == []


SHARP = {
    "src/api/GlobalUsings.cs": "global using Shop.Events;\nglobal using Microsoft.Extensions.Hosting;\n",
    "src/api/Orders.cs": (
        "namespace Shop.Api.Orders;\n"
        "public partial class Orders(IStore store) {\n"
        "  public void Place(Clock clock) {\n"
        "    store.Save();\n"
        "    new Placed();\n"
        "    clock.Now();\n"
        "    this.Check();\n"
        "  }\n"
        "}\n"
    ),
    "src/api/Orders.Checks.cs": (
        "namespace Shop.Api.Orders;\npublic partial class Orders {\n  void Check() {\n    Limits.Of();\n  }\n}\n"
    ),
    "src/api/Clock.cs": "namespace Shop.Api;\npublic class Clock { public int Now() => 1; }\nclass Limits {}\n",
    "src/api/IStore.cs": "namespace Shop.Api.Orders;\ninterface IStore { void Save(); }\n",
    "src/events/Placed.cs": "namespace Shop.Events;\npublic record Placed();\n",
    "src/events/Hosting.cs": "namespace Microsoft.Extensions.Hosting;\npublic static class Hosting {}\n",
}


def test_namespaces_around_partial_classes_and_imports_for_all_files(graph):
    found = graph({"shop": SHARP})
    calls = found.rows("CALLS")
    assert calls == [
        ("shop/Orders", "CALLS", "shop/Clock", "src/api/Orders.cs", [6]),
        ("shop/Orders", "CALLS", "shop/Limits", "src/api/Orders.Checks.cs", [4]),
        ("shop/Orders", "CALLS", "shop/Placed", "src/api/Orders.cs", [5]),
        ("shop/Orders", "CALLS", "shop/IStore", "src/api/Orders.cs", [4]),
    ]
    sources = {r.source.path for r in found.batch.relationships if r.type == "CALLS"}
    assert sources == {"src/api/Orders.cs"}, "of a class in parts, the longest stands for it"
    assert {row[2] for row in found.rows("IMPORTS")} == {"shop/Shop.Events"}


GO = {
    "cart/server.go": (
        'package main\n\nimport (\n\t"example.org/shop/cart/store"\n)\n\n'
        "type Server struct {\n\tstore *store.Store\n\tclock Clock\n}\n\n"
        "func main() {\n\ts := NewServer()\n\ts.Run()\n}\n"
    ),
    "cart/run.go": (
        "package main\n\nfunc (s *Server) Run() {\n\ts.store.Save()\n\ts.clock.Now()\n\thelp()\n}\n\n"
        "func NewServer() *Server { return &Server{} }\n"
    ),
    "cart/clock.go": "package main\n\ntype Clock interface {\n\tNow() int\n}\n\nfunc help() {}\n",
    "cart/store/store.go": "// Package store keeps.\npackage store\n\ntype Store struct {\n\tBase\n}\n",
    "cart/store/base.go": "package store\n\ntype Base struct{}\n\nfunc (b Base) Save() {}\n",
}


def with_manifest(files, path, key):
    facts = {name: extract_facts(name, text, "shop") for name, text in files.items()}
    return facts | {path: FileFacts(path, "", clues=(Clue("manifest", "module", key, "provides", "DEPENDS_ON", 1),))}


def calls_in(batch):
    return {(r.source.name, r.target.name, r.lines) for r in batch.relationships if r.type == "CALLS"}


def test_a_folder_is_a_package_whose_methods_stand_in_any_file():
    batch = resolve({"shop": with_manifest(GO, "cart/go.mod", "example.org/shop/cart")})
    assert calls_in(batch) == {
        ("main", "NewServer", (13,)),
        ("main", "Server", (14,)),
        ("NewServer", "Server", (9,)),
        ("Server", "Base", (4,)),
        ("Server", "Clock", (5,)),
        ("Server", "help", (6,)),
    }
    (imported,) = [r for r in batch.relationships if r.type == "IMPORTS"]
    assert (imported.source.name, imported.target.name, imported.target.summary) == (
        "cart",
        "cart/store",
        "Package store keeps.",
    )


def test_another_projects_go_module_is_meant_by_its_own_name():
    store = {name.removeprefix("cart/"): text for name, text in GO.items() if "store" in name}
    app = {"server.go": GO["cart/server.go"].replace("\ts.Run()", "\tvar t store.Store\n\tt.Save()")}
    provider = with_manifest(store, "go.mod", "example.org/shop/cart")
    batch = resolve({"app": {n: extract_facts(n, t, "app") for n, t in app.items()}, "cart": provider})
    assert {
        (r.source.label, r.type, r.target.label) for r in batch.relationships if r.target.project != r.source.project
    } == {
        ("app/main", "CALLS", "cart/Base"),
        ("app/main", "IMPORTS", "cart/store"),
    }


def test_a_third_projects_longer_name_takes_no_edge_away():
    text = 'package main\n\nimport "a.org/x/y/z"\n\nfunc main() { z.Do() }\n'
    app = {"m.go": extract_facts("m.go", text, "app")}
    does = {"z/z.go": "package z\n\nfunc Do() {}\n"}
    two = {"app": app, "b": with_manifest(does, "go.mod", "a.org/x/y")}
    three = two | {"c": with_manifest({"q/q.go": "package q\n"}, "go.mod", "a.org/x/y/z")}
    before = resolve(two).relationships
    assert {r.target.label for r in before if r.type == "CALLS"} == {"b/Do"}
    assert [r for r in resolve(three).relationships if "c" not in {r.source.project, r.target.project}] == before


def test_without_its_manifest_a_folder_of_two_names_is_enough(graph):
    found = graph({"shop": GO})
    assert found.edge("cart", "cart/store", "IMPORTS").lines == (4,)


def test_php_by_namespace_and_use(graph):
    found = graph(
        {
            "shop": {
                "src/Orders.php": (
                    "<?php\nnamespace Shop\\Orders;\nuse Shop\\Billing\\Gateway as Pay;\nuse Shop\\Billing\\{Gone, fee};\n"
                    "class Orders extends \\Shop\\Billing\\Base {\n"
                    "  function __construct(private Pay $pay) {}\n"
                    "  function place() { $this->pay->charge(); Order::make(); }\n"
                    "}\n"
                ),
                "src/Order.php": "<?php\nnamespace Shop\\Orders;\nclass Order { static function make() {} }\n",
                "src/Gateway.php": (
                    "<?php\nnamespace Shop\\Billing;\nclass Gateway { function charge() {} }\nclass Base {}\n"
                ),
            }
        }
    )
    assert found.rows("CALLS", "INHERITS", "IMPORTS") == [
        ("shop/Orders", "CALLS", "shop/Gateway", "src/Orders.php", [7]),
        ("shop/Orders", "CALLS", "shop/Order", "src/Orders.php", [7]),
        ("shop/Orders", "IMPORTS", "shop/Gateway", "src/Orders.php", [3]),
        ("shop/Orders", "INHERITS", "shop/Base", "src/Orders.php", [5]),
    ]


def test_ruby_by_what_is_loaded_the_nearest_first(graph):
    found = graph(
        {
            "shop": {
                "orders/lib/shop/order.rb": (
                    "require 'shop/gateway'\nrequire_relative 'line'\nrequire 'json'\n"
                    "module Shop\n  class Order\n    def place\n      Shop::Gateway.new.charge\n      Line.of\n"
                    "      Shop.version\n      Stripe::Line.of\n    end\n  end\nend\n"
                ),
                "orders/lib/shop/gateway.rb": "module Shop\n  class Gateway\n    def charge; end\n  end\nend\n",
                "orders/lib/shop/line.rb": "class Line\n  def self.of; end\nend\n",
                "other/line.rb": "class Line\n  def self.of; end\nend\n",
                "orders/lib/shop.rb": "module Shop\n  def self.version; end\n  def self.name; end\nend\n",
            }
        }
    )
    assert found.rows("CALLS", "IMPORTS") == [
        ("shop/Order", "CALLS", "shop/Gateway", "orders/lib/shop/order.rb", [7]),
        ("shop/Order", "CALLS", "shop/Line", "orders/lib/shop/order.rb", [8]),
        ("shop/Order", "CALLS", "shop/Shop", "orders/lib/shop/order.rb", [9]),
        ("shop/Order", "IMPORTS", "shop/orders/lib/shop/gateway", "orders/lib/shop/order.rb", [1]),
        ("shop/Order", "IMPORTS", "shop/orders/lib/shop/line", "orders/lib/shop/order.rb", [2]),
    ]


RUST = {
    "cart/src/main.rs": (
        "mod models;\nmod tools;\nuse crate::models::{Order, line};\nuse money_sums::{Money, total};\n\n"
        "fn main() {\n    let order = Order::new();\n    order.place();\n    line::price();\n    tools::clean();\n"
        "    let m = Money::zero();\n    m.add();\n    total();\n}\n"
    ),
    "cart/src/models/mod.rs": "mod order;\npub mod line;\npub use order::Order;\n",
    "cart/src/models/order.rs": (
        "use super::line::price;\npub struct Order;\nimpl Order {\n    pub fn new() -> Self { Order }\n"
        "    pub fn place(&self) { price(); }\n}\n"
    ),
    "cart/src/models/line.rs": "pub fn price() {}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    fn t() { price(); }\n}\n",
    "cart/src/tools.rs": "pub fn clean() {}\n",
    "money/src/lib.rs": "mod zero;\npub struct Money;\npub fn total() {}\n",
    "money/src/zero.rs": "use crate::Money;\nimpl Money {\n    pub fn zero() -> Self { Money }\n    pub fn add(&self) {}\n}\n",
}


def test_rust_by_crates_modules_and_what_they_hand_on():
    batch = resolve({"shop": with_manifest(RUST, "money/Cargo.toml", "money-sums")})
    assert calls_in(batch) == {
        ("main", "Order", (7, 8)),
        ("main", "price", (9,)),
        ("main", "clean", (10,)),
        ("main", "Money", (11, 12)),
        ("main", "total", (13,)),
        ("Order", "price", (5,)),
        ("t", "price", (5,)),
    }


CPP = {
    "include/shop/service.hpp": (
        '#include "store.hpp"\nnamespace shop {\nclass Service {\n public:\n  void Place();\n private:\n'
        "  std::unique_ptr<Store> store_;\n};\n}\n"
    ),
    "include/shop/store.hpp": (
        "namespace shop {\nclass Store {\n public:\n  virtual void Save() = 0;\n};\nvoid Clean();\n}\n"
    ),
    "src/service.cpp": (
        '#include <shop/service.hpp>\n#include "gone.h"\nvoid shop::Service::Place() {\n  store_->Save();\n'
        "  shop::Clean();\n  std::Clean();\n}\n"
    ),
    "src/store.cpp": '#include "shop/store.hpp"\nnamespace shop {\nvoid Clean() {}\n}\n',
    "src/main.c": '#include "cart.h"\nint main(void) { cart_add(1); return other(); }\n',
    "src/cart.h": "#ifndef CART_H\n#define CART_H\nint cart_add(int sku);\n#endif\n",
    "src/cart.c": '#include "cart.h"\nint cart_add(int sku) { return sku; }\n',
    "src/other.c": "int other(void) { return 1; }\n",
}


def test_c_by_headers_and_the_sources_of_their_names(graph):
    found = graph({"shop": CPP})
    assert [*found.rows("CALLS"), *found.rows("IMPORTS")] == [
        ("shop/Service", "CALLS", "shop/Store", "src/service.cpp", [4]),
        ("shop/Service", "CALLS", "shop/Clean", "src/service.cpp", [5]),
        ("shop/main", "CALLS", "shop/cart_add", "src/main.c", [2]),
        ("shop/Service", "IMPORTS", "shop/include/shop/store.hpp", "include/shop/service.hpp", [1]),
        ("shop/src/cart.c", "IMPORTS", "shop/src/cart.h", "src/cart.c", [1]),
        ("shop/src/main.c", "IMPORTS", "shop/src/cart.h", "src/main.c", [1]),
        ("shop/src/service.cpp", "IMPORTS", "shop/include/shop/service.hpp", "src/service.cpp", [1]),
        ("shop/src/store.cpp", "IMPORTS", "shop/include/shop/store.hpp", "src/store.cpp", [1]),
    ]


def test_of_several_files_those_in_the_nearest_folder():
    assert nearest(["a/x.rb", "b/x.rb"], "a/y.rb") == ["a/x.rb"]
    assert nearest(["a/x.rb", "b/x.rb"], "") == ["a/x.rb", "b/x.rb"]


@pytest.mark.parametrize(
    ("path", "family"), [("a.kt", "jvm"), ("a.java", "jvm"), ("a.h", "c"), ("a.py", ""), ("a.md", "")]
)
def test_languages_that_share_packages(path, family):
    assert family_of(path) == family


def test_the_names_a_module_may_be_provided_under():
    assert tops("go", "a.b/c") == [("go", "a.b/c"), ("go", "a.b")]
    assert tops("rust", "money.sums") == [("rust", "money")]
    assert tops("jvm", "org.shop") == [("jvm", "org.shop")]


def test_a_table_that_a_rule_finds_is_no_name_in_code():
    facts = extract_facts("a.go", "package a\n\nfunc orders() {}\n", "shop")
    table = facts.definitions[0].__class__("lines", "table", 3, 3)
    packages = Packages({"a.go": FileFacts("a.go", "go", (*facts.definitions, table), package="a")})
    assert (packages.mates("a.go", "orders"), packages.mates("a.go", "lines")) == (["a.go"], [])


def test_a_namespace_that_everybody_has_tells_no_project(graph):
    model = "<?php\nnamespace {};\nclass Order {{ public static function open() {{}} }}\n"
    uses = "<?php\nnamespace App\\Http;\nuse {}\\Order;\nclass Desk {{ function f() {{ return Order::open(); }} }}\n"

    def calls(namespace):
        files = {"shop": {"a.php": model.format(namespace)}, "till": {"b.php": uses.format(namespace)}}
        return [row[:3] for row in graph(files).rows("CALLS")]

    assert calls("Acme\\Models") == [("till/Desk", "CALLS", "shop/Order")]
    assert calls("App\\Models") == calls("Illuminate\\Support") == []
    own = {"shop": {"a.php": model.format("App\\Models"), "b.php": uses.format("App\\Models")}}
    assert [row[:3] for row in graph(own).rows("CALLS")] == [("shop/Desk", "CALLS", "shop/Order")]
