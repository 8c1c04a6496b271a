"""Constants, variables and settings that name a topic."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts


def named(path, text):
    facts = extract_facts(path, text, "shop")
    return {(c.key, c.value, c.line) for c in facts.clues if c.kind == "topic name"}


def test_constants_are_known_alone_and_by_class_file_and_folder():
    text = 'package a;\nclass KitchenChannels {\n  public static final String COMMANDS = "kitchenService";\n}\n'
    assert named("api/KitchenChannels.java", text) == {
        ("COMMANDS", "kitchenService", 3),
        ("KitchenChannels.COMMANDS", "kitchenService", 3),
        ("api.COMMANDS", "kitchenService", 3),
    }


def test_what_a_variable_is_by_default_and_what_a_function_returns():
    text = 'import os\nORDER_TOPIC = os.getenv("ORDER_TOPIC", "orders")\nPAID_TOPIC = os.environ["PAID_TOPIC"]\nother = "x"\n'
    assert {row for row in named("a.py", text) if "." not in row[0]} == {("ORDER_TOPIC", "orders", 2)}
    text = 'package kafka\n\nvar (\n\tTopic = getTopic()\n)\n\nfunc getTopic() string {\n\treturn "orders"\n}\n'
    assert ("kafka.Topic", "orders", 4) in named("kafka/a.go", text)
    assert not named("kafka/a.go", text.replace('"orders"', 'one("x")'))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("compose.yaml", "services:\n  a:\n    environment:\n      - KAFKA_TOPIC=orders\n  b:\n    environment:\n      PAID_QUEUE: paid\n", {("KAFKA_TOPIC", "orders", 4), ("PAID_QUEUE", "paid", 7)}),
        ("k8s.yaml", "env:\n- name: ORDER_TOPIC\n  value: orders\n", {("ORDER_TOPIC", "orders", 3)}),
        ("templates/deployment.yaml", "{{- if .Values.on }}\nenv:\n- name: ORDER_TOPIC\n  value: orders\n{{- end }}\n", {("ORDER_TOPIC", "orders", 4)}),
        ("application.properties", "kafka.topic.letter=${LETTER_TOPIC:letters}\n", {("kafka.topic.letter", "letters", 1)}),
        ("application.properties", "app.kafka.topic=orders\nserver.port=8080\n", {("app.kafka.topic", "orders", 1)}),
        ("src/main/resources/application.yml", "app:\n  kafka:\n    topic: ${TOPIC:orders}\n", {("app.kafka.topic", "orders", 3)}),
        ("Dockerfile", "ENV ORDER_QUEUE=orders\n", {("ORDER_QUEUE", "orders", 1)}),
        ("appsettings.json", '{\n  "OrderTopic": "orders"\n}\n', {("OrderTopic", "orders", 2)}),
        ("plain.yaml", "a: b\n", set()),
    ],
)  # fmt: skip
def test_settings(path, text, expected):
    assert expected <= named(path, text)
    assert bool(expected) == bool(named(path, text))


def test_what_a_test_sets_is_no_setting():
    assert not named("src/test/resources/application.properties", "app.kafka.topic=orders\n")


def test_bindings_of_spring_cloud_stream_say_who_sends_and_who_receives():
    text = (
        "spring:\n  cloud:\n    stream:\n      bindings:\n        place-out-0:\n          destination: orders\n"
        "        handle-in-0:\n          destination: payments\n"
    )
    clues = [c for c in extract_facts("application.yml", text, "shop").clues if c.kind == "topic"]
    assert [(c.relation, c.key, c.line) for c in clues] == [("PUBLISHES", "orders", 6), ("SUBSCRIBES", "payments", 8)]


def test_settings_that_say_who_is_meant():
    text = (
        "shop:\n  kafka:\n    consumers:\n      - id: a\n        topics:\n          - orders\n          - payments\n"
        "    producer:\n      topic-name: ${TOPIC:bills}\n    admin:\n      topic: rates\n"
    )
    clues = [c for c in extract_facts("resources/application.yml", text, "shop").clues if c.kind == "topic"]
    assert [(c.relation, c.key, c.line) for c in clues] == [
        ("SUBSCRIBES", "orders", 6),
        ("SUBSCRIBES", "payments", 7),
        ("PUBLISHES", "bills", 9),
    ]
    assert ("shop.kafka.admin.topic", "rates", 11) in named("resources/application.yml", text)


def test_settings_of_what_comes_in_and_goes_out():
    text = "mp.messaging.outgoing.bills.topic=paper-bills\nmp.messaging.incoming.orders.topic=orders\n"
    clues = [c for c in extract_facts("application.properties", text, "shop").clues if c.kind == "topic"]
    assert [(c.relation, c.key) for c in clues] == [("PUBLISHES", "paper-bills"), ("SUBSCRIBES", "orders")]
