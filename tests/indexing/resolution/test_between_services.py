"""Services by way of a topic or a library."""

from __future__ import annotations

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
