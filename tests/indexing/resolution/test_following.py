"""What code does by way of other code, and what services have to do with each other."""

from __future__ import annotations

CREATED = "CREATE TABLE orders (id INT);\n"
STORE = 'class Store:\n    def place(self, order):\n        return run("INSERT INTO orders VALUES (1)")\n'
ASKED = "from store import Store\n\n\ndef checkout(order):\n    Store().place(order)\n"


def test_who_calls_the_function_that_uses_a_table_uses_it(graph):
    found = graph({"shop": {"schema.sql": CREATED, "store.py": STORE, "till.py": ASKED}})
    edge = found.edge("checkout", "orders", "USES_TABLE")
    assert [(e.path, e.line, e.says) for e in edge.evidence][:2] == [
        ("till.py", 5, "calls Store.place"),
        ("schema.sql", 1, "table orders"),
    ]
    other = {"schema.sql": CREATED, "store.py": STORE.replace("place", "other"), "till.py": ASKED}
    assert not [row for row in graph({"shop": other}).rows("USES_TABLE") if row[0] == "shop/checkout"]


def test_what_does_much_passes_nothing_on(graph):
    tables = "abcd"
    uses = "".join('        run("INSERT INTO table_X VALUES (1)")\n'.replace("X", name) for name in tables)
    files = {
        "schema.sql": "".join(f"CREATE TABLE table_{name} (id INT);\n" for name in tables),
        "store.py": f"class Store:\n    def place(self, order):\n{uses}",
        "till.py": ASKED,
    }
    assert not [row for row in graph({"shop": files}).rows("USES_TABLE") if row[0] == "shop/checkout"]


def test_tables_of_other_projects_do_not_change_what_is_passed_on(graph):
    created = CREATED.replace("orders", "order_lines")  # one word between projects is a candidate
    store = STORE.replace("orders", "order_lines")
    seen = {"shop": {"store.py": store, "till.py": ASKED}, "billing": {"schema.sql": created}}
    forbidden = {name: {"schema.sql": created} for name in ("auth", "crm", "notify", "stock")}
    own = [row for row in graph(seen | forbidden).rows() if {row[n].split("/")[0] for n in (0, 2)} <= seen.keys()]
    assert ("shop/checkout", "USES_TABLE", "billing/order_lines", "till.py", [5]) in own
    assert own == graph(seen).rows()


def test_who_makes_a_class_that_is_stored_uses_its_table(graph):
    model = 'from sqlalchemy import x\n\n\nclass Order(Base):\n    __tablename__ = "orders"\n'
    files = {
        "schema.sql": CREATED,
        "model.py": model,
        "till.py": "from model import Order\n\n\ndef sell():\n    db.add(Order())\n",
    }
    assert ("shop/sell", "USES_TABLE", "shop/orders", "till.py", [5]) in graph({"shop": files}).rows("USES_TABLE")


def test_a_class_is_called_the_client_of_a_component(graph):
    client = "package clients\nclass BagTrackerClient {\n  def createBag(b: Bag): Unit = { x }\n}\n"
    worker = (
        "package register\nimport clients.BagTrackerClient\nclass Register(tracker: BagTrackerClient) {\n"
        "  def run(b: Bag): Unit = {\n    tracker.createBag(b)\n  }\n}\n"
    )
    files = {
        "bag_tracker/src/main/scala/Client.scala": client,
        "bag_tracker/Dockerfile": "FROM jre\n",
        "register/src/main/scala/Register.scala": worker,
    }
    rows = graph({"bags": files}).rows("CALLS")
    assert ("bags/Register", "CALLS", "bags/bag_tracker", "register/src/main/scala/Register.scala", [5]) in rows


def test_who_calls_a_handler_itself_does_not_listen(graph):
    task = "from celery import shared_task\n\n\n@shared_task\ndef translate(pk):\n    pass\n"
    call = "from tasks import translate\n\n\ndef finish(pk):\n    translate(pk)\n"
    rows = graph({"shop": {"tasks.py": task, "done.py": call}}).rows("SUBSCRIBES")
    assert {row[0] for row in rows} == {"shop/translate"}


SERVICES = "services:\n  kitchen: {build: kitchen}\n  orders: {build: orders}\n"
SEND = 'from kafka import KafkaProducer\n\n\ndef send(producer):\n    producer.send("order-placed", b"")\n'
READ = 'from kafka import KafkaConsumer\n\n\ndef read():\n    return KafkaConsumer("order-placed")\n'


def test_one_service_subscribes_to_the_events_of_the_other(graph):
    files = {"compose.yml": SERVICES, "orders/a.py": SEND, "kitchen/b.py": READ}
    assert ("shop/kitchen", "SUBSCRIBES", "shop/orders", "kitchen/b.py", [5]) in graph({"shop": files}).rows(
        "SUBSCRIBES"
    )
    two = graph({"shop": {**files, "kitchen/c.py": SEND}})
    assert "shop/orders" not in {row[2] for row in two.rows("SUBSCRIBES")}, "who sends is not told"


def test_a_queue_that_is_called_after_its_reader_is_how_it_is_invoked(graph):
    queue = {
        "orders/a.py": SEND.replace("order-placed", "kitchen"),
        "kitchen/b.py": READ.replace("order-placed", "kitchen"),
    }
    rows = graph({"shop": {"compose.yml": SERVICES, **queue}}).rows("INVOKES")
    assert ("shop/orders", "INVOKES", "shop/kitchen", "orders/a.py", [5]) in rows


def test_a_table_is_owned_by_the_one_service_that_uses_it(graph):
    use = 'def read():\n    return run("SELECT 1 FROM menu_items")\n'
    files = {"compose.yml": SERVICES, "db/schema.sql": "CREATE TABLE menu_items (id INT);\n", "kitchen/a.py": use}
    owners = {row[0] for row in graph({"shop": files}).rows("OWNS_TABLE")}
    assert "shop/kitchen" in owners
    assert "shop/kitchen" not in {row[0] for row in graph({"shop": {**files, "orders/a.py": use}}).rows("OWNS_TABLE")}


def test_a_table_that_is_only_asked_by_sql_may_be_anothers(graph):
    files = {"compose.yml": SERVICES, "kitchen/a.py": 'def read():\n    return run("SELECT 1 FROM menu_items")\n'}
    found = graph({"shop": files})
    assert "shop/kitchen" in {row[0] for row in found.rows("USES_TABLE")}
    assert found.rows("OWNS_TABLE") == []
