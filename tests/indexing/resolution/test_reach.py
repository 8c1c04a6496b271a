"""What a project offers and asks is what it is joined to others by; a change goes as far as that."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from indexing.resolution import KnownProject
from indexing.resolution.reach import Extent, Reach, extent_of


def reach(files, name="here"):
    return KnownProject(name, {path: extract_facts(path, text, name) for path, text in files.items()}).reach


def names(found, *kinds):
    return sorted(name for name in found if name.startswith(kinds))


def made(offers="", asks=""):
    return Reach(frozenset(offers), frozenset(asks))


# one letter a name: a asks for b's x, b for c's y, d for nothing
NOW = {"a": made(asks="x"), "b": made("x", "y"), "c": made("y"), "d": made("z")}


@pytest.mark.parametrize(
    ("before", "sources", "needed"),
    [
        ({"d": made("z")}, "d", "d"),
        ({"a": made()}, "a", "ab"),  # what it asks for is needed, and no further
        ({"b": made("x")}, "ab", "abc"),  # who asks for it is a source, and what those ask for is needed
        ({"c": made()}, "bc", "bc"),  # it offers y only since now
        ({"d": made("zy")}, "bd", "bcd"),  # it offered y until now; c, which offers it still, is needed
        ({"gone": made("x")}, "a", "ab"),
        ({"gone": made("w")}, "", ""),
    ],
)
def test_a_change_goes_to_who_asks_for_it_and_needs_what_they_ask_for(before, sources, needed):
    assert extent_of(NOW, before) == Extent(frozenset(sources), frozenset(needed))


def test_a_reach_is_written_and_read():
    assert Reach.from_dict(made("xz", "y").to_dict()) == made("xz", "y")
    assert made("zx").to_dict() == {"offers": ["x", "z"], "asks": []}


def test_python_modules():
    found = reach({"here/__init__.py": "import httpx\nfrom there.deep import f\nfrom here import other\nimport os\n"})
    assert found.offers == {". here", "project here"}
    assert found.asks == {". httpx", ". os", ". there"}  # its own is its own


def test_npm_packages():
    package = '{"name": "@org/here", "dependencies": {"@org/there": "1"}}'
    found = reach({"package.json": package, "a.ts": "import { f } from '@org/there/deep'\nimport './b'\n"})
    assert found.offers == {"/ @org/here", "npm package @org/here", "project here"}
    assert names(found.asks, "/", "npm") == ["/ @org/there", "npm package @org/there"]


def test_packages_of_java_and_what_is_named_in_full():
    text = "package org.here;\nimport org.there.B;\nclass A { void f(org.far.C c, org.here.D d) { c.g(); } }\n"
    found = reach({"A.java": text})
    assert found.offers == {"jvm org.here", "project here"}
    assert found.asks == {"jvm org.there", "jvm org.far", "jvm org", "jvm c"}  # a variable may be a package, too


def test_modules_of_go():
    found = reach({"go.mod": "module example.com/here\n", "a.go": 'package a\nimport "example.com/there/pkg"\n'})
    assert {"go example.com/here"} <= found.offers
    assert {"go example.com/there/pkg", "go example.com/there", "go example.com"} <= found.asks


def test_images_that_may_be_other_projects():
    compose = "services:\n  till:\n    image: ghcr.io/shop/cash-desk:1.2\n  api:\n    image: shop/api\n"
    found = reach({"compose.yaml": compose}, "shop")
    assert names(found.offers, "project") == ["project shop"]
    assert names(found.asks, "project") == ["project cashdesk"]


def test_tables_that_it_has_itself_it_does_not_ask_for():
    code = "def f():\n    run('SELECT 1 FROM customers')\n    run('SELECT 1 FROM orders')\n"
    found = reach({"a.py": code, "schema.sql": "CREATE TABLE orders (id INT);\n"})
    assert names(found.offers, "table") == ["table orders"]
    assert names(found.asks, "table") == ["table customers"]


def test_topics_that_it_publishes_it_does_not_ask_for_and_documents_ask_for_none():
    code = "def f(self):\n    self.bus.publish('order.placed', 1)\n    self.bus.subscribe('order.placed', f)\n    self.bus.subscribe('stock.low', f)\n"
    found = reach({"a.py": code, "README.md": "# x\n\nSee `parcel.sent` and `parcel`.\n"})
    assert names(found.offers, "topic") == ["topic order.placed", "topic stock.low"]
    assert names(found.asks, "topic") == ["topic stock.low"]


def test_services_by_any_spelling_and_hosts():
    compose = "services:\n  pay-ments:\n    build: .\n    environment:\n      LEDGER_URL: http://ledger-api:80\n      PAYMENTS_URL: http://pay-ments\n"
    found = reach({"compose.yaml": compose, "a.py": "import os\nU = os.environ['LEDGER_URL']\n"})
    assert "service payments" in found.offers
    assert names(found.asks, "service") == ["service ledgerapi"]


def test_endpoints_and_stubs():
    code = "from fastapi import FastAPI\nimport requests\nrequests.get('http://there/orders/items')\n\n@app.get('/parcels/items')\ndef items(): ...\n"
    proto = 'syntax = "proto3";\npackage p;\nservice Desk { rpc Get (A) returns (A); }\nmessage A {}\n'
    go = 'package main\nimport pb "example.com/p"\nfunc main() {\n\tc := pb.NewTillClient(conn)\n\tc.Get()\n}\n'
    found = reach({"a.py": code, "a.proto": proto, "main.go": go})
    assert names(found.offers, "endpoint") == ["endpoint /parcels/items"]
    assert names(found.asks, "endpoint") == ["endpoint /orders/items"]
    assert (names(found.offers, "grpc"), names(found.asks, "grpc")) == (["grpc Desk"], ["grpc Till"])


def test_a_port_of_the_machine_is_offered_to_nobody_else():
    compose = "services:\n  till:\n    image: a\n    ports: ['8081:80']\n"
    found = reach({"compose.yml": compose, "application.yml": "url: http://localhost:8081\n"})
    assert names(found.offers, "service till", "service localhost") == ["service till"]
    assert not names(found.asks, "service localhost")
