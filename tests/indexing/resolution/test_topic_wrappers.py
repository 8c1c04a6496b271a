"""Topics that are handed to an in-house function around a broker's client."""

from __future__ import annotations

ALL = ("PUBLISHES", "SUBSCRIBES")
WRAPPER = (
    "import pika\nclass Bus:\n    def raise_event(self, key, body):\n"
    "        self.ch.basic_publish(exchange='', routing_key=key, body=body)\n"
)
LISTENER = (
    "import aio_pika\nclass Bus:\n    async def listen_to(self, on_event, key):\n"
    "        await queue.bind(exchange, key)\n        await queue.consume(on_event)\n"
)
CALL = "def place():\n    client.raise_event('order.placed', {})\n"
COMPOSE = "services:\n  web:\n    build: web\n  till:\n    build: till\n"


def test_the_call_and_the_wrapper_are_the_two_pieces(graph):
    found = graph({"shop": {"bus.py": WRAPPER, "web.py": CALL}})
    assert found.rows(*ALL) == [("shop/place", "PUBLISHES", "shop/order.placed", "web.py", [2])]
    edge = found.edge("place", "order.placed", "PUBLISHES")
    assert edge.status == "confirmed"
    assert [(e.path, e.line, e.says) for e in edge.evidence] == [
        ("web.py", 2, "publishes to order.placed"),
        ("bus.py", 3, "raise_event publishes to its key"),
    ]
    assert not graph({"shop": {"web.py": CALL}}).rows(*ALL)


def test_a_subscription_by_keyword(graph):
    found = graph({"shop": {"bus.py": LISTENER, "till.py": "def start():\n    bus.listen_to(settle, key='order.*')\n"}})
    assert found.rows(*ALL) == [("shop/start", "SUBSCRIBES", "shop/order.*", "till.py", [2])]


def test_a_wrapper_is_its_own_services(graph):
    files = {"compose.yml": COMPOSE, "web/a.py": CALL, "till/bus.py": WRAPPER}
    assert not graph({"shop": files}).rows(*ALL)
    everybodys = files | {"libs/bus.py": WRAPPER}
    assert ("shop/web", "PUBLISHES", "shop/order.placed", "web/a.py", [2]) in graph({"shop": everybodys}).rows(*ALL)


def test_another_projects_wrapper_is_not_meant(graph):
    assert not graph({"shop": {"web.py": CALL}, "lib": {"bus.py": WRAPPER}}).rows(*ALL)
