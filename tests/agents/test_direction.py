from __future__ import annotations

import pytest

from agents.direction import Walk, read_walk


@pytest.mark.parametrize(
    ("question", "walk"),
    [
        ("What calls the quote service?", Walk("in", ("CALLS", "INVOKES"))),
        ("What depends on httpx?", Walk("in", ("DEPENDS_ON", "CALLS", "IMPORTS"))),
        ("Which projects use customers?", Walk("in")),
        ("Who publishes OrderPlaced?", Walk("in", ("PUBLISHES",))),
        ("What does httpx import?", Walk("out", ("IMPORTS",))),
        ("What does OrderService call?", Walk("out", ("CALLS", "INVOKES"))),
        ("What calls the service that uses Customer?", Walk("in", (), 2)),
        ("What calls the service that calls the quote service?", Walk("in", (), 2)),
        ("which other services also read it?", Walk("in", ("READS", "USES_TABLE", "STORES_IN"))),
        ("Which environment variables does the cart service of robot-shop read?", Walk("out", ("READS",))),
        ("Which settings do the workers need?", Walk("both")),
        ("Which services of web-shop use MongoDB?", Walk("in")),
        ("Which services publish to the bus?", Walk("in", ("PUBLISHES",))),
        ("What services call pay?", Walk("in", ("CALLS", "INVOKES"))),
        (
            "Who consumes the messages that the till publishes?",
            Walk("out", ("PUBLISHES",), then=Walk("in", ("CONSUMES", "SUBSCRIBES"))),
        ),
        ("Who calls the service that also reads it?", Walk("in", ("CALLS", "INVOKES"))),
        ("Which endpoints does the till expose?", Walk("out", ("EXPOSES",))),
        ("How does A connect to B?", Walk("both")),
        ("What is a service that uses Customer?", Walk("in")),
        ("", Walk("both")),
    ],
)
def test_the_walk_of_a_question(question: str, walk: Walk):
    assert read_walk(question) == walk
