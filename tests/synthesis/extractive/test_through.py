"""Who meets whom through a topic."""

from __future__ import annotations

import pytest

from memory.entities import Entity
from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.network import Network
from synthesis.extractive.through import through_lines

TILL, MAIL, STOCK = (Entity(name, "service", "shop") for name in ("till", "mail", "stock"))
MAIN = Entity("main", "function", "shop")
PAID, LOST = Entity("paid", "topic", "shop"), Entity("lost", "topic", "shop")
TWIN = Entity("paid", "topic", "bank")
QUESTION = "Who consumes the messages that the till publishes?"


@pytest.fixture
def observations(org):
    org.texts["shop/bus.py"] = 'send("paid")\nlisten("paid")\nlisten("paid", again)\nsend("lost")\n'
    return [
        org.graph(edge)
        for edge in (
            org.edge(TILL, "PUBLISHES", PAID, "bus.py", 1),
            org.edge(TILL, "PUBLISHES", LOST, "bus.py", 4),
            org.edge(MAIN, "SUBSCRIBES", PAID, "bus.py", 2),
            org.edge(MAIL, "SUBSCRIBES", PAID, "bus.py", 2),
            org.edge(STOCK, "CONSUMES", TWIN, "bus.py", 3),
            org.edge(STOCK, "CALLS", TILL, "bus.py", 3),
        )
    ]


async def test_each_thing_with_who_reaches_it_too(org, observations):
    asked = org.asked(QUESTION, QueryType.MULTI_HOP, entities=("till",))
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    lead, line = answer.text.split("\n")
    assert lead == "mail and stock consume what till publishes:"
    assert line == (
        "- till publishes paid (bus.py:1); [graph:shop/till→shop/paid]"
        " mail subscribes to it (bus.py:2). [graph:shop/mail→shop/paid]"  # not main, which is mail's own line
        " stock consumes it (bus.py:3). [graph:shop/stock→bank/paid]"
    )
    assert all(citation.verified for citation in answer.citations)


async def test_the_other_way_about(org, observations):
    asked = org.asked("Which service publishes the event that mail consumes?", QueryType.MULTI_HOP, entities=("mail",))
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    assert answer.text.split("\n")[0] == "till publishes what mail consumes:"


def test_nothing_where_nobody_else_reaches_it_or_it_is_not_asked_so():
    network = Network([])
    assert through_lines(QUESTION, ["till"], network) == []
    assert through_lines(QUESTION, ["mail"], network) == []
    assert through_lines("Who consumes paid?", ["paid"], network) == []
