"""Services that code invokes by their name, as the frameworks' documentation has it."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts

CALLS = [
    ("dapr in Go", "a.go", 'package a\nimport dapr "github.com/dapr/go-sdk/client"\nfunc f() {\n c.InvokeMethod(context.Background(), "stock", "items/1", "get")\n c.InvokeMethodWithContent(ctx, "till", "pay", "post", x)\n}\n', [("stock", 4), ("till", 5)]),
    ("dapr in C#", "A.cs", 'using Dapr.Client;\nclass A { async Task F() {\n await client.InvokeMethodAsync<Order, Receipt>(HttpMethod.Post, "till", "pay", o);\n var http = DaprClient.CreateInvokeHttpClient("stock"); } }\n', [("till", 3), ("stock", 4)]),
    ("dapr in Python", "a.py", 'from dapr.clients import DaprClient\ndef f(c):\n    c.invoke_method("stock", "items", data=b"")\n', [("stock", 3)]),
    ("dapr in JavaScript", "a.js", "const { DaprClient } = require('@dapr/dapr')\nasync function f() { await client.invoker.invoke('stock', 'items', GET) }\n", [("stock", 2)]),
    ("dapr in Java", "A.java", 'import io.dapr.client.DaprClient;\nclass A { void f() {\n client.invokeMethod("stock", "items", r, HttpExtension.GET, byte[].class).block(); } }\n', [("stock", 3)]),
    ("dapr's sidecar", "a.py", 'import requests  # through dapr\ndef f(port):\n    requests.get(f"http://localhost:{port}/v1.0/invoke/stock/method/items")\n', [("stock", 3)]),
    ("dapr's header", "a.ts", "// dapr\nexport const f = () => axios.get(base, { headers: { 'dapr-app-id': 'stock' } })\n", [("stock", 2)]),
    ("nameko", "a.py", "from nameko.rpc import RpcProxy\nclass Gateway:\n    name = 'gateway'\n    stock_rpc = RpcProxy('stock')\n", [("stock", 4)]),
    ("moleculer", "a.js", 'module.exports = { name: "till", actions: { pay(ctx) { return ctx.call("v2.stock.take", ctx.params) } } }\n', [("stock", 1)]),
    ("a comment", "a.py", "from nameko.rpc import RpcProxy\n# RpcProxy('stock')\n", []),
    ("another's method", "a.go", 'package a\nfunc f() { c.InvokeMethod(ctx, "stock", "x") }\n', []),
    ("a test", "tests/a.py", "from nameko.rpc import RpcProxy\nx = RpcProxy('stock')\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
def test_invocations(path, text, expected):
    facts = extract_facts(path, text, "shop")
    found = [(c.key, c.line) for c in facts.clues if c.says.startswith("invokes ")]
    assert found == expected
    assert {c.relation for c in facts.clues if c.says.startswith("invokes ")} <= {"CALLS"}
    assert ({"dapr", "nameko", "moleculer"} & {*facts.recognised} != set()) == bool(expected)


ENDPOINTS = [
    ("a.go", 'package a\nimport dapr "github.com/dapr/go-sdk/client"\nfunc f() {\n c.InvokeMethod(ctx, "stock", "items/1", "put")\n}\n', ("/items/1", "PUT //stock")),
    ("A.cs", 'class A { Task F() => new DaprClient().InvokeMethodAsync<Id, Item>(\n  "stock", "get-item", id); }\n', ("/get-item", "POST //stock")),
    ("A.cs", 'class A { Task F() => dapr /* DaprClient */.InvokeMethodAsync<Item>(HttpMethod.Get, "stock", "items"); }\n', ("/items", "GET //stock")),
    ("a.py", 'from dapr.clients import DaprClient\ndef f(c):\n    c.invoke_method("stock", "items", data=b"", http_verb="DELETE")\n', ("/items", "DELETE //stock")),
    ("A.java", 'import io.dapr.client.DaprClient;\nclass A { void f() {\n client.invokeMethod("stock", "items", r, HttpExtension.PATCH, x); } }\n', ("/items", "PATCH //stock")),
    ("A.cs", 'class A { Task F() => dapr /* DaprClient */.InvokeMethodGrpcAsync<A, B>("stock", "GetItem", a); }\n', None),
    ("a.go", 'package a\nimport dapr "github.com/dapr/go-sdk/client"\nfunc f() {\n c.InvokeMethod(ctx, "stock", method, "put")\n}\n', None),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), ENDPOINTS)
def test_which_endpoint_dapr_invokes(path, text, expected):
    facts = extract_facts(path, text, "shop")
    found = [(c.key, c.value) for c in facts.clues if c.kind == "endpoint"]
    assert found == ([expected] if expected else [])
