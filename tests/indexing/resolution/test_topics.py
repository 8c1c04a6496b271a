"""Publishers, subscribers and the topics between them.

Topics that are handed to an in-house function around a broker's client.
"""

from __future__ import annotations

PUBLISHER = 'class Gateway:\n    def settle(self):\n        self.bus.publish("payment.settled", {})\n'
SUBSCRIBER = 'class Handler:\n    def start(self):\n        self.bus.subscribe("payment.settled", self.settle)\n'
ALL = ("PUBLISHES", "SUBSCRIBES")
TOPIC_WRAPPERS_ALL = ("PUBLISHES", "SUBSCRIBES")
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


def test_a_publisher_and_a_subscriber_of_one_name_are_joined_across_projects(graph):
    found = graph({"payments": {"a.py": PUBLISHER}, "billing": {"b.py": SUBSCRIBER}})
    assert {row[:3] for row in found.rows(*ALL, status="confirmed")} == {
        ("payments/Gateway", "PUBLISHES", "payments/payment.settled"),
        ("billing/Handler", "SUBSCRIBES", "payments/payment.settled"),
        ("billing/Handler", "SUBSCRIBES", "billing/payment.settled"),
    }
    across = next(r for r in found.batch.relationships if r.target.project == "payments" and r.type == "SUBSCRIBES")
    assert [(e.project, e.line, e.says) for e in across.evidence] == [
        ("billing", 3, "subscribes to payment.settled"),
        ("payments", 3, "publishes to payment.settled"),
    ]
    topic = next(e for e in found.batch.entities if e.id.startswith("payments/topic"))
    assert (topic.path, topic.start_line, topic.summary) == ("a.py", 3, "published by Gateway")


def test_another_project_changes_nothing_of_ones_own(graph):
    alone, both = (
        graph({"billing": {"b.py": SUBSCRIBER}}),
        graph({"payments": {"a.py": PUBLISHER}, "billing": {"b.py": SUBSCRIBER}}),
    )
    assert all(row in both.rows() for row in alone.rows())
    assert {e.id for e in alone.batch.entities} <= {e.id for e in both.batch.entities}


def test_the_own_publisher_is_meant(graph):
    found = graph({"payments": {"a.py": PUBLISHER}, "billing": {"b.py": SUBSCRIBER, "c.py": PUBLISHER}})
    assert {row[2] for row in found.rows("SUBSCRIBES")} == {"billing/payment.settled"}


def kafka(call):
    return f"from kafka import KafkaProducer\ndef work():\n    {call}\n"


def test_one_word_between_projects_is_a_candidate(graph):
    found = graph({"a": {"a.py": kafka('p.send("orders", b"")')}, "b": {"b.py": kafka('c.subscribe(["orders"])')}})
    assert found.rows("SUBSCRIBES", status="candidate") == [("b/work", "SUBSCRIBES", "a/orders", "b.py", [3])]
    assert found.rows("SUBSCRIBES", status="confirmed") == [("b/work", "SUBSCRIBES", "b/orders", "b.py", [3])]


def test_a_guess_needs_its_other_side(graph):
    guess = 'store.publish("a.b", 1)\n'
    assert [r[1] for r in graph({"a": {"a.py": guess}}).rows(*ALL, status="candidate")] == ["PUBLISHES"]
    both = graph({"a": {"a.py": guess, "b.py": 'store.subscribe("a.b", f)\n'}})
    assert len(both.rows(*ALL, status="confirmed")) == 2


SPRING_LISTENER = """import org.springframework.kafka.annotation.KafkaListener;
class A {
 @KafkaListener(topics = "${kafka.topic.letter}")
 void a(String s) {}
}
"""


def test_a_listeners_setting_is_looked_up_whatever_its_name_ends_in(graph):
    settings = "kafka.topic.letter=${LETTER_TOPIC:post-letters}\n"
    found = graph({"s": {"src/A.java": SPRING_LISTENER, "src/application.properties": settings}})
    assert ("s/A", "SUBSCRIBES", "s/post-letters", "src/A.java", [3]) in found.rows("SUBSCRIBES", status="confirmed")


def test_a_topic_whose_setting_is_elsewhere_is_called_as_the_setting_and_is_nobody_elses_for_sure(graph):
    sender = 'import org.springframework.kafka.core.KafkaTemplate;\nclass B {\n void b() { kafkaTemplate.send("${kafka.topic.letter}", x); }\n}\n'
    found = graph({"s": {"src/A.java": SPRING_LISTENER}, "t": {"src/B.java": sender}})
    assert ("s/A", "SUBSCRIBES", "s/kafka.topic.letter", "src/A.java", [3]) in found.rows(
        "SUBSCRIBES", status="confirmed"
    )
    assert {row[2] for row in found.rows("SUBSCRIBES", status="candidate")} == {"t/kafka.topic.letter"}
    queue = SPRING_LISTENER.replace("kafka.topic.letter", "aws.sqs.audit.url")
    rows = graph({"s": {"src/A.java": queue}}).rows("SUBSCRIBES", status="confirmed")
    assert ("s/A", "SUBSCRIBES", "s/aws.sqs.audit.url", "src/A.java", [3]) in rows


def test_names_are_looked_up_near_the_reader_and_must_agree(graph):
    compose = (
        "services:\n  a:\n    build: a\n    environment:\n      - KAFKA_TOPIC=orders\n"
        "  b:\n    build: b\n    environment:\n      - KAFKA_TOPIC=orders\n"
    )
    reads = 'import os\nfrom kafka import KafkaProducer\ndef work():\n    p.send(os.environ["KAFKA_TOPIC"], b"")\n'
    found = graph({"s": {"compose.yaml": compose, "a/a.py": reads}})
    assert {row[:3] for row in found.rows("PUBLISHES")} == {
        ("s/a", "PUBLISHES", "s/orders"),
        ("s/work", "PUBLISHES", "s/orders"),
    }
    says = {e.says for e in found.edge("work", "orders", "PUBLISHES").evidence}
    assert says >= {"publishes to KAFKA_TOPIC", "KAFKA_TOPIC is orders"}
    torn = graph({"s": {"compose.yaml": compose.replace("=orders\n  b", "=paid\n  b"), "a/a.py": reads}})
    assert {row[:3] for row in torn.rows("PUBLISHES")} == {("s/a", "PUBLISHES", "s/paid")}
    assert not graph({"s": {"a/a.py": reads}}).rows("PUBLISHES")


def test_a_service_speaks_where_its_settings_do(graph):
    stream = "spring:\n  application:\n    name: cart\n  cloud:\n    stream:\n      bindings:\n        a-out-0:\n          destination: orders\n"
    found = graph({"shop": {"cart/src/main/resources/application.yml": stream}})
    assert [(row[0], row[2]) for row in found.rows("PUBLISHES")] == [("shop/cart", "shop/orders")]


def test_a_field_has_what_its_own_file_gives_it(graph):
    head = 'package a\nimport dapr "github.com/dapr/go-sdk/client"\n'
    made = 'func New() *S {\n topicName := os.Getenv("ORDERS_TOPIC", "orders")\n return &S{topicName}\n}\n'
    sends = 'func (s S) Send() { s.client.PublishEvent(ctx, "bus", s.topicName, o) }\n'
    found = graph({"till": {"a.go": head + made + sends}})
    assert [row[2] for row in found.rows("PUBLISHES")] == ["till/orders"]
    assert not graph({"till": {"a.go": head + sends, "b.go": head + made}}).rows("PUBLISHES")
    other = made.replace("topicName", "_topicName").replace("New", "Old")
    assert not graph({"till": {"a.go": head + other + sends}}).rows("PUBLISHES")


def test_an_event_that_states_its_name_joins_who_records_it_and_who_is_for_it(graph):
    event = "<?php\nclass OrderPlaced {\n  static function eventName(): string { return 'order.placed'; }\n}\n"
    order = "<?php\nclass Order {\n  function place() { $this->record(new OrderPlaced(1)); }\n}\n"
    bill = "<?php\nclass Bill {\n  static function subscribedTo(): array { return [OrderPlaced::class]; }\n}\n"
    found = graph({"shop": {"OrderPlaced.php": event, "Order.php": order, "Bill.php": bill}})
    assert found.rows(*ALL) == [
        ("shop/Bill", "SUBSCRIBES", "shop/order.placed", "Bill.php", [3]),
        ("shop/Order", "PUBLISHES", "shop/order.placed", "Order.php", [3]),
    ]
    assert [e.path for e in found.edge("Bill", "order.placed", "SUBSCRIBES").evidence] == [
        "Bill.php",
        "OrderPlaced.php",
    ]
    assert not graph({"shop": {"Order.php": order, "Bill.php": bill}}).rows(*ALL)


def test_who_makes_what_a_handler_is_typed_with_publishes_it(graph):
    handler = "class Refund : IEventHandler<OrderPaid> {\n  void Handle(OrderPaid paid) { Log(new OrderPaid(2)); }\n}\n"
    till = "class Till {\n  void Pay() { outbox.Add(new OrderPaid(1)); }\n}\n"
    found = graph({"shop": {"Refund.cs": handler, "Till.cs": till}})
    assert found.rows(*ALL, status="confirmed") == [
        ("shop/Refund", "SUBSCRIBES", "shop/OrderPaid", "Refund.cs", [1]),
        ("shop/Till", "PUBLISHES", "shop/OrderPaid", "Till.cs", [2]),
    ]
    assert [e.path for e in found.edge("Till", "OrderPaid", "PUBLISHES").evidence] == ["Till.cs", "Refund.cs"]
    assert not graph({"shop": {"Refund.cs": handler}}).rows(*ALL, status="confirmed")
    assert not graph({"shop": {"Till.cs": till}}).rows(*ALL)


def test_the_call_and_the_wrapper_are_the_two_pieces(graph):
    found = graph({"shop": {"bus.py": WRAPPER, "web.py": CALL}})
    assert found.rows(*TOPIC_WRAPPERS_ALL) == [("shop/place", "PUBLISHES", "shop/order.placed", "web.py", [2])]
    edge = found.edge("place", "order.placed", "PUBLISHES")
    assert edge.status == "confirmed"
    assert [(e.path, e.line, e.says) for e in edge.evidence] == [
        ("web.py", 2, "publishes to order.placed"),
        ("bus.py", 3, "raise_event publishes to its key"),
    ]
    assert not graph({"shop": {"web.py": CALL}}).rows(*TOPIC_WRAPPERS_ALL)


def test_a_subscription_by_keyword(graph):
    found = graph({"shop": {"bus.py": LISTENER, "till.py": "def start():\n    bus.listen_to(settle, key='order.*')\n"}})
    assert found.rows(*TOPIC_WRAPPERS_ALL) == [("shop/start", "SUBSCRIBES", "shop/order.*", "till.py", [2])]


def test_a_wrapper_is_its_own_services(graph):
    files = {"compose.yml": COMPOSE, "web/a.py": CALL, "till/bus.py": WRAPPER}
    assert not graph({"shop": files}).rows(*TOPIC_WRAPPERS_ALL)
    everybodys = files | {"libs/bus.py": WRAPPER}
    assert ("shop/web", "PUBLISHES", "shop/order.placed", "web/a.py", [2]) in graph({"shop": everybodys}).rows(
        *TOPIC_WRAPPERS_ALL
    )


def test_another_projects_wrapper_is_not_meant(graph):
    assert not graph({"shop": {"web.py": CALL}, "lib": {"bus.py": WRAPPER}}).rows(*TOPIC_WRAPPERS_ALL)


NAMES = "export namespace Orders {\n  export const PACK_QUEUE = 'pack-orders';\n}\n"
SENDER = (
    "import { InjectQueue } from '@nestjs/bullmq';\nimport { Queue } from 'bullmq';\nimport { Orders as Names } from './names';\n"
    "export class Desk {\n  constructor(\n    @InjectQueue(Names.PACK_QUEUE)\n    private packing: Queue,\n"
    "    private log: Log,\n  ) {}\n  async take(order) {\n    await this.packing.add('pack', order);\n    this.log.add(order);\n  }\n}\n"
    "export class Till {\n  ring() {\n    this.packing.add('no field of this class');\n  }\n}\n"
)
MADE = "import { Queue } from 'bullmq';\nconst mails = new Queue('mail-jobs');\nconst mailQueue = new Queue('mail-jobs');\nexport function ask() {\n  mailQueue.add('x', {});\n  mailQueue.close();\n}\n"


def test_the_call_on_the_field_that_is_given_the_queue_publishes(graph):
    found = graph({"shop": {"names.ts": NAMES, "desk.ts": SENDER}})
    assert found.rows("PUBLISHES") == [("shop/Desk", "PUBLISHES", "shop/pack-orders", "desk.ts", [6, 11])]
    pieces = [(piece.path, piece.line) for piece in found.edge("Desk", "pack-orders", "PUBLISHES").evidence]
    assert pieces == [("desk.ts", 6), ("desk.ts", 11), ("names.ts", 2)]


def test_a_variable_of_the_file_too_and_only_what_sends(graph):
    found = graph({"shop": {"mail.ts": MADE}})
    assert ("shop/ask", "PUBLISHES", "shop/mail-jobs", "mail.ts", [5]) in found.rows("PUBLISHES")


KEYS = "export enum RoutingKey {\n  ORDER_CREATED = 'order.created',\n  ORDER_PAID = 'order.paid',\n}\n"
TELLS = "export class Tells {\n  tell(order) {\n    return this.wire.publish(Exchange.ALL, RoutingKey.ORDER_CREATED, order);\n  }\n}\n"
HEARS = "export class Hears {\n  @Subscribe({ routingKey: RoutingKey.ORDER_CREATED })\n  async run(order) {}\n}\n"


def test_a_constant_names_a_topic_wherever_a_call_is_handed_it(graph):
    found = graph({"shop": {"shared/keys.ts": KEYS, "till/tells.ts": TELLS, "mail/hears.ts": HEARS}})
    assert found.rows(*ALL, status="confirmed") == [
        ("shop/Hears", "SUBSCRIBES", "shop/order.created", "mail/hears.ts", [2]),
        ("shop/Tells", "PUBLISHES", "shop/order.created", "till/tells.ts", [3]),
    ]


def test_a_setting_of_a_topic_is_what_the_nearest_file_of_settings_says_and_the_file_tells_the_way(graph):
    reads = "class Moved:\n    def __init__(self, config):\n        self.topic = config.file_moved_topic\n"
    settings = {f"{part}/config.yaml": f"file_moved_topic: {part}-moved\n" for part in ("files", "mail")}
    found = graph(
        {"shop": {**settings, "files/event_pub.py": reads, "mail/event_sub.py": reads, "mail/other.py": reads}}
    )
    assert {row[1:4] for row in found.rows(*ALL, status="confirmed")} == {
        ("PUBLISHES", "shop/files-moved", "files/event_pub.py"),
        ("SUBSCRIBES", "shop/mail-moved", "mail/event_sub.py"),
    }


def test_a_constant_of_a_table_names_no_topic(graph):
    constants = 'EVENTS_COLLECTION = "savedEvents"\n'
    uses = "def publisher(factory):\n    return factory.publisher(name=EVENTS_COLLECTION)\n"
    assert graph({"shop": {"src/constants.py": constants, "src/dao.py": uses}}).rows(*ALL) == []


def test_who_speaks_in_no_service_is_the_package(graph):
    manifest = '[project]\nname = "till"\n'
    found = graph({"shop": {"till/pyproject.toml": manifest, "till/a.py": PUBLISHER}})
    assert {row[0] for row in found.rows("PUBLISHES")} == {"shop/Gateway", "shop/till"}


def test_what_a_header_of_messages_is_called_is_no_topic(graph):
    headers = 'public static class MessageHeaders {\n  public const string ExchangeOrTopic = "exchange-topic";\n}\n'
    uses = "class Wire {\n  void Publish(Row row) {\n    row.Mark(MessageHeaders.ExchangeOrTopic, 1);\n  }\n}\n"
    found = graph({"shop": {"src/Headers.cs": headers, "src/Wire.cs": uses}})
    assert found.rows(*ALL) == []
