"""Events that are classes."""

from __future__ import annotations

from indexing.extraction import extract_facts


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
