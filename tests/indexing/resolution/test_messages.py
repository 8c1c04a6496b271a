"""Messages by their class: who publishes them, who handles them, and what never leaves a service."""

from __future__ import annotations

COMPOSE = "services:\n  till: {build: till}\n  desk: {build: desk}\n"
EVENT = "class OrderPaid : Event { }\n"
SENDS = "class Till {\n  Task Pay() { return publisher.PublishAsync(new OrderPaid(1)); }\n}\n"
TOLD = 'class Desk {\n  Task HandleMessage(string type) {\n    switch (type) { case "OrderPaid": break; }\n  }\n}\n'
GIVEN = "class Board {\n  Task HandleAsync(OrderPaid e) { return null; }\n}\n"
SHOP = {"compose.yml": COMPOSE, "till/OrderPaid.cs": EVENT, "desk/OrderPaid.cs": EVENT}


def topics(found, **wanted):
    return [
        row[:4] for row in found.rows("PUBLISHES", "SUBSCRIBES", **wanted) if row[2].endswith(("OrderPaid", "Event"))
    ]


def test_who_hands_a_class_to_a_bus_and_who_handles_it_elsewhere(graph):
    found = graph({"shop": {**SHOP, "till/Till.cs": SENDS, "desk/Desk.cs": TOLD, "desk/Board.cs": GIVEN}})
    assert topics(found, status="confirmed") == [
        ("shop/Board", "SUBSCRIBES", "shop/OrderPaid", "desk/Board.cs"),
        ("shop/Desk", "SUBSCRIBES", "shop/OrderPaid", "desk/Desk.cs"),
        ("shop/Till", "PUBLISHES", "shop/OrderPaid", "till/Till.cs"),
        ("shop/desk", "SUBSCRIBES", "shop/OrderPaid", "desk/Board.cs"),
        ("shop/desk", "SUBSCRIBES", "shop/OrderPaid", "desk/Desk.cs"),
        ("shop/till", "PUBLISHES", "shop/OrderPaid", "till/Till.cs"),
    ]


def test_who_handles_its_own_services_event_subscribes_to_nothing(graph):
    found = graph({"shop": {**SHOP, "till/Till.cs": SENDS, "till/Desk.cs": TOLD, "till/Board.cs": GIVEN}})
    assert {row[0] for row in topics(found)} == {"shop/Till", "shop/till"}


def test_what_others_inherit_from_or_nobody_defines_is_no_message(graph):
    any_event = SENDS.replace("new OrderPaid(1)", "new PaidEvent(1)")
    files = {"compose.yml": COMPOSE, "till/Till.cs": any_event, "till/PaidEvent.cs": "class PaidEvent { }\n"}
    assert topics(graph({"shop": files}))
    assert not topics(graph({"shop": {**files, "till/Other.cs": "class OtherPaid : PaidEvent { }\n"}}))
    assert not topics(graph({"shop": {"compose.yml": COMPOSE, "till/Till.cs": SENDS}}))


def test_a_name_that_another_services_class_has_is_told_apart_whoever_publishes_it(graph):
    found = graph(
        {
            "shop": {
                **SHOP,
                "desk/Desk.cs": TOLD,
                "desk/Bus.cs": "class B { void F() { bus.Publish(new DeskOpened()); } }\n",
            }
        }
    )
    assert ("shop/desk", "SUBSCRIBES", "shop/OrderPaid", "desk/Desk.cs") in topics(found)
    logged = TOLD.replace("HandleMessage", "LogMessage")
    assert not topics(
        graph(
            {
                "shop": {
                    **SHOP,
                    "desk/Desk.cs": logged,
                    "desk/Bus.cs": "class B { void F() { bus.Publish(new DeskOpened()); } }\n",
                }
            }
        )
    )


def test_what_one_service_sends_itself_is_its_codes_alone(graph):
    cqrs = (
        "import { CommandHandler } from '@nestjs/cqrs';\nexport class PayOrder {}\n"
        "export class Desk { pay() { return this.commandBus.execute(new PayOrder()); } }\n"
        "@CommandHandler(PayOrder)\nexport class PayOrderHandler {}\n"
    )
    found = graph({"shop": {"compose.yml": COMPOSE, "till/pay.ts": cqrs}})
    rows = {row[:3] for row in found.rows("PUBLISHES", "SUBSCRIBES") if row[2] == "shop/PayOrder"}
    assert rows == {
        ("shop/Desk", "PUBLISHES", "shop/PayOrder"),
        ("shop/PayOrderHandler", "SUBSCRIBES", "shop/PayOrder"),
    }
