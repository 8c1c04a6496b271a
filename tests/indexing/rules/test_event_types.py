"""Events of Go that are types."""

from __future__ import annotations

from indexing.extraction import extract_facts


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
