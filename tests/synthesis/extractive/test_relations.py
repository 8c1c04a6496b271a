"""Questions between services: the relation first, then the line that proves it."""

from __future__ import annotations

import pytest

from memory.entities import Entity, Evidence, Relationship
from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer

PAY, CART, MAIL = (Entity(name, "service", "web-shop") for name in ("pay", "cart", "mail"))
BUS, BASE = Entity("bus", "service", "web-shop"), Entity("mongo", "service", "web-shop")
PAID = Entity("paid", "topic", "web-shop")
CODE = "cart = env('CART_HOST')\nrequests.delete(cart + '/cart/1')\nbus = env('BUS')\nbus.send('paid')\nmongo = env('DB')\n"


@pytest.fixture
def edges(org):
    org.texts["web-shop/pay.py"] = CODE
    org.texts["web-shop/mail.py"] = CODE
    calls = Relationship(
        PAY,
        "CALLS",
        CART,
        "web-shop",
        "pay.py",
        (1, 2),
        evidence=(
            Evidence("address", "web-shop", "pay.py", 1, "reads CART_HOST"),
            Evidence("http client", "web-shop", "pay.py", 2, "asks for DELETE /cart/{} of cart"),
        ),
    )
    return {
        "calls": calls,
        "bus": org.edge(PAY, "DEPENDS_ON", BUS, "pay.py", 3),
        "sends": org.edge(PAY, "PUBLISHES", PAID, "pay.py", 4),
        "stores": org.edge(PAY, "STORES_IN", BASE, "pay.py", 5),
        "also": org.edge(MAIL, "STORES_IN", BASE, "mail.py", 5),
        "reads": org.edge(PAY, "READS", Entity("DB", "config_key", "web-shop"), "pay.py", 5),
    }


async def told(org, query, *edges, entities=()):
    asked = org.asked(query, QueryType.RELATIONSHIP, entities=entities)
    observations = [org.graph(edge) for edge in edges]
    answer = await ExtractiveAnswerer().answer(query, observations, classification=asked, files=org.files)
    assert all(citation.verified for citation in answer.citations)
    return answer.text.split("\n")


async def test_the_relation_leads_and_the_request_proves_it(org, edges):
    lead, proof = await told(
        org, "How does the pay service call the cart service in web-shop?", edges["calls"], entities=("pay", "cart")
    )
    assert lead == "pay calls cart. [graph:web-shop/pay→web-shop/cart]"
    assert proof == ("- web-shop/pay.py:2 `requests.delete(cart + '/cart/1')` [graph:web-shop/pay→web-shop/cart]")


async def test_a_place_is_no_end_of_the_relation(org, edges):
    lead, *users = await told(
        org, "Which services of web-shop use mongo?", edges["stores"], edges["also"], entities=("mongo", "web-shop")
    )
    assert lead == "Two services of web-shop use mongo."
    assert users[0].startswith("- pay stores its data in mongo (pay.py:5)")


async def test_of_a_broker_it_is_told_what_its_users_publish(org, edges):
    lead, depends, sends = await told(
        org, "Which services publish to bus in web-shop?", edges["bus"], edges["sends"], entities=("bus",)
    )
    assert lead == "One service of web-shop uses bus."
    assert depends.startswith("- pay depends on bus (pay.py:3)")
    assert sends.startswith("- pay publishes paid (pay.py:4)")


async def test_what_is_known_of_one_end_is_told_where_the_other_is_nobodys(org, edges):
    query = "How does pay notify users in web-shop?"
    lead, known = await told(org, query, edges["reads"], edges["calls"], entities=("pay", "web-shop"))
    assert lead == "No relation between pay and users is known. What is known of pay, from web-shop:"
    assert known.startswith("- pay calls cart (pay.py:2)")


async def test_an_end_that_only_the_relations_know_is_no_stranger(org, edges):
    query = "How does pay call cart in web-shop?"
    lead, _ = await told(org, query, edges["calls"], entities=("pay", "web-shop"))
    assert lead == "pay calls cart. [graph:web-shop/pay→web-shop/cart]"


async def test_what_one_publishes_is_what_leads_away_from_it(org, edges):
    lead, sends = await told(org, "What does pay publish?", edges["sends"], entities=("pay",))
    assert lead == "What pay uses is in web-shop:"
    assert sends.startswith("- pay publishes paid (pay.py:4)")


async def test_a_service_is_told_instead_of_the_function_that_makes_it_do_so(org, edges):
    function = org.edge(Entity("sell", "function", "web-shop"), "PUBLISHES", PAID, "pay.py", 4)
    lead, sends = await told(org, "Who publishes paid?", function, edges["sends"], entities=("paid",))
    assert lead == "One service of web-shop uses paid."
    assert sends.startswith("- pay publishes paid (pay.py:4)")


async def test_what_a_service_reads_is_no_answer_to_whom_it_reaches(org, edges):
    query = "How does pay notify users in web-shop?"
    [nothing] = await told(org, query, edges["reads"], entities=("pay", "web-shop"))
    assert nothing.startswith("- pay reads DB (pay.py:5)")  # for want of any text that speaks of it
