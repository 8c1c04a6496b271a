"""Events of Go that are types.

Domain events that state their own name.
"""

from __future__ import annotations

import pytest

from indexing.extraction import extract_facts

NAMES = [
    ("a.php", "<?php\nfinal class OrderPlaced extends DomainEvent {\n  public static function eventName(): string\n  {\n    return 'order.placed';\n  }\n}\n", ("OrderPlaced", "order.placed", 3)),
    ("a.ts", "export class OrderPlaced extends DomainEvent {\n  static readonly EVENT_NAME = 'order.placed';\n}\n", ("OrderPlaced", "order.placed", 2)),
    ("A.java", 'public final class OrderPlaced extends DomainEvent {\n  @Override\n  public String eventName() { return "order.placed"; }\n}\n', ("OrderPlaced", "order.placed", 3)),
]  # fmt: skip


def said(path, text):
    clues = [c for c in extract_facts(path, text, "shop").clues if c.kind == "topic"]
    return [(c.relation, c.key, c.line, c.entity, c.value) for c in clues]


def test_watermill():
    text = (
        "package a\n"
        'var h = cqrs.NewEventHandler("bill", func(ctx context.Context, e *events.OrderPlaced) error { return nil })\n'
        "func (s Service) Ship(ctx context.Context) error {\n"
        "\treturn s.eventBus.Publish(ctx, &events.OrderShipped{ID: s.id})\n"
        "}\n"
    )
    assert said("a.go", text) == [
        ("SUBSCRIBES", "OrderPlaced", 2, "h", "guess"),
        ("PUBLISHES", "OrderShipped", 4, "Service.Ship", "guess"),
    ]
    assert said("a_test.go", text) == []


def test_a_bus_of_ones_own():
    text = (
        "package a\nfunc Configure(b Builder) {\n"
        "\tb.\n\t\tAddConsumer(external.StockGone{}, f)\n\tb.AddProducer(events.OrderPlaced{}, g)\n"
        "\tpaid := events.NewOrderPaid(1)\n\tc.RabbitProducer.PublishMessage(ctx, paid, nil)\n"
        "\tsent := OrderSent{}\n\tpublisher.Publish(context.Background(), sent)\n"
        "\tpublisher.Publish(ctx, body)\n\t// b.AddProducer(events.Old{}, g)\n}\n"
    )
    assert [row[:3] for row in said("a.go", text)] == [
        ("SUBSCRIBES", "StockGone", 4),
        ("PUBLISHES", "OrderPlaced", 5),
        ("PUBLISHES", "OrderPaid", 7),
        ("PUBLISHES", "OrderSent", 9),
    ]


def said_of_named_events(path, text, kind):
    facts = extract_facts(path, text, "shop")
    return [c for c in facts.clues if c.kind == kind and c.rule == "named events"]


@pytest.mark.parametrize(("path", "text", "expected"), NAMES)
def test_a_class_says_under_which_name_it_is_published(path, text, expected):
    assert [(c.key, c.value, c.line) for c in said_of_named_events(path, text, "topic name")] == [expected]


SPEAKERS = [
    ("a.php", "<?php\nclass Order {\n  function place() {\n    $this->record(new Events\\OrderPlaced($id));\n  }\n}\n", [("PUBLISHES", "OrderPlaced", 4)]),
    ("a.php", "<?php\nclass Bill implements DomainEventSubscriber {\n  public static function subscribedTo(): array\n  {\n    return [OrderPlaced::class,\n      OrderPaid::class];\n  }\n}\n", [("SUBSCRIBES", "OrderPlaced", 5), ("SUBSCRIBES", "OrderPaid", 6)]),
    ("a.ts", "class Bill {\n  subscribedTo(): DomainEventClass[] {\n    return [OrderPlaced];\n  }\n}\n", [("SUBSCRIBES", "OrderPlaced", 3)]),
    ("A.java", "@DomainEventSubscriber({OrderPlaced.class})\nclass Bill {}\n", [("SUBSCRIBES", "OrderPlaced", 1)]),
    ("a.php", "<?php\nclass A {\n  function f() { $this->log(new Thing()); }\n}\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), SPEAKERS)
def test_who_records_one_and_who_is_for_it(path, text, expected):
    clues = said_of_named_events(path, text, "topic")
    assert [(c.relation, c.key, c.line) for c in clues] == expected
    assert {c.value for c in clues} <= {"reference"}
