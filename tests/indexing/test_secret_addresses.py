"""Secrets tell where services are, and nothing of what else stands in them is kept or shown."""

from __future__ import annotations

import base64

import pytest

from indexing.secret_addresses import addresses_digest, secret_facts
from memory.generation import DataFolder
from tests.indexing.test_vectors import found
from tests.organisation import ask, exported, index, write

ENV = """\
# PASSPHRASE_URL=zyxwvut0
export LEDGER_URL="http://ledger:8080/v1"  # the books
TILL_ADDR=till:9000
DATABASE_URI=postgres://vault:5432/shop
CACHE_HOST=kvstore
ORDERS_TOPIC='orders.placed'
TILL_PORT=9000
OUTSIDE_URL=https://api.example.com/x
LOCAL_URL=http://localhost:1
PAY_URL=http://user:grimblewick@till:80
SEARCH_URL=http://search?token=grimblewick
BROKER_URL=amqp://guest:grimblewick@rabbit
SIGN_HOST=9f86d081884c7d659a2feaa0c55ad015
FILE_ENDPOINT=two words grimblewick
DSN_URL=host=vault;password=grimblewick
API_TOKEN=grimblewick
GRIMBLEWICK=grimblewick
EMPTY_URL=
MAIL_TOPIC=http://grimblewick
a line
"""
MANIFEST = f"""\
apiVersion: v1
kind: Secret
metadata: {{name: shop}}
stringData:
  LEDGER_URL: http://ledger
  note: grimblewick
data:
  TILL_ADDR: {base64.b64encode(b"till:80").decode()}
  BAD_URL: "%%%"
  PASS: {base64.b64encode(b"grimblewick").decode()}
---
kind: ConfigMap
data: {{OTHER_URL: http://other}}
---
kind: Secret
data: {{NAMELESS_URL: aHR0cDovL3g=}}
"""


def said(tmp_path, **files):
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text)
    facts = secret_facts(tmp_path, [name.replace("__", ".") for name in files])
    return {path: [(clue.kind, clue.key, clue.value) for clue in one.clues] for path, one in facts.items()}


def test_only_what_is_nothing_but_an_address_is_read(tmp_path):
    assert said(tmp_path, __env=ENV) == {
        ".env": [
            ("settings", "env:.env/CACHE_HOST", "kvstore"),
            ("settings", "env:.env/DATABASE_URI", "vault"),
            ("settings", "env:.env/LEDGER_URL", "ledger"),
            ("settings", "env:.env/TILL_ADDR", "till"),
            ("topic name", "ORDERS_TOPIC", "orders.placed"),
        ]
    }
    facts = secret_facts(tmp_path, [".env"])
    assert {clue.line for clue in facts[".env"].clues} == {0}
    assert [clue.relation for clue in facts[".env"].clues if clue.value == "vault"] == ["STORES_IN"]


def test_a_kubernetes_secret_in_clear_and_in_base64(tmp_path):
    assert said(tmp_path, a__yaml=MANIFEST) == {
        "a.yaml": [
            ("settings", "secret:shop/LEDGER_URL", "ledger"),
            ("settings", "secret:shop/TILL_ADDR", "till"),
        ]
    }


def test_data_that_is_no_base64_is_nothing(tmp_path):
    text = 'kind: Secret\nmetadata: {name: s}\ndata: {X_URL: "dü", Y_URL: "/w==", A_URL: aHR0cDovL2NhcnQ=}\n'
    assert said(tmp_path, a__yaml=text) == {"a.yaml": [("settings", "secret:s/A_URL", "cart")]}


def test_what_is_no_such_file_is_not_opened(tmp_path):
    (tmp_path / "folder.env").mkdir()
    (tmp_path / "link.env").symlink_to(tmp_path / "a.pem")
    (tmp_path / "big.env").write_text("A_URL=http://a\n" * 10_000)
    files = {"a__pem": ENV, "credentials": ENV, "secret__json": ENV, "b__env": "NOTHING=1\n"}
    assert said(tmp_path, **files) == {}
    assert secret_facts(tmp_path, ["folder.env", "link.env", "big.env", "gone.env"]) == {}


def test_the_digest_is_of_what_is_kept(tmp_path):
    def digest(text):
        (tmp_path / ".env").write_text(text)
        return addresses_digest(secret_facts(tmp_path, [".env"]))

    first = digest("A_URL=http://a\nPASS=1\n")
    assert first == digest("PASS=2\n\nA_URL=http://a:80\n") != digest("A_URL=http://b\n")
    assert digest("PASS=1\n") == ""


SHOP = {
    "shop": {
        ".env": ENV,
        "compose.yaml": (
            "services:\n  web:\n    build: web\n    env_file: .env\n  ledger:\n    build: ledger\n"
            "  till:\n    image: till:1\n    environment:\n      - LEDGER_URL\n"
        ),
        "web/pay.py": 'import os\n\n\ndef pay():\n    return get(os.environ["TILL_ADDR"])\n',
        "web/orders.py": (
            "import os\nfrom kafka import KafkaProducer\n\ndef place(producer, order):\n"
            '    topic = os.environ["ORDERS_TOPIC"]\n    producer.send(topic, order)\n'
        ),
    }
}


def rows(edges, *types):
    return sorted(
        (e.source.name, e.type, e.target.name, e.path, tuple(e.lines)) for e in edges if not types or e.type in types
    )


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


async def test_an_edge_stands_where_the_secret_is_referred_to(tmp_path, data):
    await index(data, write(tmp_path / "org", SHOP), each=True)
    edges = (await exported(data))[1]
    assert rows(edges, "CALLS", "STORES_IN") == [
        ("till", "CALLS", "ledger", "compose.yaml", (10,)),
        ("web", "CALLS", "till", "web/pay.py", (5,)),
    ]
    assert {piece.path for edge in edges for piece in edge.evidence} <= set(SHOP["shop"]) - {".env"}
    assert ("web", "PUBLISHES", "orders.placed", "web/orders.py", (6,)) in rows(edges, "PUBLISHES")
    assert all(edge.status == "confirmed" for edge in edges if edge.type == "CALLS")


async def test_one_host_in_an_environment_file_is_who_the_service_calls(tmp_path, data):
    files = {
        "deploy/compose.yaml": (
            "services:\n  web:\n    build: ../web\n    env_file:\n      - path: ../conf/web.env\n  till:\n    image: t\n"
        ),
        "conf/web.env": "WHERE_URL=http://till\nPASSWORD=grimblewick\n",
    }
    await index(data, write(tmp_path / "org", {"shop": files}), each=True)
    assert rows((await exported(data))[1], "CALLS") == [("web", "CALLS", "till", "deploy/compose.yaml", (5,))]


async def test_the_nearest_environment_files_count_and_must_agree(tmp_path, data):
    code = 'import os\n\nX = get(os.environ["PEER_URL"])\n'
    files = {
        "compose.yaml": "services:\n"
        + "".join(f"  {name}:\n    build: {name}\n" for name in ("web", "till", "ledger", "desk")),
        ".env": "PEER_URL=http://ledger\n",
        "web/.env": "PEER_URL=http://till\n",
        "desk/.env": "PEER_URL=http://till\n",
        "desk/.env.local": "PEER_URL=http://web\n",
        **{f"{name}/main.py": code for name in ("web", "till", "desk")},
    }
    await index(data, write(tmp_path / "org", {"shop": files}), each=True)
    assert rows((await exported(data))[1], "CALLS") == [
        ("till", "CALLS", "ledger", "till/main.py", (3,)),
        ("web", "CALLS", "till", "web/main.py", (3,)),
    ]


async def test_a_kubernetes_secret_is_referred_to_by_the_pod(tmp_path, data):
    pod = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME}\nspec:\n  template:\n    spec:\n      containers:\n      - image: a\n"
    one = (
        "        env:\n        - name: BOOKS_URL\n          valueFrom:\n            secretKeyRef:\n"
        "              name: shop\n              key: LEDGER_URL\n"
    )
    files = {
        "web.yaml": pod.replace("NAME", "web") + one,
        "till.yaml": pod.replace("NAME", "till"),
        "ledger.yaml": pod.replace("NAME", "ledger"),
        "desk.yaml": pod.replace("NAME", "desk") + "        envFrom:\n        - secretRef: {name: one}\n",
        "shop.yaml": MANIFEST,
        "one.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: one}\nstringData: {WHERE_URL: http://till, pass: grimblewick}\n",
    }
    report = await index(data, write(tmp_path / "org", {"shop": files}), each=True)
    assert [row["path"] for row in report.to_dict(0)["skipped"]] == ["one.yaml", "shop.yaml"]
    assert rows((await exported(data))[1], "CALLS") == [
        ("desk", "CALLS", "till", "desk.yaml", (10,)),
        ("web", "CALLS", "ledger", "web.yaml", (13,)),
    ]


async def test_nothing_else_of_a_secret_is_kept_anywhere(tmp_path, data):
    org = write(tmp_path / "org", SHOP)
    (org / "shop/shop.yaml").write_text(MANIFEST)
    await index(data, org, each=True)
    assert found(data, "TILL_ADDR")
    planted = ("grimblewick", "zyxwvut0", "9f86d081884c", "guest", "token=", "API_TOKEN", ":5432", "the books")
    assert found(data, *planted) == []
    answer = str(await ask(data, "How does web connect to till?", {"project": "shop"}))
    assert "grimblewick" not in answer
    assert "/.env" not in answer


async def test_a_secret_that_says_something_else_is_a_change(tmp_path, data):
    org = write(tmp_path / "org", SHOP)
    await index(data, org, each=True)
    assert (await index(data, org, each=True)).unchanged
    (org / "shop/.env").write_text("TILL_ADDR=ledger:9000\nAPI_TOKEN=other\n")
    report = await index(data, org, each=True)
    assert not report.unchanged
    assert [len(project.difference.changed) for project in report.projects] == [0]
    assert ("web", "CALLS", "ledger", "compose.yaml", (4,)) in rows((await exported(data))[1])
    (org / "shop/.env").write_text("API_TOKEN=a third\nTILL_ADDR=ledger:9001\n")
    assert (await index(data, org, each=True)).unchanged
    (org / "shop/.env").unlink()
    await index(data, org, each=True)
    left = rows((await exported(data))[1], "CALLS")
    assert {(source, target) for source, _, target, *_ in left} == {
        ("till", "ledger"),
        ("web", "till"),
    }  # by their names
    with DataFolder.open(data).indexing("a look") as session:
        assert ".env" not in session.facts.files("shop")
