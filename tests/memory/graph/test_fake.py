from __future__ import annotations

from memory.graph import FakeGraphStore
from tests.contracts.graph_store import ALL, ORDER, SHOP, GraphStoreContract


class TestFake(GraphStoreContract):
    def empty(self):
        return FakeGraphStore()


async def test_it_can_be_made_full_and_remembers_what_it_was_asked():
    store = FakeGraphStore(SHOP, engine="neo4j")
    assert store.engine == "neo4j"
    await store.find_exact([ORDER.key], permission=ALL)
    await store.edges([ORDER.id], permission=frozenset())
    assert store.calls == [("find_exact", ALL)]
