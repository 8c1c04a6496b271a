"""What a change may have touched is found: the graph that was kept up to date is the one of all facts.

See docs/design.md#generations.

Histories (beside this) live through edits of two projects; here organisations of three are drawn from every kind of line that
joins projects, and one of them changes, comes or goes.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from extraction.reading import extract_facts
from indexing.graph import GraphWriter, recorded
from indexing.resolution import KnownProject, resolve
from memory.generation import FactsFolder, ProjectRecord, Stage
from memory.graph import FakeGraphStore, GraphStore, KgliteGraphStore
from tests.organisation import Unsynced

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove

TRIES = max(10, int(os.environ.get("HYBRID_RETRIEVAL_TEST_EXAMPLES", "200")) // 4)
A_PART = 1  # byte of facts: each project is a part of its own where everything is written
NAMES = ("alpha", "beta", "gamma")
TOPICS = ("order.placed", "orders")
BUS = "class Desk:\n    def f(self):\n        self.bus.{}('{{2}}', self.g)\n"
LINES = {  # file → what may stand in it; {0}, {1}: two of the names, {2}: a topic
    "{0}/__init__.py": ["from {1} import f\n", "from {1} import *\n", "def f(): ...\n", "class K:\n    def f(self): ...\n"],
    "main.py": [
        "from {0} import f\nf()\n",
        "import {0}\n{0}.f()\n",
        "from {0} import K\nclass L(K): ...\ndef g(k: K):\n    k.f()\n",
    ],
    "bus.py": [BUS.format("publish"), BUS.format("subscribe")],
    "web.py": [
        "import requests\ndef g():\n    requests.get('http://{0}/{1}/items')\n",
        "import requests\ndef h():\n    requests.get(f'{{self.{0}_url}}/{1}/items')\n",
        "from fastapi import FastAPI\n@app.get('/{1}/items')\ndef items(): ...\n",
    ],
    "rows.py": ["def q():\n    run('SELECT 1 FROM {0}')\n"],
    "schema.sql": ["CREATE TABLE {0} (id INT);\n"],
    "settings.py": ["import os\nURL = os.environ['{0}_URL']\n"],
    "compose.yaml": [
        "services:\n  {0}:\n    build: .\n    environment:\n      {1}_URL: http://{1}:80\n",
        "services:\n  {0}:\n    build: .\n  {1}:\n    image: {1}\n",
    ],
    "pyproject.toml": ['[project]\nname = "{0}"\ndependencies = ["{1}"]\n', '[project]\nname = "{1}-{0}"\n'],
    "package.json": ['{{"name": "@org/{0}", "dependencies": {{"@org/{1}": "1"}}}}'],
    "index.js": [
        "import {{ f }} from '@org/{0}'\nexport function g() {{ f() }}\n",
        "export {{ f }} from '@org/{1}'\n",
        "export function f() {{}}\n",
    ],
    "README.md": ["# {0}\n\nAn `order.placed` is sent by {1}.\n"],
    "keys.py": ["def f(redis):\n    redis.sadd('rain:open:{1}', 1)\n", "def g(store):\n    store.keep_all_readings()\n"],
    "kustomization.yaml": ["images:\n  - name: ghcr.io/org/{0}-worker\n  - name: ghcr.io/org/{1}\n"],
    ".github/workflows/ci.yml": ["env:\n  IMAGE: ghcr.io/org/{0}-worker\n  - uses: org/{1}-tools@v1\n"],
    "shop.proto": ["package {0};\nservice CartService {{\n  rpc Add(A) returns (B);\n}}\n"],
    "stub.py": [
        "import grpc\ndef serve():\n    add_CartServiceServicer_to_server(x, y)\n",
        "import grpc\ndef buy():\n    return CartServiceStub(channel)\n",
    ],
    "go.mod": ["module example.com/{0}\n\nrequire example.com/{1} v1.0.0\n"],
    "pb/a.go": ['package pb\nimport "example.com/{0}/pb"\nfunc F() {{ pb.G() }}\n', "package pb\nfunc G() {{}}\n"],
    "A.java": [
        "package org.{0};\nimport org.{1}.B;\npublic class A {{ void f(B b) {{ b.g(); }} }}\n",
        "package org.{0};\npublic class A {{ void f(org.{1}.B b) {{ b.g(); }} }}\n",
    ],
    "B.java": ["package org.{0};\npublic class B {{ static void g() {{}} }}\n", "package org;\npublic class {0} {{}}\n"],
}  # fmt: skip


def text_of(variants):
    filled = st.builds(str.format, st.sampled_from(variants), *[st.sampled_from(NAMES)] * 2, st.sampled_from(TOPICS))
    return st.lists(filled, min_size=1, max_size=2, unique=True).map("".join)


def files_of(name):
    """A project: some of the files, those that are named after a project as this one."""
    some = {path.format(name): text_of(variants) for path, variants in LINES.items()}
    return st.sets(st.sampled_from(sorted(some)), min_size=6, max_size=12).flatmap(
        lambda paths: st.fixed_dictionaries({path: some[path] for path in sorted(paths)})
    )


read = cache(extract_facts)


def facts_of(organisation):
    return {p: {path: read(path, text, p) for path, text in files.items()} for p, files in organisation.items()}


@dataclass
class OneStore:
    """The same graph at each opening."""

    opened: Callable[[], GraphStore]

    def open_graph(self, path, namespace, *, copied):
        return self.opened()


async def kept_up_to_date(folder, opened, organisations):
    """One run after another over each of the organisations, with what changed between them."""
    before, kept, disk = {}, FactsFolder(folder / "0"), Unsynced()
    for number, organisation in enumerate(organisations, 1):
        changed = facts_of({name: files for name, files in organisation.items() if before.get(name) != files})
        gone = frozenset(before.keys() - organisation.keys())
        stage = Stage(folder / str(number), copied=number > 1)
        stage.path.mkdir()
        for name, facts in changed.items():
            stage.facts.write(disk, name, recorded(KnownProject(name, facts), {}))
        writer = GraphWriter(OneStore(opened), kept, "n", facts_a_part=A_PART)
        records = {name: ProjectRecord(name, f"/{name}") for name in before}
        written = await writer.update(stage, records, gone, frozenset(changed))
        stage.facts.keep(disk, organisation, kept)
        after = stage.facts
        before, kept = organisation, after
        everyone, graph = frozenset(organisation), opened()
        batch = resolve(facts_of(organisation))
        fresh = FakeGraphStore(batch)  # whose edges end at the entities that it holds
        entities, edges = await graph.all_entities(permission=everyone), await graph.all_edges(permission=everyone)
        assert entities == batch.entities
        assert edges == await fresh.all_edges(permission=everyone)
        for counted, found in ((written.entities, entities), (written.relations, edges)):
            right = {name: sum(one.project == name for one in found) for name in counted if name in organisation}
            assert {name: n for name, n in counted.items() if name in organisation} == right


alike = partial(
    settings,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
    phases=[Phase.explicit, Phase.generate],  # to make a failing story smaller takes minutes
)
ORGANISATIONS = st.dictionaries(st.sampled_from(NAMES), st.none(), min_size=2).flatmap(
    lambda some: st.fixed_dictionaries({name: files_of(name) for name in sorted(some)})
)
CHAIN = {  # alpha has from beta what beta has from gamma
    "alpha": {"main.py": "from beta import f\nf()\n"},
    "beta": {"beta/__init__.py": "from gamma import f\n"},
    "gamma": {"gamma/__init__.py": "def f(): ...\n"},
}


@st.composite
def stories(draw):
    """An organisation, and what becomes of it when a project is another, is gone or is new."""
    first = draw(ORGANISATIONS)
    states = [first]
    for _ in range(draw(st.integers(1, 2))):
        name = draw(st.sampled_from(NAMES))
        files = draw(st.none() | files_of(name))
        rest = {other: text for other, text in states[-1].items() if other != name}
        states.append(rest if files is None else {**rest, name: files})
    return states


JOINED = {  # what asks, and what is offered: one pair for each kind of name
    "module": ({"a.py": "from two import f\nf()\n"}, {"two/__init__.py": "def f(): ...\n"}),
    "npm": (
        {"package.json": '{"name": "one"}', "a.js": "import { f } from '@org/two'\nf()\n"},
        {"package.json": '{"name": "@org/two"}', "index.js": "export function f() {}\n"},
    ),
    "java": (
        {"A.java": "package org.one;\nimport org.two.B;\nclass A { void f(B b) { b.g(); } }\n"},
        {"B.java": "package org.two;\npublic class B { void g() {} }\n"},
    ),
    "in full": (
        {"A.java": "package org.one;\nclass A { void f(org.two.B b) { b.g(); } }\n"},
        {"B.java": "package org.two;\npublic class B { void g() {} }\n"},
    ),
    "go": (
        {"a.go": 'package one\nimport "example.com/two/pb"\nfunc F() { pb.G() }\n'},
        {"go.mod": "module example.com/two\n", "pb/b.go": "package pb\nfunc G() {}\n"},
    ),
    "package": (
        {"pyproject.toml": '[project]\nname = "one"\ndependencies = ["two"]\n'},
        {"pyproject.toml": '[project]\nname = "two"\n'},
    ),
    "table": ({"a.py": "def q():\n    run('SELECT 1 FROM parcels')\n"}, {"b.sql": "CREATE TABLE parcels (id INT);\n"}),
    "service": (
        {"compose.yaml": "services:\n  one:\n    build: .\n    environment:\n      TWO_URL: http://two:80\n", "a.py": "import os\nU = os.environ['TWO_URL']\n"},
        {"compose.yaml": "services:\n  two:\n    build: .\n"},
    ),
    "topic": (
        {"a.py": BUS.format("subscribe").format("", "", "order.placed")},
        {"b.py": BUS.format("publish").format("", "", "order.placed")},
    ),
    "endpoint": (
        {"a.py": "import requests\ndef g():\n    requests.get('http://two/parcels/late')\n"},
        {"b.py": "from fastapi import FastAPI\n@app.get('/parcels/late')\ndef late(): ...\n"},
    ),
    "endpoint that both serve": (
        {
            "a.py": "from fastapi import FastAPI\n@app.post('/lots/{id}/close')\ndef close(id): ...\n",
            "b.js": "class LotDepotService {\n  f(id) { return this.httpService.post(`/lots/${id}/close`) }\n}\n",
        },
        {
            "lot-depot/compose.yaml": "services:\n  lot-depot:\n    build: .\n",
            "lot-depot/b.py": "from fastapi import FastAPI\n@app.post('/lots/{id}/close')\ndef close(id): ...\n",
        },
    ),
    "image": (
        {"kustomization.yaml": "images:\n  - name: ghcr.io/org/worker\n"},
        {".github/workflows/ci.yml": "env:\n  IMAGE: ghcr.io/org/worker\n"},
    ),
    "key of a store": (
        {"a.py": "def f(redis):\n    redis.sadd('rain:open', 1)\n"},
        {"b.py": "def g(redis):\n    redis.smembers('rain:open')\n"},
    ),
    "the one function of a name": (
        {"package.json": '{"name": "one"}', "a.js": "const { Box } = require('@org/two')\nfunction f (box) { box.saveReadings(1) }\n"},
        {"package.json": '{"name": "@org/two"}', "index.js": "schema.methods.saveReadings = function saveReadings () {}\n"},
    ),
    "stub": (
        {"a.py": "import grpc\ndef buy():\n    return CartServiceStub(channel)\n"},
        {
            "b.proto": "package two;\nservice CartService {\n  rpc Add(A) returns (B);\n}\n",
            "b.py": "import grpc\ndef serve():\n    add_CartServiceServicer_to_server(x, y)\n",
        },
    ),
}  # fmt: skip
REST = {"moon": {"moon/__init__.py": "def rise(): ...\n"}}  # else a change of both were a change of all


@pytest.mark.parametrize("kind", JOINED)
async def test_every_kind_of_name_leads_from_what_offers_it_to_who_asks(tmp_path, kind):
    asks, offers = JOINED[kind]
    lower = {path: text if path.endswith(".json") else f"\n{text}" for path, text in offers.items()}
    moved = {f"deep/{path}" if path.endswith((".js", ".json")) else path: text for path, text in lower.items()}
    both = {"one": asks, "two": offers, **REST}
    drawn = resolve(facts_of(both))
    assert ("one", "two") in {(r.source.project, r.target.project) for r in drawn.relationships}
    graph = FakeGraphStore()
    states = [both, {**both, "two": moved}, {"one": asks, **REST}, both, {"two": offers, **REST}, both]
    await kept_up_to_date(tmp_path, lambda: graph, states)


@alike(max_examples=TRIES)
@given(stories())
@example([CHAIN, {**CHAIN, "gamma": {"gamma/__init__.py": "\n\ndef f(): ...\n"}}])
@example([CHAIN, {**CHAIN, "beta": {"beta/__init__.py": "def f(): ...\n"}}])
@example([CHAIN, {name: CHAIN[name] for name in ("alpha", "gamma")}])
@pytest.mark.slow
def test_a_graph_that_is_kept_up_to_date_is_that_of_all_facts(organisations):
    with tempfile.TemporaryDirectory() as folder:
        graph = FakeGraphStore()
        anyio.run(kept_up_to_date, Path(folder), lambda: graph, organisations)


@alike(max_examples=max(1, TRIES // 10))
@given(stories())
def test_in_the_embedded_engine_too(organisations):
    with tempfile.TemporaryDirectory() as folder:
        graph = Path(folder) / "graph"
        KgliteGraphStore.create(graph, namespace="n")
        opened = partial(KgliteGraphStore.stage, graph, namespace="n", timeout_ms=60_000, entities_a_file=12)
        anyio.run(kept_up_to_date, Path(folder), opened, organisations)
