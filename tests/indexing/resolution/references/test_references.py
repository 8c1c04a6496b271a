"""Relations that names alone make, end to end."""

from __future__ import annotations

from extraction.reading import extract_facts
from indexing.resolution import resolve

SENDS = 'def tell(relay):\n    relay.dispatch_to("order-placed")\n'
HEARS = 'def listen(relay):\n    relay.poll_from("order-placed")\n'
TEMPLATE = (
    "Resources:\n  Invoices:\n    Type: AWS::SQS::Queue\n    Properties: {QueueName: paper-invoices}\n"
    "  Biller:\n    Type: AWS::Lambda::Function\n    Properties:\n      Environment:\n        Variables:\n"
    "          INVOICES_QUEUE_URL: !Ref Invoices\n"
)
READS = 'import os\n\n\ndef work(relay):\n    relay.dispatch_to(os.environ["INVOICES_QUEUE_URL"])\n'


def facts(projects):
    return {
        name: {path: extract_facts(path, text, name) for path, text in files.items()}
        for name, files in projects.items()
    }


def relations(projects, status="confirmed"):
    return {
        (r.source.name, r.type, r.target.name, r.path, r.lines)
        for r in resolve(facts(projects)).relationships
        if r.is_by_names and r.status == status
    }


def test_what_one_component_sends_and_another_receives_is_both_pieces():
    shop = {"shop": {"till/send.py": SENDS, "desk/hear.py": HEARS}}
    assert relations(shop) >= {
        ("till", "PUBLISHES", "order-placed", "till/send.py", (2,)),
        ("desk", "SUBSCRIBES", "order-placed", "desk/hear.py", (2,)),
    }
    (one,) = [r for r in resolve(facts(shop)).relationships if (r.source.name, r.type) == ("desk", "SUBSCRIBES")]
    # In 2 of 2 components: log(3/2) / log(3) = .37, which is enough where the words say what is done (.15).
    assert [(e.path, e.line) for e in one.evidence] == [("desk/hear.py", 2), ("till/send.py", 2)]
    assert "in 2 of 2 components, weight 0.37" in one.evidence[0].says


def test_what_code_makes_under_a_name_with_dots_is_called_so():
    makes = 'channel.assertQueue("cdn.map.updates");\n'
    hears = SENDS.replace("order-placed", "cdn.map.updates").replace("dispatch_to", "poll_from")
    found = relations({"shop": {"till/a.js": makes, "desk/b.py": hears}})
    assert ("tell", "SUBSCRIBES", "cdn.map.updates", "desk/b.py", (2,)) in found
    own = TEMPLATE.replace("paper-invoices", "paper.invoices.fifo")
    found = relations({"shop": {"infra/template.yaml": own, "biller/work.py": READS}})
    assert ("work", "PUBLISHES", "paper.invoices.fifo", "biller/work.py", (5,)) in found


def test_one_side_alone_is_nothing():
    assert relations({"shop": {"till/send.py": SENDS}}) == set()
    assert relations({"shop": {"till/send.py": SENDS, "till/hear.py": HEARS}}) == set()  # one component


def test_a_setting_hands_a_resource_to_the_code_that_reads_it():
    found = relations({"shop": {"infra/template.yaml": TEMPLATE, "biller/work.py": READS}})
    assert ("work", "PUBLISHES", "paper-invoices", "biller/work.py", (5,)) in found
    assert ("Biller", "PUBLISHES", "paper-invoices", "infra/template.yaml", (10,)) in found  # as the code that reads it
    assert ("infra/template", "DEPLOYS", "Biller", "infra/template.yaml", (5,)) in found


def test_between_projects_the_other_one_must_make_it():
    code = 'channel.assertQueue("paper-invoices");\n'
    shops = {"till": {"src/a.py": SENDS.replace("order-placed", "paper-invoices")}, "desk": {"src/b.js": code}}
    assert ("tell", "PUBLISHES", "paper-invoices", "src/a.py", (2,)) in relations(shops)
    assert relations({"till": shops["till"]}) == set()


def test_what_two_projects_only_call_so_refers_to_neither():
    default = 'import os\n\nNAME = os.environ.get("STREAM", "paper-invoices")\n'
    shops = {"till": {"settings.py": default}, "desk": {"settings.py": 'STREAM_NAME = "paper-invoices"\n'}}
    assert not relations(shops) | relations(shops, "candidate")
    shops["till"]["a.py"] = SENDS.replace("order-placed", "paper-invoices")
    assert ("tell", "PUBLISHES", "paper-invoices", "a.py", (2,)) in relations(shops)


def test_an_address_is_called_after_a_component():
    calls = "async function f() {\n  return fetch(`${config.ordersUrl}/orders/1`);\n}\n"
    shop = {"shop": {"till/a.js": calls, "orders/package.json": '{"name": "orders"}', "orders/b.js": "let a = 1;\n"}}
    assert ("till", "CALLS", "orders", "till/a.js", (2,)) in relations(shop)


def test_order_and_other_projects_change_nothing():
    shop = {"shop": {"till/send.py": SENDS, "desk/hear.py": HEARS}, "other": {"x/hear.py": HEARS}}
    turned = {"other": shop["other"], "shop": dict(reversed(shop["shop"].items()))}
    assert resolve(facts(shop)).relationships == resolve(facts(turned)).relationships
    alone = [r for r in resolve(facts({"shop": shop["shop"]})).relationships if r.is_by_names]
    both = [r for r in resolve(facts(shop)).relationships if r.is_by_names and r.project == "shop"]
    assert alone == both


COMPOSE = (
    "services:\n  till:\n    build: till\n    environment:\n      - ORDER_QUEUE_NAME=orders\n      - ORDERS_TABLE=order-rows\n"
    "  desk:\n    build: desk\n    environment:\n      ORDER_QUEUE_NAME: orders\n      BOARD_URL: http://big-board:80\n"
    "  big-board:\n    image: acme/board\n"
)


def test_what_a_service_of_a_compose_file_is_given_is_not_the_folders_that_the_file_lies_in():
    files = {"till/compose.yaml": COMPOSE.replace("build: till", "build: .").replace("build: desk", "build: ../desk")}
    found = resolve(facts({"shop": {**files, "till/main.py": "x = 1\n", "desk/main.py": "x = 1\n"}})).relationships
    assert {r.source.name for r in found if r.target.name == "big-board"} == {"desk"}


def test_who_is_given_a_queue_uses_it_the_way_its_code_does():
    sends = 'import os\n\n\ndef tell(relay):\n    relay.dispatch_to(os.environ["ORDER_QUEUE_NAME"])\n'
    hears = sends.replace("dispatch_to", "poll_from")
    files = {"compose.yaml": COMPOSE, "till/send.py": sends, "desk/hear.py": hears}
    found = relations({"shop": files})
    assert ("till", "PUBLISHES", "orders", "compose.yaml", (5,)) in found
    assert ("desk", "SUBSCRIBES", "orders", "compose.yaml", (10,)) in found
    assert ("till", "USES_TABLE", "order-rows", "compose.yaml", (6,)) in found


def test_a_store_that_is_spelled_out_is_stored_in():
    files = {
        "compose.yaml": "services:\n  till: {build: till}\n  till-db: {image: postgres}\n",
        "till/more/app.yaml": "till:\n  DATA_URL: postgresql://till-db:5432/x\n",
    }
    assert {row[:3] for row in relations({"shop": files})} == {("till", "STORES_IN", "till-db")}


def test_a_project_that_is_called_by_its_name_is_meant():
    asks = 'object Settings {\n  val boardUrl = services.baseUrl("big-board")\n}\n'
    files = {"till-desk": {"app/Settings.scala": asks}, "big-board": {"README.md": "# Big board\n"}}
    found = {
        (r.source.project, r.source.name, r.type, r.target.project, r.target.name)
        for r in resolve(facts(files)).relationships
    }
    assert ("till-desk", "till-desk", "CALLS", "big-board", "big-board") in found
    assert ("till-desk", "Settings", "CALLS", "big-board", "big-board") in found
    named = {
        "till-desk": {"app/Settings.scala": asks.replace("boardUrl", "board").replace("baseUrl", "title")},
        "big-board": files["big-board"],
    }
    assert not [
        r
        for r in resolve(facts(named)).relationships
        if r.target.project == "big-board" and r.source.project != "big-board"
    ]


def test_a_collection_that_a_class_names_is_its_projects_own():
    keeps = 'class Tills extends Repository(collectionName = "tills") {\n  def all = find()\n}\n'
    found = {
        (r.source.name, r.type, r.target.name)
        for r in resolve(facts({"shop": {"app/Tills.scala": keeps}})).relationships
    }
    assert {("Tills", "USES_TABLE", "tills"), ("shop", "OWNS_TABLE", "tills")} <= found


def test_the_folders_of_a_package_are_no_component():
    keeps = 'package org.acme.shop.tills\nclass Tills extends Repository(collectionName = "tills") {}\n'
    found = resolve(facts({"shop": {"app/org/acme/shop/tills/Tills.scala": keeps}}))
    assert not [one for one in found.entities if one.kind == "package"]


def test_a_table_that_a_constant_names_is_used_where_the_constant_is():
    files = {
        "till/constants.py": 'PAID_ORDERS_COLLECTION = "paid_orders"\n',
        "till/dao.py": "def rows(factory):\n    return factory.get_dao(name=PAID_ORDERS_COLLECTION)\n",
    }
    found = {(source, relation, target) for source, relation, target, _, _ in relations({"shop": files})}
    assert {("rows", "USES_TABLE", "paid_orders"), ("shop", "OWNS_TABLE", "paid_orders")} <= found


def test_an_address_in_a_setting_leads_to_the_store_that_it_is_called_after():
    files = {
        "docker-compose.yml": "services:\n  till:\n    build: till\n  redis:\n    image: redis:7\n",
        "till/Dockerfile": "FROM python\n",
        "till/cache.py": "def cache(config):\n    return connect(config.redis_url)\n",
    }
    found = {(source, relation, target) for source, relation, target, _, _ in relations({"shop": files})}
    assert {("cache", "STORES_IN", "redis"), ("till", "STORES_IN", "redis")} <= found


def test_what_a_label_of_tables_is_called_is_no_table():
    labels = 'class Tags:\n    TABLE_TAG = "x"\n    COLLECTION = "db.mongodb.collection"\n'
    found = {row[2] for row in relations({"shop": {"till/tags.py": labels}})}
    assert "db.mongodb.collection" not in found
