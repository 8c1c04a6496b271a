"""What projects and things have of a kind, with the places that prove it."""

from __future__ import annotations

import pytest

from agents import GraphRetrievalAgent
from agents.inventory import Inventory
from agents.linking import Link
from agents.listing import inventories, services_of
from configs.settings import GraphSettings, ScopeSettings
from memory.entities import Entity
from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch
from memory.query import TaskContext
from tests.agents.shop import edge, entity

EVERYONE = frozenset({"shop", "bank"})
SHOP, BANK = entity("shop", "shop", "project"), entity("bank", "bank", "project")
CART, PAY, TILL = (
    entity("shop", "cart", "service", 5),
    entity("shop", "pay", "service", 9),
    entity("bank", "till", "service"),
)
GET, PUT = entity("shop", "GET /cart", "endpoint", 3), entity("shop", "PUT /cart", "endpoint", 4)
ORDERS, BILLS = entity("shop", "orders", "topic"), entity("shop", "bills", "topic")
HEALTH = [Entity("GET /health", "endpoint", "bank", f"{n}.py", 1, 1) for n in range(2)]
EDGES = [
    edge(CART, "EXPOSES", PUT, (4,)),
    edge(CART, "EXPOSES", GET, (3,)),
    edge(PAY, "INVOKES", GET, (7,)),
    edge(PAY, "PUBLISHES", ORDERS, (8,)),
    edge(TILL, "PUBLISHES", BILLS, (8,)),
    edge(PAY, "CALLS", CART, (6,)),
]
STORE = FakeGraphStore(GraphBatch([SHOP, BANK, CART, PAY, TILL, GET, PUT, ORDERS, BILLS, *HEALTH], EDGES))
SERVICES = Inventory("service", ("service",))
ENDPOINTS = Inventory("endpoint", ("endpoint",))


def meant(*entities: Entity, confidence: float = 1.0) -> list[Link]:
    return [Link(entity.name, entity, confidence, "test") for entity in entities]


async def told(asked: Inventory, *entities: Entity, permission: frozenset[str] = EVERYONE) -> list[str]:
    return [said.content for said in await inventories(asked, meant(*entities), STORE, permission)]


async def test_a_projects_own_with_the_line_that_defines_each():
    (said,) = await inventories(SERVICES, meant(SHOP), STORE, EVERYONE)
    assert said.content == "shop has 2 services: cart, pay."
    assert [(at.path, at.start_line, at.end_line) for at in said.locations] == [
        ("shop/cart.py", 5, 5),
        ("shop/pay.py", 9, 9),
    ]
    assert (said.observation_type, said.hop_depth, said.relationships, said.confidence) == ("pattern", 0, [], 1.0)


async def test_a_line_for_each_project_that_is_named_and_for_all_where_none_is():
    assert await told(SERVICES, SHOP, BANK) == ["bank has 1 service: till.", "shop has 2 services: cart, pay."]
    everywhere = Inventory("service", ("service",), everywhere=True)
    assert await told(everywhere) == ["shop has 2 services: cart, pay.", "bank has 1 service: till."]  # most first
    assert await told(SERVICES) == []


async def test_nothing_of_a_forbidden_project():
    everywhere = Inventory("service", ("service",), everywhere=True)
    assert await told(everywhere, permission=frozenset({"bank"})) == ["bank has 1 service: till."]
    assert await told(SERVICES, SHOP, permission=frozenset({"bank"})) == []


async def test_a_service_elsewhere_that_has_none_leaves_it_to_the_project_of_its_name():
    """`till` is a project here, and a service in the bank's manifests."""
    till = entity("till", "till", "project")
    rows = entity("till", "receipts", "table", 2)
    store = FakeGraphStore(GraphBatch([SHOP, BANK, TILL, till, rows], []))
    (said,) = await inventories(Inventory("table", ("table",)), meant(till, TILL), store, EVERYONE | {"till"})
    assert said.content == "till has 1 table: receipts."


async def test_what_a_thing_has_is_what_its_relations_lead_to():
    (said,) = await inventories(ENDPOINTS, meant(SHOP, CART), STORE, EVERYONE)
    assert said.content == "cart of shop has 2 endpoints: GET /cart, PUT /cart."
    assert [r.type for r in said.relationships] == ["EXPOSES", "EXPOSES"]
    assert [at.start_line for at in said.locations] == [3, 4]
    assert await told(ENDPOINTS, SHOP, PAY) == []  # it calls one, but has none
    assert await told(Inventory("endpoint", ("endpoint",), ("CALLS", "INVOKES"), contained=False), PAY) == [
        "pay of shop has 1 endpoint: GET /cart."
    ]


async def test_a_service_that_is_called_as_its_project_is_named_once():
    till, topic = entity("till", "till", "service"), entity("till", "receipts", "topic")
    store = FakeGraphStore(GraphBatch([till, topic], [edge(till, "PUBLISHES", topic, (2,))]))
    asked = Inventory("topic", ("topic",), ("PUBLISHES",), contained=False)
    (said,) = await inventories(asked, meant(till), store, frozenset({"till"}))
    assert said.content == "till has 1 topic: receipts."


async def test_a_relation_within_the_project_narrows_what_is_listed():
    published = Inventory("topic", ("topic",), ("PUBLISHES",))
    assert await told(published, SHOP) == ["shop has 1 topic: orders."]  # bills are published by the bank's till
    assert await told(Inventory("topic", ("topic",)), SHOP) == ["shop has 2 topics: bills, orders."]


async def test_what_a_project_uses_need_not_be_its_own():
    assert await told(Inventory("service", ("service",), contained=False), SHOP) == []


async def test_one_name_of_several_things_is_shown_once_and_counted():
    (said,) = await inventories(ENDPOINTS, meant(BANK), STORE, EVERYONE)
    assert said.content == "bank has 2 endpoints: GET /health."
    assert (said.metadata["total"], said.metadata["names"], said.metadata["times"]) == (2, 1, {"GET /health": 2})


async def test_at_most_twenty_five_are_shown():
    tables = [entity("shop", f"t{n:02}", "table") for n in range(27)]
    store = FakeGraphStore(GraphBatch([SHOP, *tables], []))
    (said,) = await inventories(Inventory("table", ("table",)), meant(SHOP), store, EVERYONE)
    assert said.content.endswith("t23, t24 and 2 more.")
    assert (len(said.entities), len(said.locations), said.metadata["names"]) == (25, 25, 27)


async def test_what_is_hardly_meant_has_nothing_listed():
    other = entity("bank", "cart", "service")
    store = FakeGraphStore(GraphBatch([CART, other, GET], [*EDGES[1:2], edge(other, "EXPOSES", GET, (1,))]))
    links = [*meant(CART, confidence=0.85), *meant(other, confidence=0.425)]
    assert [said.source_projects for said in await inventories(ENDPOINTS, links, store, EVERYONE)] == [["shop"]]


async def test_the_services_of_a_project_that_has_more_than_one():
    (said,) = await services_of(meant(SHOP, BANK), STORE, EVERYONE)
    assert said.content == "shop has 2 services: cart, pay."
    assert said.metadata["beside"] is True


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Which services are in shop?", "shop has 2 services: cart, pay.", None),
        ("Which endpoints does cart in shop expose?", "cart of shop has 2 endpoints: GET /cart, PUT /cart.", None),
        ("What is shop?", None, "shop has 2 services: cart, pay."),
    ],
)
async def test_the_graph_agent_tells_it_first_or_beside_what_a_project_is(question, first, last):
    agent = GraphRetrievalAgent(STORE, GraphSettings(), ScopeSettings(), max_observations=10)
    found = [said.content for said in await agent.retrieve(question, TaskContext(allowed_projects=EVERYONE))]
    assert first in {None, found[0]}
    assert last in {None, found[-1]}
    assert len(found) == len(set(found))
