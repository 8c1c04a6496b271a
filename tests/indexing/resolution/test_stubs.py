"""Who serves a service of gRPC and who has a stub of it."""

from __future__ import annotations

COMPOSE_OF_STUBS = "services:\n  web: {build: web}\n  carts: {build: carts}\n"
PROTO = "package shop;\nservice CartService {\n  rpc Add(A) returns (B);\n}\n"
SERVER = "import grpc\ndef serve():\n    add_CartServiceServicer_to_server(x, y)\n"
STUB = "import grpc\ndef buy():\n    return CartServiceStub(channel)\n"


def test_a_stub_the_proto_and_the_server(graph):
    files = {
        "compose.yml": COMPOSE_OF_STUBS,
        "pb/cart.proto": PROTO,
        "web/pb/cart.proto": PROTO,
        "carts/a.py": SERVER,
        "web/b.py": STUB,
    }
    found = graph({"shop": files})
    assert found.rows("EXPOSES", "INVOKES") == [
        ("shop/buy", "INVOKES", "shop/CartService", "web/b.py", [3]),
        ("shop/carts", "EXPOSES", "shop/CartService", "carts/a.py", [3]),
        ("shop/web", "INVOKES", "shop/CartService", "web/b.py", [3]),
    ]
    assert {r.target.path for r in found.batch.relationships if r.type == "INVOKES"} == {"pb/cart.proto"}
    assert [(e.rule, e.path) for e in found.edge("web", "carts").evidence] == [
        ("grpc", "web/b.py"), ("grpc", "carts/a.py"), ("protobuf", "pb/cart.proto"),
    ]  # fmt: skip


def test_a_stub_or_a_server_alone_proves_nothing(graph):
    found = graph({"shop": {"compose.yml": COMPOSE_OF_STUBS, "carts/a.py": SERVER, "web/b.py": STUB}})
    assert not found.rows("EXPOSES", "INVOKES")
    assert not [r for r in found.rows("CALLS") if r[0] == "shop/web"]


def test_a_service_that_has_a_stub_of_itself(graph):
    files = {"compose.yml": COMPOSE_OF_STUBS, "pb/cart.proto": PROTO, "carts/a.py": SERVER, "carts/b.py": STUB}
    assert [r[0] for r in graph({"shop": files}).rows("INVOKES", "CALLS")] == ["shop/buy"]


def test_another_project_that_serves_it_in_the_same_package(graph):
    serving = {"compose.yml": "services:\n  carts: {build: .}\n", "cart.proto": PROTO, "a.py": SERVER}
    asking = {"compose.yml": "services:\n  web: {build: .}\n", "b.py": STUB, "cart.proto": PROTO}
    both = graph({"carts": serving, "web": asking})
    assert both.edge("web", "carts").status == "confirmed"
    assert {r[2] for r in both.rows("INVOKES")} == {"carts/CartService", "web/CartService"}
    without = graph({"carts": serving, "web": {k: v for k, v in asking.items() if k != "cart.proto"}})
    assert {r[2] for r in without.rows("INVOKES", status="confirmed")} == {"carts/CartService"}
    other = graph({"carts": serving, "web": {**asking, "cart.proto": PROTO.replace("shop", "other")}})
    assert {r[2] for r in other.rows("INVOKES")} == {"web/CartService"}
    assert not [r for r in other.rows("CALLS") if r[0] == "web/web"]


def test_a_call_of_an_rpc_on_what_is_typed_as_a_stub(graph):
    files = {
        "compose.yml": COMPOSE_OF_STUBS,
        "pb/cart.proto": PROTO,
        "carts/a.py": SERVER,
        "carts/b.py": "class CartService:\n    def add(self): ...\n\n\ndef own(carts: CartService):\n    carts.add()\n",
        "web/Shop.java": "class Shop {\n  CartServiceClient carts;\n  CartStore store;\n  void buy() {\n    carts.add(one);\n    store.add(one);\n  }\n}\n",
    }
    found = graph({"shop": files})
    assert [row for row in found.rows("INVOKES", "CALLS") if row[2] in {"shop/CartService", "shop/carts"}] == [
        ("shop/Shop", "INVOKES", "shop/CartService", "web/Shop.java", [5]),
        ("shop/own", "CALLS", "shop/CartService", "carts/b.py", [6]),
        ("shop/web", "CALLS", "shop/carts", "web/Shop.java", [5]),
        ("shop/web", "INVOKES", "shop/CartService", "web/Shop.java", [5]),
    ]
