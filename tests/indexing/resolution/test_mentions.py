"""Documents that speak of entities."""

from __future__ import annotations


def test_names_of_the_same_project_only(graph):
    found = graph(
        {
            "shop": {"docs/a.md": "# A\n\nThe `Till` and PaymentGateway.\n", "till.py": "class Till: ...\n"},
            "pay": {"gateway.py": "class PaymentGateway: ...\n"},
        }
    )
    assert [(m.project, m.path, m.entity_id, m.line) for m in found.batch.mentions] == [
        ("shop", "docs/a.md", "shop/class/till.py/Till", 3)
    ]


def test_a_topic_is_spoken_of_in_any_project_unless_its_name_is_one_plain_word(graph):
    listens = 'bus.subscribe("order.placed", print)\nbus.subscribe("orders", print)\n'
    found = graph({"shop": {"listen.py": listens}, "docs": {"events.md": "`order.placed` and `orders`\n"}})
    assert [(m.project, m.entity_id.rpartition("/")[2], m.line) for m in found.batch.mentions] == [
        ("docs", "order.placed", 1)
    ]
