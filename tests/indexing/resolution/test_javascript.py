"""Edges from JavaScript and TypeScript, in one project and across two."""

from __future__ import annotations

import pytest

ORDERS = {
    "package.json": '{"name": "orders",\n "dependencies": {\n  "@shop/payments": "^1"}}\n',
    "src/service.ts": (
        "import { PaymentAdapter } from './adapter.js';\n"
        "\n"
        "export class OrderService {\n"
        "  constructor(private readonly adapter: PaymentAdapter) {}\n"
        "\n"
        "  async place() {\n"
        "    return this.adapter.processPayment();\n"
        "  }\n"
        "}\n"
    ),
    "src/adapter.ts": (
        "import { PaymentGateway, LateError } from '@shop/payments';\n"
        "\n"
        "export class PaymentAdapter {\n"
        "  private gateway = new PaymentGateway();\n"
        "\n"
        "  async processPayment() {\n"
        "    return this.gateway.charge(1);\n"
        "  }\n"
        "}\n"
    ),
}
PAYMENTS = {
    "package.json": '{"name": "@shop/payments", "main": "dist/index.js"}\n',
    "src/index.ts": "export * from './gateway';\nexport { LateError } from './errors';\n",
    "src/gateway.ts": "export class PaymentGateway {\n  charge(amount: number) {}\n}\n",
    "src/errors.ts": "export class LateError extends Error {}\n",
}


def test_a_call_across_two_projects_has_its_lines_and_the_evidence_of_both_ends(graph):
    found = graph({"orders": ORDERS, "payments": PAYMENTS})
    edge = found.edge("PaymentAdapter", "PaymentGateway")
    assert (edge.status, edge.project, edge.path, edge.lines) == ("confirmed", "orders", "src/adapter.ts", (4, 7))
    assert [(e.rule, e.project, e.path, e.line, e.says) for e in edge.evidence] == [
        ("calls", "orders", "src/adapter.ts", 4, "PaymentAdapter creates PaymentGateway"),
        ("calls", "orders", "src/adapter.ts", 7, "PaymentAdapter.processPayment calls PaymentGateway.charge"),
        ("import", "orders", "src/adapter.ts", 1, "imports PaymentGateway"),
        ("definition", "payments", "src/gateway.ts", 1, "class PaymentGateway"),
        ("definition", "payments", "src/gateway.ts", 2, "method PaymentGateway.charge"),
    ]
    assert found.edge("orders", "payments", "DEPENDS_ON").lines == (3,)
    late = found.edge("src/adapter", "LateError", "IMPORTS")
    assert (late.status, late.evidence[0].says) == ("confirmed", "imports LateError from @shop/payments")


def test_a_property_parameter_is_a_field(graph):
    assert graph({"orders": ORDERS}).edge("OrderService", "PaymentAdapter").lines == (7,)


def test_a_name_that_is_gone_leaves_a_candidate(graph):
    changed = {path: text.replace("PaymentGateway", "Till") for path, text in PAYMENTS.items()}
    found = graph({"orders": ORDERS, "payments": changed})
    assert not [r for r in found.rows("CALLS") if r[2] == "payments/PaymentGateway"]
    assert found.rows(status="candidate") == [("orders/src/adapter", "IMPORTS", "payments/src", "src/adapter.ts", [1])]


def test_a_package_whose_entry_is_gone_leaves_a_candidate_to_the_project(graph):
    found = graph({"orders": ORDERS, "payments": {"package.json": PAYMENTS["package.json"]}})
    assert found.rows("IMPORTS", status="candidate") == [
        ("orders/src/adapter", "IMPORTS", "payments/payments", "src/adapter.ts", [1])
    ]


def test_a_python_module_is_no_package_of_the_same_name_and_node_has_its_own(graph):
    built = graph(
        {
            "web": {"a.js": "import yaml from 'yaml';\nimport events from 'events';\nyaml.load(); events.once();\n"},
            "py": {"yaml.py": "def load(): ...\n"},
            "poly": {"package.json": '{"name": "events"}', "index.js": "exports.once = () => 1;\n"},
            "back": {"b.py": "import poly\n"},
        }
    )
    assert not [r for r in built.rows("IMPORTS", "CALLS") if r[0].startswith(("web", "back"))]


GATEWAY = "export class Gateway { charge() {} }\nexport const gateway = new Gateway();\nexport function helper() {}\n"
FILES = {
    "pay.ts": GATEWAY,
    "hub/index.ts": "export { Gateway as G } from '../pay';\nexport * from '../pay';\n",
    "main.ts": "import { Gateway } from './pay';\nexport default Gateway;\n",
    "object.ts": "const api = { charge() {} };\nexport default api;\n",
    "factory.ts": "const Gateway = () => ({ charge() {} });\nexport default Gateway();\n",
    "common.js": "class Gateway { charge() {} }\nmodule.exports = Gateway;\n",
    "named.js": "exports.charge = () => 1;\nexports.Gateway = require('./common');\n",
    "plain.js": "module.exports = (a) => a;\n",
}


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("import { Gateway } from './pay';\nfunction f(g: Gateway) { g.charge(); }", ["Gateway"]),
        ("import { Gateway as G } from './pay';\nfunction f() { new G().charge(); }", ["Gateway"]),
        ("import * as pay from './pay';\nfunction f() { pay.helper(); }", ["helper"]),
        ("import { G } from './hub';\nfunction f(g: G | null) { g!.charge(); }", ["Gateway"]),
        ("import { Gateway } from './hub';\nclass f { g = new Gateway(); run() { this.g.charge(); } }", ["Gateway"]),
        ("import Main from './main';\nfunction f() { const m = new Main(); m.charge(); }", ["Gateway"]),
        ("import { gateway } from './pay';\nfunction f() { gateway.charge(); }", ["Gateway"]),
        ("import api from './object';\nfunction f() { api.charge(); }", ["api"]),
        ("import api from './factory';\nfunction f() { api.charge(); }", ["Gateway"]),
        ("const C = require('./common');\nfunction f() { new C().charge(); }", ["Gateway"]),
        ("const { charge } = require('./named');\nfunction f() { charge(); }", ["charge"]),
        ("const named = require('./named');\nfunction f() { named.charge(); new named.Gateway(); }", ["Gateway", "charge"]),
        ("const plain = require('./plain');\nfunction f() { plain(); }", ["plain"]),
        ("import { Gateway } from './pay';\nfunction f() { Gateway.other(); fetch(); }", []),
        ("import { Gateway } from './pay';\nfunction f(g) { g.charge(); }", []),
        ("import * as pay from './pay';\nfunction f() { pay(); }", []),
        ("import { nothing } from './pay';\nfunction f() { nothing(); }", []),
    ],
)  # fmt: skip
def test_ways_to_know_what_a_call_means(graph, text, targets):
    rows = graph({"p": {**FILES, "m.ts": text + "\n"}}).rows("CALLS")
    assert sorted(r[2].removeprefix("p/") for r in rows if r[3] == "m.ts") == targets


def test_an_element_uses_its_component(graph):
    files = {
        "Cart.jsx": "export const Cart = () => <p/>;\n",
        "Page.jsx": "import { Cart } from './Cart';\nexport const Page = () => <Cart/>;\n",
    }
    assert graph({"web": files}).edge("Page", "Cart").lines == (2,)


def test_a_file_does_not_import_itself_by_what_it_exports_under_another_name(graph):
    found = graph({"p": {"a.js": "const f = () => 1;\nexport { f as g };\nexport default f;\n"}})
    assert found.rows() == [("p/a", "DEFINES", "p/f", "a.js", [1])]


def test_sql_in_a_template_uses_its_table(graph):
    files = {
        "schema.sql": "CREATE TABLE orders (id INT);\n",
        "db.ts": "export const load = (db) =>\n  db.run(`SELECT * FROM orders`);\n",
    }
    assert graph({"p": files}).rows("USES_TABLE") == [
        ("p/load", "USES_TABLE", "p/orders", "db.ts", [2]),
        ("p/p", "USES_TABLE", "p/orders", "db.ts", [2]),
    ]


def test_removing_a_project_takes_only_what_touches_it(graph):
    organisation = {"orders": ORDERS, "payments": PAYMENTS, "third": {**PAYMENTS}}
    whole, rest = graph(organisation), graph({p: f for p, f in organisation.items() if p != "third"})
    kept = [r for r in whole.batch.relationships if "third" not in {r.source.project, r.target.project}]
    assert rest.batch.relationships == kept
