"""Events that are classes or types, and those that state their own name."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts


def said(path, text):
    clues = [c for c in extract_facts(path, text, "shop").clues if c.kind == "topic"]
    return {(c.relation, c.key, c.line, c.value) for c in clues}


def test_an_event_bus_of_integration_events():
    text = (
        "class Handler(IEventBus bus) : IIntegrationEventHandler<OrderStockConfirmedIntegrationEvent> {\n"
        "  void F() {\n    var e = new OrderPaymentFailedIntegrationEvent(1);\n  }\n"
        "  void G() { eventBus.AddSubscription<OrderStartedIntegrationEvent, Handler>(); }\n}\n"
        "record OwnIntegrationEvent(int Id) : IntegrationEvent;\nclass B { object o = new OwnIntegrationEvent(1); }\n"
    )
    assert said("A.cs", text) == {
        ("SUBSCRIBES", "OrderStockConfirmedIntegrationEvent", 1, "guess"),
        ("PUBLISHES", "OrderPaymentFailedIntegrationEvent", 3, ""),
        ("SUBSCRIBES", "OrderStartedIntegrationEvent", 5, ""),
    }


def test_mass_transit():
    text = (
        "using MassTransit;\nclass C : IConsumer<OrderPlaced> {\n"
        "  void F() { _bus.Publish(new OrderPaid(1)); _publishEndpoint.Publish<OrderShipped>(x); mediator.Publish(new Inner()); }\n}\n"
    )
    assert said("C.cs", text) == {
        ("SUBSCRIBES", "OrderPlaced", 2, "guess"),
        ("PUBLISHES", "OrderPaid", 3, ""),
        ("PUBLISHES", "OrderShipped", 3, ""),
    }
    guessed = {(relation, event, line, "guess") for relation, event, line, _ in said("C.cs", text)}
    assert said("C.cs", text.replace("using MassTransit;", "")) == guessed  # an in-house bus around one, or none


def test_a_variable_that_is_published():
    lines = [
        "var a = OrderPaid.Of(1); await bus.PublishAsync(a, token);",
        "var b = dto.Adapt<OrderSent>(); await publishEndpoint.Publish(b);",
        "OrderLost c = Find(); await _bus.Publish(c);",
        "var d = new OrderBack(1); _eventBus.Publish(d);",
        "var e = Find(); _bus.Publish(e); _bus.Publish(f);",
        "// var g = new OrderOld(); _bus.Publish(g);",
        "commandBus.Send(new CreateOrder()); var h = new Inner(); _mediatorBus.Publish(h);",
    ]
    text = "class A {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"
    rows = [("OrderPaid", 2), ("OrderSent", 3), ("OrderLost", 4), ("OrderBack", 5)]
    assert said("A.cs", text) == {("PUBLISHES", event, line, "guess") for event, line in rows}
    known = "using MassTransit;" + text
    assert said("A.cs", known) == {("PUBLISHES", event, line, "") for event, line in rows}


def test_types_that_a_listener_is_given():
    text = "app.UseRabbitListeners(new List<Type> { typeof(OrderPaid), typeof(Events.OrderSent) });\nvar t = typeof(Other);\n"
    rows = {("SUBSCRIBES", "OrderPaid", 2, "guess"), ("SUBSCRIBES", "OrderSent", 2, "guess")}
    assert said("A.cs", f"class Startup {{ void F() {{\n{text}}} }}\n") == rows


def test_an_event_that_a_method_makes():
    text = (
        "class A {\n  Task F() => eventPublisher.PublishMessage(OrderPaid(order));\n"
        "  Task G() => eventPublisher.PublishMessage(Unknown(order));\n"
        "  private static OrderPaid OrderPaid(Order order) => new OrderPaid(order.Id);\n}\n"
    )
    assert said("A.cs", text) == {("PUBLISHES", "OrderPaid", 2, "guess")}


def test_a_mediator_by_any_name_stays_in_the_process():
    text = "class A {\n  private readonly IMediator bus;\n  Task F() => bus.Send(new CreateOrder());\n}\n"
    assert said("A.cs", text) == set()
    assert said("A.cs", text.replace("IMediator", "IBus")) == {("PUBLISHES", "CreateOrder", 3, "guess")}


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


def said_of_types(path, text):
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
    assert said_of_types("a.go", text) == [
        ("SUBSCRIBES", "OrderPlaced", 2, "h", "guess"),
        ("PUBLISHES", "OrderShipped", 4, "Service.Ship", "guess"),
    ]
    assert said_of_types("a_test.go", text) == []


def test_a_bus_of_ones_own():
    text = (
        "package a\nfunc Configure(b Builder) {\n"
        "\tb.\n\t\tAddConsumer(external.StockGone{}, f)\n\tb.AddProducer(events.OrderPlaced{}, g)\n"
        "\tpaid := events.NewOrderPaid(1)\n\tc.RabbitProducer.PublishMessage(ctx, paid, nil)\n"
        "\tsent := OrderSent{}\n\tpublisher.Publish(context.Background(), sent)\n"
        "\tpublisher.Publish(ctx, body)\n\t// b.AddProducer(events.Old{}, g)\n}\n"
    )
    assert [row[:3] for row in said_of_types("a.go", text)] == [
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
