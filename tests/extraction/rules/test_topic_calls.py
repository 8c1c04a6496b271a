"""Calls of brokers' clients, on lines as their documentation and public systems have them.

In-house functions around a broker's client, and their calls.
"""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts

CALLS = [
    ("spring kafka", "A.java", 'import org.springframework.kafka.core.KafkaTemplate;\nclass A {\n void a() { kafkaTemplate.send("orders", x); }\n}\n', [("PUBLISHES", "orders", 3)]),
    ("spring listener", "A.java", 'import org.springframework.kafka.annotation.KafkaListener;\nclass A {\n @KafkaListener(id = "a", topics = {"orders", "refunds"}, groupId = "g")\n void a(String s) {}\n}\n', [("SUBSCRIBES", "orders", 3), ("SUBSCRIBES", "refunds", 3)]),
    ("spring placeholder", "A.java", 'import org.springframework.kafka.annotation.KafkaListener;\nclass A {\n @KafkaListener(topics = "${app.topic:orders}")\n void a(String s) {}\n}\n', [("SUBSCRIBES", "orders", 3)]),
    ("kafka clients", "A.kt", 'import org.apache.kafka.clients.consumer.KafkaConsumer\nval topic: String = System.getenv("KAFKA_TOPIC") ?: "orders"\nfun main() {\n consumer.subscribe(listOf(topic))\n producer.send(ProducerRecord<String, String>("paid", x))\n}\n', [("SUBSCRIBES", "orders", 4), ("PUBLISHES", "paid", 5)]),
    ("streams", "A.java", 'import org.apache.kafka.streams.StreamsBuilder;\nclass A { void a() {\n builder.stream("orders").mapValues(x)\n .to("totals"); } }\n', [("SUBSCRIBES", "orders", 3), ("PUBLISHES", "totals", 4)]),
    ("reactive messaging", "A.java", 'import org.eclipse.microprofile.reactive.messaging.Incoming;\nclass A {\n @Incoming("orders")\n @Outgoing("paid")\n void a(String s) {}\n}\n', [("SUBSCRIBES", "orders", 3), ("PUBLISHES", "paid", 4)]),
    ("sarama", "a.go", 'package a\nimport "github.com/IBM/sarama"\nfunc f() {\n msg := &sarama.ProducerMessage{\n  Key: k,\n  Topic: "orders",\n }\n group.Consume(ctx, []string{"paid"}, h)\n}\n', [("PUBLISHES", "orders", 6), ("SUBSCRIBES", "paid", 8)]),
    ("kafka-go", "a.go", 'package a\nimport "github.com/segmentio/kafka-go"\nconst topic = "orders"\nfunc f() {\n r := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{a}, Topic: topic})\n w := &kafka.Writer{Addr: a, Topic: "paid"}\n}\n', [("SUBSCRIBES", "orders", 5), ("PUBLISHES", "paid", 6)]),
    ("confluent go", "a.go", 'package a\nimport "github.com/confluentinc/confluent-kafka-go/v2/kafka"\nfunc f() {\n c.SubscribeTopics([]string{"orders"}, nil)\n}\n', [("SUBSCRIBES", "orders", 4)]),
    ("confluent .net", "A.cs", 'using Confluent.Kafka;\nclass A {\n static readonly string T = Environment.GetEnvironmentVariable("KAFKA_TOPIC") ?? "orders";\n void F() { _consumer.Subscribe(T); _p.ProduceAsync("paid", m); }\n}\n', [("PUBLISHES", "paid", 4), ("SUBSCRIBES", "orders", 4)]),
    ("kafka-python", "a.py", 'from kafka import KafkaConsumer\nTOPIC = "orders"\nconsumer = KafkaConsumer(TOPIC, group_id="g")\ndef f():\n    producer.send("paid", b"")\n', [("SUBSCRIBES", "orders", 3), ("PUBLISHES", "paid", 5)]),
    ("kafkajs", "a.js", "const { Kafka } = require('kafkajs')\nasync function f() {\n  await consumer.subscribe({ topics: ['orders', 'paid'], fromBeginning: true })\n  await producer.send({ acks: 1, topic: `totals`, messages })\n}\n", [("SUBSCRIBES", "orders", 3), ("SUBSCRIBES", "paid", 3), ("PUBLISHES", "totals", 4)]),
    ("rdkafka", "a.rs", 'use rdkafka::producer::FutureRecord;\nfn f() {\n  p.send(FutureRecord::to("orders").payload(x));\n  c.subscribe(&["paid"]).unwrap();\n}\n', [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "paid", 4)]),
    ("karafka", "karafka.rb", "class KarafkaApp < Karafka::App\n  routes.draw do\n    topic :orders do\n    end\n    topic 'paid' do\n    end\n  end\nend\n", [("SUBSCRIBES", "paid", 5)]),
    ("spring amqp", "A.java", 'import org.springframework.amqp.rabbit.core.RabbitTemplate;\nclass A {\n void a() { rabbitTemplate.convertAndSend("shipping-task", shipment); }\n @RabbitListener(queues = "shipping-task")\n void b() {}\n}\n', [("PUBLISHES", "shipping-task", 3), ("SUBSCRIBES", "shipping-task", 4)]),
    ("spring amqp exchange", "A.java", 'import org.springframework.amqp.rabbit.core.RabbitTemplate;\nclass A {\n void a() { rabbitTemplate.convertAndSend("shop", "order.placed", o); }\n @RabbitListener(bindings = @QueueBinding(value = @Queue(value = "bills", durable = "true"), exchange = @Exchange("shop")))\n void b() {}\n}\n', [("PUBLISHES", "order.placed", 3), ("PUBLISHES", "shop", 3), ("SUBSCRIBES", "bills", 4)]),
    ("amqp091", "a.go", 'package a\nimport amqp "github.com/rabbitmq/amqp091-go"\nfunc f() {\n ch.PublishWithContext(ctx,\n  "", // exchange\n  "orders", // routing key\n  false)\n ch.Consume("paid", "", true)\n}\n', [("PUBLISHES", "orders", 6), ("SUBSCRIBES", "paid", 8)]),
    ("pika", "a.py", "import pika\ndef f():\n    channel.basic_publish(exchange='', routing_key='orders', body=b)\n    channel.basic_consume(queue='paid', on_message_callback=g)\n", [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "paid", 4)]),
    ("amqplib", "a.js", "const amqp = require('amqplib')\nasync function f() {\n  ch.sendToQueue('orders', b)\n  ch.consume('paid', g)\n}\n", [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "paid", 4)]),
    ("rabbitmq .net", "A.cs", 'using RabbitMQ.Client;\nclass A { void F() {\n c.BasicPublish(exchange: "", routingKey: "orders", body: b);\n c.BasicConsume(queue: "paid", autoAck: true, consumer: x); } }\n', [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "paid", 4)]),
    ("php-amqplib", "a.php", "<?php\nuse PhpAmqpLib\\Message\\AMQPMessage;\nfunction f($ch) {\n  $ch->basic_publish($msg, '', 'orders');\n  $ch->basic_consume('paid', '', false);\n}\n", [("PUBLISHES", "orders", 4), ("SUBSCRIBES", "paid", 5)]),
    ("azure functions in Java", "A.java", 'import com.microsoft.azure.functions.annotation.QueueTrigger;\nclass A { void f(@QueueTrigger(name = "m", queueName = "paid-orders") String m) {} }\n', [("SUBSCRIBES", "paid-orders", 2)]),
    ("azure functions in Java with a setting", "A.java", 'import com.microsoft.azure.functions.annotation.QueueTrigger;\nclass A { void f(@QueueTrigger(name = "m", queueName = "%ORDER_QUEUE%") String m) {} }\n', [("SUBSCRIBES", "ORDER_QUEUE", 2)]),
    ("azure functions in Python", "a.py", "import azure.functions as func\n@app.queue_trigger(arg_name='m', queue_name='paid-orders')\n@app.queue_output(arg_name='o', queue_name='bills')\ndef f(m): ...\n", [("PUBLISHES", "bills", 3), ("SUBSCRIBES", "paid-orders", 2)]),
    ("bunny", "a.rb", "require 'bunny'\nq = channel.queue('orders', durable: true)\nq.subscribe { |m| add(m) }\n", [("SUBSCRIBES", "orders", 2)]),
    ("sneakers", "a.rb", "class W\n  include Sneakers::Worker\n  from_queue 'orders'\nend\n", [("SUBSCRIBES", "orders", 3)]),
    ("nats", "a.go", 'package a\nimport "github.com/nats-io/nats.go"\nfunc f() {\n nc.Publish("orders.placed", b)\n nc.QueueSubscribe("orders.*", "q", h)\n}\n', [("PUBLISHES", "orders.placed", 4), ("SUBSCRIBES", "orders.*", 5)]),
    ("redis", "a.py", 'import redis\ndef f():\n    redis_client.publish("queue:logs", m)\n    pubsub.subscribe("orders")\n', [("PUBLISHES", "queue:logs", 3), ("SUBSCRIBES", "orders", 4)]),
    ("sqs", "a.py", 'import boto3\nURL = "https://sqs.eu-west-1.amazonaws.com/123456789012/orders"\ndef f():\n    sqs.send_message(MessageBody=b, QueueUrl=URL)\n    sns.publish(TopicArn="arn:aws:sns:eu-west-1:123456789012:paid", Message=m)\n', [("PUBLISHES", "orders", 4), ("PUBLISHES", "paid", 5)]),
    ("sqs listener", "A.java", 'import io.awspring.cloud.sqs.annotation.SqsListener;\nclass A {\n @SqsListener("orders")\n void a() {}\n}\n', [("SUBSCRIBES", "orders", 3)]),
    ("google", "a.py", 'from google.cloud import pubsub_v1\ndef f():\n    t = publisher.topic_path(project, "orders")\n    s = subscriber.subscription_path(project, "orders-sub")\n', [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "orders-sub", 4)]),
    ("service bus", "A.cs", 'using Azure.Messaging.ServiceBus;\nclass A { void F() {\n var s = client.CreateSender("orders");\n var p = client.CreateProcessor("paid"); } }\n', [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "paid", 4)]),
    ("dapr", "a.py", 'from dapr.clients import DaprClient\ndef f():\n    c.publish_event(pubsub_name="p", topic_name="orders", data=d)\n', [("PUBLISHES", "orders", 3)]),
    ("celery", "a.py", 'from celery import shared_task\n@shared_task(name="mail.send")\ndef send(): ...\ndef f():\n    app.send_task("mail.send", args=[])\n', [("SUBSCRIBES", "mail.send", 2), ("PUBLISHES", "mail.send", 5)]),
    ("nestjs", "a.ts", "import { EventPattern } from '@nestjs/microservices';\nclass A {\n  @EventPattern('order_created')\n  on() {}\n  f() { this.client.emit('order_paid', {}); }\n}\n", [("SUBSCRIBES", "order_created", 3), ("PUBLISHES", "order_paid", 5)]),
    ("nestjs, whatever the proxy is called", "a.ts", "import { ClientProxy } from '@nestjs/microservices';\nclass A {\n  constructor(@Inject(PAY) private readonly payments: ClientProxy) {}\n  f() { return this.payments\n    .send<Receipt>('create_charge', {}); }\n}\n", [("PUBLISHES", "create_charge", 5)]),
    ("nestjs, a pattern of fields", "a.ts", "import { ClientProxy, MessagePattern } from '@nestjs/microservices';\nclass A {\n  @MessagePattern({ role: 'math', cmd: 'sum' })\n  on(private readonly math: ClientProxy) {}\n  f() { this.math.send({ cmd: 'halve' }, 1); }\n}\n", [("SUBSCRIBES", "sum", 3), ("PUBLISHES", "halve", 5)]),
    ("nestjs, what sends an answer", "a.ts", "import { EventPattern } from '@nestjs/microservices';\nclass A {\n  f() { this.response.send('order_created'); }\n}\n", []),
    ("micronaut kafka", "A.java", 'import io.micronaut.configuration.kafka.annotation.*;\n@KafkaClient\ninterface A {\n @Topic("order-placed")\n void send(Order o);\n}\n', [("PUBLISHES", "order-placed", 4)]),
    ("micronaut kafka listener", "A.kt", 'import io.micronaut.configuration.kafka.annotation.KafkaListener\n@KafkaListener(groupId = "g")\nclass A {\n @Topic("order-placed")\n fun on(o: Order) {}\n}\n', [("SUBSCRIBES", "order-placed", 4)]),
    ("micronaut rabbitmq", "A.java", 'import io.micronaut.rabbitmq.annotation.*;\n@RabbitClient("shop")\ninterface A {\n @Binding("order.placed")\n void send(byte[] b);\n}\nclass B {\n @Queue("bills")\n void on(byte[] b) {}\n}\n', [("PUBLISHES", "shop", 2), ("PUBLISHES", "order.placed", 4), ("SUBSCRIBES", "bills", 8)]),
    ("nameko", "a.py", "from nameko.events import EventDispatcher, event_handler\nclass A:\n    dispatch = EventDispatcher()\n    def f(self):\n        self.dispatch('order_created', {})\n    @event_handler('stock', 'item_gone')\n    def g(self, payload): ...\n", [("PUBLISHES", "order_created", 5), ("SUBSCRIBES", "item_gone", 6)]),
    ("laravel", "A.php", "<?php\nclass A {\n  function f() { OrderPlaced::dispatch($o)->onQueue('bill_queue'); }\n}\n", [("PUBLISHES", "OrderPlaced", 3), ("PUBLISHES", "bill_queue", 3)]),
    ("dapr in Go", "a.go", 'package a\nimport dapr "github.com/dapr/go-sdk/client"\nvar topicName = env.GetEnvString("ORDERS_TOPIC", "orders")\nfunc f() {\n c.PublishEvent(context.Background(), "pubsub", topicName, o)\n}\nvar s = &common.Subscription{PubsubName: "pubsub", Topic: "paid", Route: "/paid"}\n', [("PUBLISHES", "orders", 5), ("SUBSCRIBES", "paid", 7)]),
    ("dapr's attribute, whatever the file imports", "A.cs", 'class A {\n  [Topic(PUBSUB, nameof(Events.OrderPaid))]\n  public void On(OrderPaid e) {}\n  [Topic("pubsub", "OrderSent")]\n  public void On(OrderSent e) {}\n}\n', [("SUBSCRIBES", "OrderPaid", 2), ("SUBSCRIBES", "OrderSent", 4)]),
    ("a field that is called so", "a.js", "class A {\n  f() { this._redisClient.publish(this._logChannel, m); this.http.publish(orderTopic, m) }\n  g() { bus.publish(this.order, m); bus.publish(topic, m) }\n}\n", [("PUBLISHES", "_logChannel", 2), ("PUBLISHES", "orderTopic", 2)]),
    ("dapr in JavaScript", "a.js", "const { DaprClient } = require('@dapr/dapr')\nasync function f() {\n  await client.pubsub.publish('pubsub', 'orders', o)\n  await server.pubsub.subscribe('pubsub', 'paid', g)\n}\n", [("PUBLISHES", "orders", 3), ("SUBSCRIBES", "paid", 4)]),
    ("options of a wrapper", "a.go", 'package a\nfunc f() {\n p.Configure(ordersPublisher.ExchangeName("order-exchange"), ordersPublisher.Tag("a-b"))\n c.Configure(pkgConsumer.WithQueue("order-queue"))\n}\n', [("PUBLISHES", "order-exchange", 3), ("SUBSCRIBES", "order-queue", 4)]),
    ("in-house bus", "a.py", 'class A:\n    def f(self):\n        self.bus.publish("order.placed", {})\n        self.bus.subscribe("payment.settled", self.g)\n', [("PUBLISHES", "order.placed", 3), ("SUBSCRIBES", "payment.settled", 4)]),
    ("dapr without its import", "A.cs", 'class A(DaprClient dapr) {\n  Task F() => dapr.PublishEventAsync("pubsub", "order-paid", o);\n}\n', [("PUBLISHES", "order-paid", 2)]),
    ("a name that is made here", "A.cs", 'using Dapr;\nclass A { void F() {\n var topicName = e.GetType().Name;\n d.PublishEventAsync("p", topicName, e);\n foreach (var queue in queues) d.PublishEventAsync("p", queue, e); } }\n', []),
    ("a wrapper that says where to", "a.go", 'package a\nfunc f() {\n c.PublishOnQueueWithContext(ctx, data, "mail_queue")\n c.SubscribeToQueue("bill_queue", name, g)\n c.PublishOnQueue(body, queueName)\n}\n', [("PUBLISHES", "mail_queue", 3), ("SUBSCRIBES", "bill_queue", 4)]),
    ("a keyword says it", "a.py", 'def f():\n    client.publish({"order_id": 1}, routing_key="order.placed")\n    consume(\n        on_message_callback=g,\n        queue="order_queue",\n    )\n', [("PUBLISHES", "order.placed", 2), ("SUBSCRIBES", "order_queue", 5)]),
    ("behind another argument of a bus", "a.go", 'package a\nfunc f() {\n m.EventsPublisher.PublishChange(ctx, "load-balancer", msg)\n store.Publish(ctx, "other-thing")\n MQTTclient.publish(buffer, "text/plain", "device/inventory")\n}\n', [("PUBLISHES", "load-balancer", 3)]),
    ("behind another argument of a bus in PHP", "a.php", "<?php\nclass A { function f() { $this->eventBus->publish($order, 'order.placed'); } }\n", [("PUBLISHES", "order.placed", 2)]),
    ("a keyword's default is no call", "a.py", 'def publish(body, topic="order.placed"): ...\n', []),
    ("Kotlin's own placeholder", "A.kt", 'import org.springframework.kafka.annotation.KafkaListener\nclass A {\n @KafkaListener(topics = ["\\${app.topic.orders:orders}"], concurrency = "4")\n fun a() {}\n}\n', [("SUBSCRIBES", "orders", 3)]),
    ("nservicebus", "A.cs", "class A(ILogger<A> log) : IHandleMessages<OrderPaid> { }\n", [("SUBSCRIBES", "OrderPaid", 1)]),
    ("a comment", "a.py", '# bus.publish("order.placed")\n', []),
    ("one word", "a.py", 'self.bus.publish("orders", {})\n', []),
    ("what is no topic", "a.py", 'bus.publish("https://x.y/z", 1)\nbus.publish("a b.c")\nbus.publish("schema/a.json")\nbus.publish(f"{x}.y")\n', []),
]  # fmt: skip


def said(path, text):
    facts = extract_facts(path, text, "shop")
    return sorted(
        {(c.relation, c.key, c.line) for c in facts.clues if c.kind == "topic" and c.rule != "message types"},
        key=lambda row: (row[2], row[1]),
    )


@pytest.mark.parametrize(("path", "text", "expected"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
def test_calls(path, text, expected):
    assert said(path, text) == sorted(expected, key=lambda row: (row[2], row[1]))


BINDINGS = [
    ("aio-pika", "a.py", "import aio_pika\nasync def f():\n    await exchange.publish(Message(body=json.dumps(order).encode()), routing_key='order.placed')\n    await exchange.publish(message, 'order.paid')\n    await queue.bind(exchange, 'order.*')\n    await queue.consume(g)\n", [("PUBLISHES", "order.placed", 3), ("PUBLISHES", "order.paid", 4), ("SUBSCRIBES", "order.*", 5)]),
    ("pika, a queue without a name", "a.py", "import pika\ndef f():\n    channel.queue_bind(exchange='logs', queue=q, routing_key='log.*')\n    channel.basic_consume(queue=q, on_message_callback=g)\n", [("SUBSCRIBES", "logs", 3), ("SUBSCRIBES", "log.*", 3)]),
    ("who binds and does not consume", "a.py", "import pika\ndef f():\n    channel.queue_bind(exchange='logs', queue=q, routing_key='log.*')\n    channel.basic_publish(exchange='', routing_key='log.a', body=b)\n", [("PUBLISHES", "log.a", 4)]),
    ("amqp091", "a.go", 'package a\nimport amqp "github.com/rabbitmq/amqp091-go"\nfunc f() {\n ch.QueueBind(q.Name, "log.*", "logs", false, nil)\n ch.Consume(q.Name, "", true)\n}\n', [("SUBSCRIBES", "log.*", 4), ("SUBSCRIBES", "logs", 4)]),
    ("java", "A.java", 'import com.rabbitmq.client.Channel;\nclass A { void f() {\n ch.queueBind(q, "logs", "log.*");\n ch.basicConsume(q, true, g, h); } }\n', [("SUBSCRIBES", "logs", 3), ("SUBSCRIBES", "log.*", 3)]),
    (".net", "A.cs", 'using RabbitMQ.Client;\nclass A { void F() {\n c.QueueBind(queue: q, exchange: "logs", routingKey: "log.*");\n c.QueueBind(q, "bills", "bill.*");\n c.BasicConsume(q, true, x); } }\n', [("SUBSCRIBES", "logs", 3), ("SUBSCRIBES", "log.*", 3), ("SUBSCRIBES", "bills", 4), ("SUBSCRIBES", "bill.*", 4)]),
    ("amqplib", "a.js", "const amqp = require('amqplib')\nasync function f() {\n  ch.bindQueue(q.queue, 'logs', 'log.*')\n  ch.consume(q.queue, g)\n}\n", [("SUBSCRIBES", "logs", 3), ("SUBSCRIBES", "log.*", 3)]),
    ("php-amqplib", "a.php", "<?php\nuse PhpAmqpLib\\Message\\AMQPMessage;\nfunction f($ch) {\n  $ch->queue_bind($q, 'logs', 'log.*');\n  $ch->basic_consume($q, '', false);\n}\n", [("SUBSCRIBES", "logs", 4), ("SUBSCRIBES", "log.*", 4)]),
    ("lapin", "a.rs", 'use lapin::Channel;\nfn f() {\n  ch.queue_bind(q.name().as_str(), "logs", "log.*", o, t);\n  ch.basic_consume("paid", "me", o, t);\n}\n', [("SUBSCRIBES", "logs", 3), ("SUBSCRIBES", "log.*", 3), ("SUBSCRIBES", "paid", 4)]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), [row[1:] for row in BINDINGS], ids=[row[0] for row in BINDINGS])
def test_who_binds_a_queue_and_consumes_subscribes_to_the_exchange(path, text, expected):
    stated = {c.key for c in extract_facts(path, text, "shop").clues if c.kind == "topic" and not c.value}
    found = [row for row in said(path, text) if row[1] in stated]
    assert found == sorted(expected, key=lambda row: (row[2], row[1]))


def test_a_call_belongs_to_the_definition_around_it_and_says_what_it_does():
    facts = extract_facts("a.py", 'class A:\n    def f(self):\n        self.bus.publish("order.placed", {})\n', "shop")
    clue = next(c for c in facts.clues if c.kind == "topic")
    assert (clue.entity, clue.says, clue.side, clue.value) == ("A.f", "publishes to order.placed", "provides", "")
    assert "message topics" in facts.recognised


def test_a_shape_that_names_no_bus_is_a_guess():
    text = 'store.publish("order.placed", 1)\n\n@subscribe("order-placed")\ndef f(): ...\n'
    clues = [c for c in extract_facts("a.py", text, "shop").clues if c.kind == "topic"]
    assert [(c.key, c.value) for c in clues] == [("order.placed", "guess"), ("order-placed", "guess")]


@pytest.mark.parametrize("path", ["tests/a.py", "src/component-test/java/A.java", "a_test.go", "readme.md"])
def test_tests_and_prose_are_left_out(path):
    assert said(path, 'bus.publish("order.placed", 1)\n') == []


def said_of_topic_wrappers(path, text, kind):
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
    assert said_of_topic_wrappers(path, text, "topic wrapper") == expected


TOPIC_WRAPPERS_CALLS = [
    ("client.send_event('shop', 'order.placed', order)", [("PASSES", "send_event", "0=shop 1=order.placed", 1)]),
    ("client.send_event(\n    key='order.placed', body=order)", [("PASSES", "send_event", "key=order.placed", 1)]),
    ("AMQP().event_consumer(handle, 'SHOP', 'order.*')", [("PASSES", "event_consumer", "1=SHOP 2=order.*", 1)]),
    ("producer.send('orders', order)", [("PASSES", "send", "0=orders", 1)]),
    ("response.send('order.placed')", []),
    ("client.send_event(exchange, key)", []),
    ("client.charge('order.placed')", []),
    ("# client.send_event('shop')", []),
]


@pytest.mark.parametrize(("text", "expected"), TOPIC_WRAPPERS_CALLS)
def test_which_topics_a_call_hands_on(text, expected):
    assert said_of_topic_wrappers("a.py", f"{text}\n", "topic passed") == expected
