"""Edges from code, in one project and across two.

What a variable is.
"""

from __future__ import annotations

import pytest

ORDERS = {
    "pyproject.toml": '[project]\nname = "orders"\ndependencies = ["payments-gateway"]\n',
    "orders/service.py": (
        "from orders.adapter import PaymentAdapter\n"
        "\n"
        "\n"
        "class OrderService:\n"
        "    def __init__(self):\n"
        "        self.adapter = PaymentAdapter()\n"
        "\n"
        "    def place(self):\n"
        "        return self.adapter.process_payment()\n"
    ),
    "orders/adapter.py": (
        "from payments.gateway import PaymentGateway, LateError\n"
        "\n"
        "\n"
        "class PaymentAdapter:\n"
        "    def process_payment(self):\n"
        "        gateway = PaymentGateway()\n"
        "        try:\n"
        "            return gateway.charge(1)\n"
        "        except LateError:\n"
        "            raise\n"
    ),
}
PAYMENTS = {
    "pyproject.toml": '[project]\nname = "payments_gateway"\n',
    "src/payments/gateway.py": (
        "class LateError(Exception): ...\n\n\nclass PaymentGateway:\n    def charge(self, amount):\n        return amount\n"
    ),
}
PAY = "class Gateway:\n    def charge(self): ...\nclass Other:\n    def charge(self): ...\ndef make(): ...\n"


def test_a_call_across_two_projects_has_its_lines_and_the_evidence_of_both_ends(graph):
    edge = graph({"orders": ORDERS, "payments": PAYMENTS}).edge("PaymentAdapter", "PaymentGateway")
    assert (edge.status, edge.project, edge.path, edge.lines) == ("confirmed", "orders", "orders/adapter.py", (6, 8))
    assert [(e.rule, e.project, e.path, e.line, e.says) for e in edge.evidence] == [
        ("calls", "orders", "orders/adapter.py", 6, "PaymentAdapter.process_payment creates PaymentGateway"),
        ("calls", "orders", "orders/adapter.py", 8, "PaymentAdapter.process_payment calls PaymentGateway.charge"),
        ("import", "orders", "orders/adapter.py", 1, "imports PaymentGateway"),
        ("definition", "payments", "src/payments/gateway.py", 4, "class PaymentGateway"),
        ("definition", "payments", "src/payments/gateway.py", 5, "method PaymentGateway.charge"),
    ]


def test_a_class_inside_a_function_makes_no_heir_of_the_function(graph):
    text = "from orders.base import Base\n\n\nclass Own(Base): ...\n\n\ndef make():\n    class Local(Base): ...\n\n    return Local\n"
    found = graph({"orders": {"orders/base.py": "class Base: ...\n", "orders/own.py": text}})
    assert found.rows("INHERITS") == [("orders/Own", "INHERITS", "orders/Base", "orders/own.py", [4])]


def test_a_field_made_in_one_method_and_used_in_another(graph):
    edge = graph({"orders": ORDERS}).edge("OrderService", "PaymentAdapter")
    assert edge.lines == (6, 9)
    assert "OrderService.place calls PaymentAdapter.process_payment" in [e.says for e in edge.evidence]


def test_what_is_imported_and_caught_is_imported(graph):
    edge = graph({"orders": ORDERS, "payments": PAYMENTS}).edge("orders.adapter", "LateError", "IMPORTS")
    assert (edge.lines, edge.status, edge.target.path) == ((1,), "confirmed", "src/payments/gateway.py")


def test_a_renamed_class_takes_its_edges_along_and_leaves_a_candidate_to_the_module(graph):
    changed = {path: text.replace("PaymentGateway", "Till") for path, text in PAYMENTS.items()}
    found = graph({"orders": ORDERS, "payments": changed})
    assert not [r for r in found.rows("CALLS") if "Gateway" in r[2]]
    assert found.rows(status="candidate") == [
        ("orders/orders.adapter", "IMPORTS", "payments/payments.gateway", "orders/adapter.py", [1])
    ]


def test_a_package_whose_module_is_gone_leaves_a_candidate_to_the_project(graph):
    changed = {"pyproject.toml": PAYMENTS["pyproject.toml"], "src/payments/__init__.py": ""}
    found = graph({"orders": ORDERS, "payments": changed})
    assert found.rows("IMPORTS", status="candidate") == [
        ("orders/orders.adapter", "IMPORTS", "payments/payments", "orders/adapter.py", [1])
    ]
    assert found.edge("orders.adapter", "payments", "IMPORTS").target.kind == "project"


def test_nothing_is_invented_for_a_package_that_nobody_has(graph):
    found = graph({"orders": ORDERS})
    assert {r[2].split("/")[0] for r in found.rows()} == {"orders"}
    assert not found.rows("DEPENDS_ON")


def calls(graph, text, **files):
    built = graph({"a": {"a.py": text, **{f"{name}.py": body for name, body in files.items()}}})
    return [(r[0].split("/")[1], r[2].split("/")[1], r[4]) for r in built.rows("CALLS")]


GATEWAY = "class Gateway:\n    def charge(self): ...\ndef helper(): ...\n"


@pytest.mark.parametrize(
    "text",
    [
        "from pay import Gateway\ndef f(g: Gateway):\n    g.charge()\n",
        "from pay import Gateway as G\ndef f(g: 'G | None'):\n    g.charge()\n",
        "import pay\ndef f(g: pay.Gateway):\n    g.charge()\n",
        "from pay import *\ndef f(g: Gateway):\n    g.charge()\n",
        "from pay import Gateway\ndef f():\n    Gateway.charge(None)\n",
        "from hub import Gateway\ndef f(g: Gateway):\n    g.charge()\n",
        "from star import Gateway\ndef f(g: Gateway):\n    g.charge()\n",
        "from sub import Till\ndef f(t: Till):\n    t.charge()\n",
    ],
)
def test_ways_to_know_what_a_call_means(graph, text):
    found = calls(
        graph,
        text,
        pay=GATEWAY,
        hub="from pay import Gateway\n",
        star="from pay import *\n",
        sub="import pay\nclass Till(pay.Gateway): ...\n",
    )
    assert found == [("f", "Gateway", [3])]


@pytest.mark.parametrize(
    "text",
    [
        "def f(g):\n    g.charge()\n",
        "from pay import Gateway\ndef f(g: Gateway):\n    g.refund()\n",
        "from pay import helper\ndef f(helper):\n    helper()\n",
        "from elsewhere import Gateway\ndef f(g: Gateway):\n    g.charge()\n",
        "import pay\ndef f():\n    pay.nothing()\n",
        "from pay import Gateway\nclass A:\n    def f(self):\n        g = Gateway\nclass B:\n    def f(self, g):\n        g.charge()\n",
    ],
)
def test_what_nobody_can_tell_gives_no_edge(graph, text):
    assert calls(graph, text, pay=GATEWAY) == []


def test_code_outside_any_definition_calls_from_its_module(graph):
    assert calls(graph, "import pay\npay.helper()\n", pay=GATEWAY) == [("a", "helper", [2])]


def test_calls_inside_one_class_are_no_edge_and_inside_one_file_are(graph):
    assert calls(graph, "def g(): ...\nclass A:\n    def f(self):\n        self.f()\n        g()\n") == [
        ("A", "g", [5])
    ]


def test_bases_are_inherited_also_through_a_circle(graph):
    text = "from b import B\nclass A(B):\n    pass\ndef f(a: A):\n    a.missing()\n"
    built = graph({"p": {"a.py": text, "b.py": "from a import A\nclass B(A): ...\n"}})
    assert [(r[0], r[2]) for r in built.rows("INHERITS")] == [("p/A", "p/B"), ("p/B", "p/A")]
    assert not built.rows("CALLS")


def test_modules_define_their_top_level(graph):
    found = graph(
        {"p": {"pkg/__init__.py": "", "pkg/a.py": "class A:\n    def f(self): ...\nLIMIT_MAX = 1\nlogger = 2\n"}}
    )
    assert found.rows("DEFINES") == [
        ("p/pkg.a", "DEFINES", "p/A", "pkg/a.py", [1]),
        ("p/pkg.a", "DEFINES", "p/LIMIT_MAX", "pkg/a.py", [3]),
    ]


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("def f():\n    g = Gateway()\n    g.charge()\n", {"Gateway"}),
        ("def f(x):\n    g = Gateway() if x else Other()\n    g: Other = g\n    g.charge()\n", {"Gateway", "Other"}),
        ("g = Gateway()\ndef f():\n    g.charge()\n", {"Gateway"}),
        ("def f():\n    Gateway().charge()\n", {"Gateway"}),
        ("def f():\n    with Gateway() as g:\n        g.charge()\n", {"Gateway"}),
        ("class f:\n    g: Gateway\n    def run(self):\n        self.g.charge()\n", {"Gateway"}),
        (
            "class f:\n    def __init__(self, g: Gateway):\n        self.g = g\n    def run(self):\n        self.g.charge()\n",
            {"Gateway"},
        ),
        ("def f():\n    g = make()\n    g.charge()\n", {"make"}),
    ],
)
def test_ways_to_bind(graph, body, targets):
    built = graph({"p": {"pay.py": PAY, "m.py": "from pay import Gateway, Other, make\n" + body}})
    rows = [r for r in built.rows("CALLS") if r[0] == "p/f"]
    assert {r[2].removeprefix("p/") for r in rows} == targets


def test_a_field_of_one_class_is_not_that_of_another(graph):
    text = (
        "from pay import Gateway, Other\n"
        "class A:\n    def __init__(self):\n        self.g = Gateway()\n"
        "class B:\n    def __init__(self):\n        self.g = Other()\n    def f(self):\n        self.g.charge()\n"
    )
    built = graph({"p": {"pay.py": PAY, "m.py": text}})
    assert [(r[0], r[2], r[4]) for r in built.rows("CALLS")] == [("p/A", "p/Gateway", [4]), ("p/B", "p/Other", [7, 9])]


STORE = "class ReadingStore:\n    def save_readings(self, readings): ...\n"


class TestCallsOnWhatNothingTells:
    def test_mean_the_one_function_of_a_name_of_several_words(self, graph):
        caller = "def post(store, readings):\n    store.save_readings(readings)\n"
        edge = graph({"weather": {"stores.py": STORE, "api.py": caller}}).edge("post", "ReadingStore")
        assert (edge.type, edge.status, edge.path, edge.lines) == ("CALLS", "confirmed", "api.py", (2,))
        assert [(e.rule, e.path, e.line, e.says) for e in edge.evidence] == [
            ("name at both ends", "api.py", 2, "post calls ReadingStore.save_readings"),
            ("definition", "stores.py", 2, "method ReadingStore.save_readings"),
        ]

    def test_in_a_project_that_the_file_imports_from(self, graph):
        model = "schema.methods.saveReadings = function saveReadings (readings) {};\n"
        models = {"package.json": '{"name": "@meadow/models", "main": "index.js"}', "index.js": model}
        caller = 'const { Box } = require("@meadow/models");\nfunction take (box) {\n  box.saveReadings([1]);\n}\n'
        ingest = {"package.json": '{"name": "ingest"}', "take.js": caller}
        edge = graph({"ingest": ingest, "models": models}).edge("take", "saveReadings")
        assert (edge.type, edge.status, edge.lines) == ("CALLS", "confirmed", (3,))

    @pytest.mark.parametrize(
        ("caller", "others"),
        [
            ("def post(store):\n    store.save_readings()\n", {"files.py": STORE.replace("Reading", "File")}),
            ("import boto3\n\ndef post():\n    store = boto3.client('s3')\n    store.save_readings()\n", {}),
            ("import stores_elsewhere\n\ndef post():\n    stores_elsewhere.save_readings()\n", {}),
            ("class Buffered:\n    def save_readings(self):\n        self.inner.save_readings()\n", {}),
            ("def post(save_readings):\n    save_readings()\n", {}),
            ("def post(store):\n    store.save()\n", {"saving.py": "class Saver:\n    def save(self): ...\n"}),
            ("def post(store):\n    store.keep_all_lines()\n", {"lines.py": "def keep_all_lines(): ...\n"}),
        ],
        ids=[
            "two are called so",
            "made by a library",
            "imported from a library",
            "what it wraps",
            "a parameter's call",
            "one word",
            "a function of a module",
        ],
    )
    def test_mean_nothing_where_something_else_may_be_meant(self, graph, caller, others):
        found = graph({"weather": {"stores.py": STORE, "api.py": caller, **others}})
        assert [row for row in found.rows("CALLS") if row[3] == "api.py"] == []

    def test_nor_where_variables_have_types(self, graph):
        store = "class ReadingStore { void saveReadings() {} }\n"
        caller = "class Api { void post(Client client) { client.open().saveReadings(); } }\n"
        assert graph({"weather": {"ReadingStore.java": store, "Api.java": caller}}).rows("CALLS") == []

    def test_a_fake_of_the_tests_is_no_second_one(self, graph):
        caller = "def post(store):\n    store.save_readings()\n"
        fake = {"tests/test_api.py": STORE.replace("Reading", "Fake")}
        found = graph({"weather": {"stores.py": STORE, "api.py": caller, **fake}})
        assert found.edge("post", "ReadingStore").lines == (2,)


def test_a_table_of_a_classs_name_is_not_what_code_makes(graph):
    store = (
        'class Store {\n  void Open() { Run("CREATE TABLE Plan (id int)"); }\n  Plan Load() { return new Plan(); }\n}\n'
    )
    found = graph({"shop": {"Plan.cs": "class Plan { }\n", "Store.cs": store}})
    made = [
        r for r in found.batch.relationships if (r.type, r.source.name, r.target.name) == ("CALLS", "Store", "Plan")
    ]
    assert [r.target.kind for r in made] == ["class"]
