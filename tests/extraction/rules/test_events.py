"""Events of Eventuate, and those that state their own name."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts


def said(path, text):
    clues = [c for c in extract_facts(path, text, "shop").clues if c.kind == "topic"]
    return {(c.relation, c.key, c.line, c.value) for c in clues}


def test_eventuate():
    text = (
        "package net.acme.orders;\nimport io.eventuate.tram.events.aggregates.AbstractAggregateDomainEventPublisher;\n"
        "import net.acme.domain.Ticket;\n"
        "class P { P(E e) { super(e, Order.class, Order::getId); }\n void f() { domainEventPublisher.publish(Ticket.class, id, e); }\n"
        ' void g() { DomainEventHandlersBuilder.forAggregateType("net.acme.Consumer").onEvent(A.class, this::a); }\n'
        ' void h() { SagaCommandHandlersBuilder.fromChannel("orderService"); }\n'
        " void i() { return CommandWithDestinationBuilder.send(new X()).to(KitchenChannels.COMMANDS).build(); } }\n"
    )
    assert said("P.java", text) == {
        ("PUBLISHES", "net.acme.orders.Order", 4, ""),
        ("PUBLISHES", "net.acme.domain.Ticket", 5, ""),
        ("SUBSCRIBES", "net.acme.Consumer", 6, ""),
        ("SUBSCRIBES", "orderService", 7, ""),
        ("PUBLISHES", "KitchenChannels.COMMANDS", 8, "reference"),
    }
    assert said("P.java", text.replace("io.eventuate", "other")) == set()
    assert said("P.java", "import io.eventuate.x;\nclass P {}\n") == set()


NAMES = [
    ("a.php", "<?php\nfinal class OrderPlaced extends DomainEvent {\n  public static function eventName(): string\n  {\n    return 'order.placed';\n  }\n}\n", ("OrderPlaced", "order.placed", 3)),
    ("a.ts", "export class OrderPlaced extends DomainEvent {\n  static readonly EVENT_NAME = 'order.placed';\n}\n", ("OrderPlaced", "order.placed", 2)),
    ("A.java", 'public final class OrderPlaced extends DomainEvent {\n  @Override\n  public String eventName() { return "order.placed"; }\n}\n', ("OrderPlaced", "order.placed", 3)),
]  # fmt: skip


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
