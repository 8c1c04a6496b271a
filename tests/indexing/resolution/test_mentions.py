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
