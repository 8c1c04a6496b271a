"""Messages that are of a class, in any language."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from extraction.rules.messages import TypedMessages

CALLS = [
    ("A.cs", "var a = OrderPaid.Of(1); await bus.PublishAsync(a, token);", [("PUBLISHES", "OrderPaid")]),
    ("A.cs", "var b = dto.Adapt<OrderSent>(); await publishEndpoint.Publish(b);", [("PUBLISHES", "OrderSent")]),
    ("A.cs", "OrderLost c = Find(); await _bus.Publish(c);", [("PUBLISHES", "OrderLost")]),
    ("A.cs", 'var e = OrderBack.FromCommand(c); await _publisher.PublishMessageAsync(e.Type, e, "");', [("PUBLISHES", "OrderBack")]),
    ("A.cs", "_publishEndpoint.Publish<OrderShipped>(x); _bus.Send(new PayBill(3));", [("PUBLISHES", "OrderShipped"), ("PUBLISHES", "PayBill")]),
    ("A.cs", "eventPublisher.PublishMessage(OrderMade(order));", [("PUBLISHES", "OrderMade")]),
    ("A.cs", "app.UseListeners(new List<Type> { typeof(OrderPaid), typeof(Events.OrderSent) });", [("SUBSCRIBES", "OrderPaid"), ("SUBSCRIBES", "OrderSent")]),
    ("A.cs", "builder.AddBus()\n  .AddSubscription<OrderPaid, OrderPaidHandler>();", [("SUBSCRIBES", "OrderPaid")]),
    ("a.ts", "this.publisher.publishMessage(new UserMade(user));", [("PUBLISHES", "UserMade")]),
    ("a.ts", "this.consumer.consumeMessage<UserMade>(new UserMade(), handle);", [("SUBSCRIBES", "UserMade")]),
    ("a.ts", "this.bus.publish([new OrderOne(1), new OrderTwo(2)]);", [("PUBLISHES", "OrderOne"), ("PUBLISHES", "OrderTwo")]),
    ("a.kt", "val paid: OrderPaid = find()\npublisher.publish(paid)", [("PUBLISHES", "OrderPaid")]),
    ("a.php", "$this->eventBus->dispatch(new Events\\OrderPaid($id));", [("PUBLISHES", "OrderPaid")]),
    ("a.py", "bus.publish(OrderPaid(1))\nbus.subscribe(OrderSent, handler)", [("PUBLISHES", "OrderPaid"), ("SUBSCRIBES", "OrderSent")]),
    ("a.rb", "bus.publish(OrderPaid.new(1))", [("PUBLISHES", "OrderPaid")]),
    ("a.rs", "bus.publish(OrderPaid { id: 1 })", [("PUBLISHES", "OrderPaid")]),
    ("a.go", "paid := events.NewOrderPaid(1)\nc.RabbitProducer.PublishMessage(ctx, paid, nil)", [("PUBLISHES", "OrderPaid")]),
    ("a.go", "s.eventBus.Publish(ctx, &events.OrderShipped{ID: s.id})", [("PUBLISHES", "OrderShipped")]),
    ("a.go", "b.AddConsumer(other.StockGone{}, f)\nb.AddProducer(events.OrderPlaced{}, g)", [("PUBLISHES", "OrderPlaced"), ("SUBSCRIBES", "StockGone")]),
    ("a.go", 'cqrs.NewEventHandler("bill", func(ctx context.Context, e *events.OrderPlaced) error { return nil })', [("SUBSCRIBES", "OrderPlaced")]),
]  # fmt: skip
NONE = [
    (
        "A.cs",
        "await bus.Publish(MessageEnvelopeFactory.From(x)); await bus.Publish(new EventWrapper(x));",
    ),  # what makes and wraps
    (
        "A.cs",
        'producer.Send("orders", new OrderPaid(1)); producer.Send(ordersTopic, new OrderPaid(1));',
    ),  # a topic is named
    ("A.cs", "commandBus.Send(new CreateOrder()); mediator.Publish(new OrderPaid());"),  # in the process
    ("A.cs", "res.Send(new OrderDto()); mailer.Send(new WelcomeMail());"),
    ("A.cs", "services.UseMessagePublisher(builder); bus.Publish(message); bus.Publish(new IntegrationEvent(1));"),
    ("A.cs", "// _bus.Publish(new OrderOld());"),
    ("A.cs", "bus.Publish(new PAID_ORDER()); bus.Publish(new Paid());"),  # a constant, a word that may be anything
]


def said(path, text, *values):
    clues = [c for c in extract_facts(path, text, "shop").clues if c.rule == TypedMessages.name]
    return sorted({(c.relation, c.key) for c in clues if not values or c.value in values})


def wrapped(path, text):
    kinds = {"cs": "class A {{\n  void F() {{\n{}\n}} }}", "php": "<?php\nclass A {{ function f() {{\n{}\n}} }}"}
    return kinds.get(path.rpartition(".")[2], "{}").format(text) + "\n"


@pytest.mark.parametrize(("path", "text", "expected"), CALLS, ids=[row[1][:40] for row in CALLS])
def test_a_call_says_the_class(path, text, expected):
    assert said(path, wrapped(path, text)) == expected
    assert said(f"tests/{path}", wrapped(path, text)) == []


@pytest.mark.parametrize(("path", "text"), NONE)
def test_what_is_no_message_of_a_class(path, text):
    assert said(path, wrapped(path, text)) == []


def test_what_a_mediator_is_given_stays_in_the_process_whatever_it_is_called():
    text = "class A {\n  private readonly IMediator bus;\n  Task F() => bus.Publish(new OrderPaid());\n}\n"
    assert said("A.cs", text) == []
    assert said("A.cs", text.replace("IMediator", "IBus")) == [("PUBLISHES", "OrderPaid")]


def test_what_is_made_in_the_same_file_is_not_told_by_its_definition():
    text = "class OrderPaid { }\nclass A { void F() { bus.Publish(new OrderPaid()); } }\n"
    assert said("A.cs", text) == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("A.java", "class A {\n  void onOrderPaid(OrderPaid e) { OrderSent s = new OrderSent(e); }\n}\n"),
        ("a.kt", "class A {\n  fun handle(e: OrderPaid) {}\n}\n"),
        ("A.cs", "class A {\n  Task HandleAsync(OrderPaid e) { return null; }\n}\n"),
        ("a.py", "def handle_order(e: OrderPaid): ...\n"),
        ("a.go", "package a\nfunc (h *H) ProcessOrder(e *events.OrderPaid) error { return nil }\n"),
    ],
)
def test_a_function_that_handles_says_what_it_is_given(path, text):
    assert said(path, text, "handled") == [("SUBSCRIBES", "OrderPaid")]
    assert (
        said(
            path,
            text.replace("handle", "load").replace("Handle", "Load").replace("on", "by").replace("Process", "Load"),
            "handled",
        )
        == []
    )
