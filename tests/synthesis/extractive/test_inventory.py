"""The names of a kind in a sentence, each with the line that defines it or the relation that leads to it."""

from __future__ import annotations

import pytest
from agents.inventory import Inventory
from agents.listing import inventories, services_of

from agents.linking import Link
from memory.entities import Entity
from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch
from memory.query import QueryType
from memory.shared import MemoryEntry
from merging.normalise import normalise
from synthesis.extractive.answerer import ExtractiveAnswerer

COMPOSE = "services:\n  cart:\n    build: cart\n  pay:\n    build: pay\n\n"
SHOP = Entity("shop", "project", "shop", "README.md", 1, 1)
CART, PAY = (
    Entity("cart", "service", "shop", "compose.yml", 2, 3),
    Entity("pay", "service", "shop", "compose.yml", 4, 5),
)
GET, PUT = Entity("GET /", "endpoint", "shop", "cart.js", 1, 1), Entity("PUT /", "endpoint", "shop", "cart.js", 2, 2)
SERVICES, ENDPOINTS = Inventory("service", ("service",)), Inventory("endpoint", ("endpoint",))


@pytest.fixture
def shop(org):
    org.texts |= {
        "shop/compose.yml": COMPOSE,
        "shop/cart.js": "app.get('/', list)\napp.put('/', put)\n",
        "shop/README.md": "# Shop\n\nThis shop sells whatever there is to be sold.\n",
    }
    exposes = [org.edge(CART, "EXPOSES", end, "cart.js", line) for line, end in enumerate((GET, PUT), 1)]
    return FakeGraphStore(GraphBatch([SHOP, CART, PAY, GET, PUT], exposes))


async def answered(org, store, asked, *entities, query="List them", beside=(), kind=QueryType.ENTITY_LOOKUP):
    links = [Link(one.name, one, 1.0, "test") for one in entities]
    everyone = frozenset({"shop", "bank"})
    found = await inventories(asked, links, store, everyone) if asked else await services_of(links, store, everyone)
    seen = [
        normalise(MemoryEntry("1", one.content, "graph", 0.5, is_belief_candidate=False, observation=one))
        for one in found
    ]
    classified = org.asked(query, kind)
    return await ExtractiveAnswerer().answer(query, [*beside, *seen], classification=classified, files=org.files)


async def test_a_projects_services_by_the_lines_that_define_them(org, shop):
    answer = await answered(org, shop, SERVICES, SHOP)
    assert answer.text == "shop has two services: cart and pay. [graph:shop/shop]"
    assert [(c.claim, c.quote, c.location.start_line) for c in answer.citations] == [
        ("cart is a service of shop", "cart:", 2),
        ("pay is a service of shop", "pay:", 4),
    ]
    assert all(citation.verified for citation in answer.citations)


async def test_what_a_service_exposes_by_its_relations(org, shop):
    answer = await answered(org, shop, ENDPOINTS, CART)
    assert answer.text == "cart of shop exposes two endpoints: GET / and PUT /. [graph:shop/cart]"
    assert [c.quote for c in answer.citations] == ["app.get('/', list)", "app.put('/', put)"]
    assert all(citation.verified for citation in answer.citations)


async def test_a_variable_is_read_and_not_had(org):
    org.texts["shop/cart.js"] = "const at = process.env.CART_DB\n"
    key = Entity("CART_DB", "config_key", "shop", "cart.js", 1, 1)
    store = FakeGraphStore(GraphBatch([SHOP, key], []))
    answer = await answered(org, store, Inventory("environment variable", ("config_key",)), SHOP)
    assert answer.text == "shop reads one environment variable: CART_DB. [graph:shop/shop]"


async def test_several_projects_have_a_line_each(org, shop):
    org.texts["bank/compose.yml"] = COMPOSE
    bank, till = Entity("bank", "project", "bank"), Entity("till", "service", "bank", "compose.yml", 2, 3)
    store = FakeGraphStore(GraphBatch([SHOP, CART, PAY, bank, till], []))
    answer = await answered(org, store, SERVICES, SHOP, bank)
    assert answer.text.split("\n") == [
        "- bank has one service: till. [graph:bank/bank]",
        "- shop has two services: cart and pay. [graph:shop/shop]",
    ]


async def test_a_definition_whose_line_is_not_to_be_had_is_the_graphs_word(org, shop):
    blank = Entity("load", "service", "shop", "compose.yml", 6, 6)
    store = FakeGraphStore(GraphBatch([SHOP, CART, blank, Entity("seed", "service", "shop")], []))
    answer = await answered(org, store, SERVICES, SHOP)
    assert answer.text.startswith("shop has three services: cart, load and seed.")
    assert [(c.quote, c.location is None) for c in answer.citations] == [
        ("cart:", False),
        ("load", True),
        ("seed", True),
    ]
    assert all(citation.verified for citation in answer.citations)


async def test_many_names_are_folded_and_those_of_several_are_counted(org, shop):
    org.texts["shop/db.sql"] = "\n".join(f"CREATE TABLE t{n:02} (id INT);" for n in range(30))
    tables = [Entity(f"t{n:02}", "table", "shop", "db.sql", n + 1, n + 1) for n in range(30)]
    again = Entity("t00", "table", "shop", "more.sql", 9, 9)
    store = FakeGraphStore(GraphBatch([SHOP, *tables, again], []))
    answer = await answered(org, store, Inventory("table", ("table",)), SHOP)
    assert answer.text.startswith("shop has 31 tables: t00 (2 times), t01, ")
    assert "t23, t24 and 5 more. [graph:shop/shop]" in answer.text
    assert len(answer.citations) == 25


async def test_beside_what_a_project_is_its_services_are_a_bullet(org, shop):
    said = org.known(SHOP)
    answer = await answered(org, shop, None, SHOP, query="What is shop?", beside=[said])
    *_, last = answer.text.split("\n")
    assert last == "- shop has two services: cart and pay. [graph:shop/shop]"
    assert len(answer.text.split("\n")) == 2
