"""What code does by way of other code."""

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
