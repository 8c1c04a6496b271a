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
        ("which other services also read it?", Walk("in", ("USES_TABLE", "STORES_IN"))),
        ("How does A connect to B?", Walk("both")),
        ("What is a service that uses Customer?", Walk("in")),
        ("", Walk("both")),
    ],
)
def test_the_walk_of_a_question(question: str, walk: Walk):
    assert read_walk(question) == walk
