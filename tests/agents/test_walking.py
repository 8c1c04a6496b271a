"""What is followed from where, and what is told when the verb of the question is nobody's."""

from __future__ import annotations

from agents.direction import Walk, read_walk
from agents.linking import Link
from agents.walking import Walker
from memory.entities import Entity
from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch
from tests.agents.shop import edge, entity

EVERYONE = frozenset({"shop"})
SHOP = entity("shop", "shop", "project")
PAY, MAIL, STOCK = (entity("shop", name, "service") for name in ("pay", "mail", "stock"))
BUS = entity("shop", "bus", "service")
PAID = entity("shop", "paid", "topic")
EDGES = [
    edge(PAY, "PUBLISHES", PAID),
    edge(MAIL, "SUBSCRIBES", PAID),
    edge(STOCK, "CALLS", PAY),
    edge(PAY, "DEPENDS_ON", BUS),
    edge(MAIL, "DEPENDS_ON", BUS),
    edge(STOCK, "DEPENDS_ON", SHOP),
]
STORE = FakeGraphStore(GraphBatch([SHOP, PAY, MAIL, STOCK, BUS, PAID], EDGES))


async def walked(question: str, *meant: Entity, walk: Walk | None = None, hops: int = 2) -> set[tuple[str, str, str]]:
    links = [Link(one.name, one, 1.0, "test") for one in meant]
    found = await Walker(STORE, max_hops=hops).edges(question, links, walk or read_walk(question), EVERYONE)
    return {(e.source.name, e.type, e.target.name) for e in found}


async def test_there_and_from_there_back():
    assert await walked("Who consumes the messages that pay publishes?", PAY) == {
        ("pay", "PUBLISHES", "paid"),
        ("mail", "SUBSCRIBES", "paid"),
    }
    assert await walked("Who calls the topic that mail publishes?", MAIL) == {
        ("mail", "SUBSCRIBES", "paid"),
        ("mail", "DEPENDS_ON", "bus"),
    }


async def test_of_a_brokers_users_those_that_publish_and_what():
    assert await walked("Which services publish to bus?", BUS) == {
        ("pay", "DEPENDS_ON", "bus"),
        ("pay", "PUBLISHES", "paid"),
    }
    assert await walked("Which services call bus?", BUS) == {
        ("pay", "DEPENDS_ON", "bus"),
        ("mail", "DEPENDS_ON", "bus"),
    }


async def test_a_project_that_says_where_is_not_walked_from():
    assert await walked("What calls pay in shop?", SHOP, PAY) == {("stock", "CALLS", "pay")}
    assert await walked("What depends on shop?", SHOP) == {("stock", "DEPENDS_ON", "shop")}


async def test_it_goes_no_further_than_it_may():
    walk = Walk("in", (), 3)
    assert ("stock", "CALLS", "pay") not in await walked("", BUS, walk=walk, hops=1)
    assert ("stock", "CALLS", "pay") in await walked("", BUS, walk=walk)
