"""In-house functions around a broker's client, and their calls."""

from __future__ import annotations

import pytest

from indexing.extraction import extract_facts


def said(path, text, kind):
    facts = extract_facts(path, text, "shop")
    return [(c.relation, c.key, c.value, c.line) for c in facts.clues if c.kind == kind]


WRAPPERS = [
    ("pika", "a.py", "import pika\nclass Bus:\n    def send_event(self, exchange, key, body):\n        self.ch.basic_publish(exchange=exchange, routing_key=key, body=body)\n", [("PUBLISHES", "send_event", "0 exchange", 3), ("PUBLISHES", "send_event", "1 key", 3)]),
    ("aio-pika", "a.py", "import aio_pika\nclass Bus:\n    async def listen_to(self, callback, key: str = '#'):\n        await queue.bind(exchange, key)\n        await queue.consume(callback)\n", [("SUBSCRIBES", "listen_to", "1 key", 3)]),
    ("kafka", "A.java", "import org.apache.kafka.clients.producer.ProducerRecord;\nclass Bus {\n  void sendEvent(String topic, byte[] body) {\n    producer.send(new ProducerRecord<String, byte[]>(topic, body));\n  }\n}\n", [("PUBLISHES", "sendEvent", "0 topic", 3)]),
    ("nats", "a.go", 'package a\nimport "github.com/nats-io/nats.go"\nfunc (b *Bus) SendEvent(ctx context.Context, subject string, body []byte) error {\n\treturn b.nc.Publish(subject, body)\n}\n', [("PUBLISHES", "SendEvent", "1 subject", 3)]),
    ("a field is no parameter", "a.py", "import pika\nclass Bus:\n    def send_event(self, body):\n        self.ch.basic_publish(exchange='', routing_key=self.key, body=body)\n", []),
    ("a constant is none", "a.py", "import pika\nKEY = 'order.placed'\ndef send_event(body):\n    ch.basic_publish(exchange='', routing_key=KEY, body=body)\n", []),
    ("no broker", "a.py", "def send_event(key, body):\n    ch.basic_publish(routing_key=key, body=body)\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), [row[1:] for row in WRAPPERS], ids=[row[0] for row in WRAPPERS])
def test_which_parameter_is_a_topic(path, text, expected):
    assert said(path, text, "topic wrapper") == expected


CALLS = [
    ("client.send_event('shop', 'order.placed', order)", [("PASSES", "send_event", "0=shop 1=order.placed", 1)]),
    ("client.send_event(\n    key='order.placed', body=order)", [("PASSES", "send_event", "key=order.placed", 1)]),
    ("AMQP().event_consumer(handle, 'SHOP', 'order.*')", [("PASSES", "event_consumer", "1=SHOP 2=order.*", 1)]),
    ("producer.send('orders', order)", [("PASSES", "send", "0=orders", 1)]),
    ("response.send('order.placed')", []),
    ("client.send_event(exchange, key)", []),
    ("client.charge('order.placed')", []),
    ("# client.send_event('shop')", []),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_which_topics_a_call_hands_on(text, expected):
    assert said("a.py", f"{text}\n", "topic passed") == expected
