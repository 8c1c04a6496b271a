"""The contract on a real server, and what a server adds to it: namespaces, and a graph that is whole or not there."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from memory.errors import StoreError
from memory.graph import GraphBatch, as_parts
from memory.graph.neo4j_schema import GraphVersion
from tests.contracts.graph_store import ALL, ENTITIES, GATEWAY, LEDGER, ORDER, RELATIONS, SHOP, GraphStoreContract

pytestmark = pytest.mark.enable_socket


class TestNeo4j(GraphStoreContract):
    @pytest.fixture(autouse=True)
    async def server(self, neo4j_server):
        self.server = neo4j_server
        self.stores = []
        yield
        for store in self.stores:
            await store.remove()
            await store.close()

    def empty(self, **options):
        self.stores.append(self.server.create(**options))
        return self.stores[-1]

    def reader(self, version, **options):
        self.stores.append(self.server.open(version, **options))
        return self.stores[-1]

    async def test_what_was_written_is_read_by_who_opens_it(self, shop):
        reader = self.reader(shop.version)
        assert await reader.all_edges(permission=ALL) == list(RELATIONS)
        assert len(await reader.find_text(["payment"], permission=ALL)) == 2
        assert [p.hops for p in await reader.paths([ORDER.id], [LEDGER.id], permission=ALL)] == [2]

    async def test_another_namespace_sees_nothing_and_loses_nothing(self, shop):
        other = self.empty()
        await other.replace(as_parts([GraphBatch([LEDGER, GATEWAY], ())]))  # the same ids as in the shop
        assert await other.all_entities(permission=ALL) == [LEDGER, GATEWAY]
        assert await other.edges([GATEWAY.id], permission=ALL) == []
        assert await other.find_text(["order"], permission=ALL) == []
        await other.update(GraphBatch((), ()), projects={"payments"}, sources={"payments"})
        await other.remove()
        assert len(await shop.all_entities(permission=ALL)) == len(ENTITIES)
        assert await shop.all_edges(permission=ALL) == list(RELATIONS)

    async def test_a_graph_that_is_a_prefix_of_another_by_name_is_another(self, shop):
        longer = self.empty(version=GraphVersion(f"{shop.namespace}0"))
        await longer.replace(as_parts([SHOP]))
        await shop.remove()
        assert len(await longer.all_entities(permission=ALL)) == len(ENTITIES)

    async def test_batches_smaller_than_the_graph(self):
        settings = replace(self.server.settings, batch_rows=2)  # 6 entities, 9 relations
        store = self.empty(settings=settings)
        await store.replace(as_parts([SHOP]))
        await store.replace(as_parts([SHOP]))  # and cleared by twos
        assert await store.all_edges(permission=ALL) == list(RELATIONS)

    async def test_a_graph_that_was_never_finished_is_not_read(self, shop):
        self.server.run("MATCH (g:Graph {namespace: $name}) SET g.versions = []", name=shop.namespace)
        reader = self.reader(shop.version)
        with pytest.raises(StoreError, match=r"does not hold this index's graph.*Index the projects again"):
            await reader.all_entities(permission=ALL)
        assert not await self.empty(version=shop.version).is_whole()

    async def test_the_graphs_of_an_index_are_found_by_their_name(self, shop):
        named = [self.empty(version=GraphVersion(f"{shop.namespace}:{n}")) for n in "ab"]
        for store in named:
            await store.replace(as_parts([GraphBatch([ORDER], ())]))
        start = f"{shop.namespace}:"
        assert await shop.names(start) == [f"{start}a", f"{start}b"]
        await named[0].remove()
        assert await shop.names(start) == [f"{start}b"]
        assert await named[1].is_whole()

    async def test_a_thousand_words_are_looked_for(self, shop):
        words = [f"word{n}" for n in range(3000)]
        assert await shop.find_text([*words, "ledger"], permission=ALL) == [LEDGER]

    async def test_many_read_at_once_over_few_connections(self, shop):
        reader = self.reader(shop.version, settings=replace(self.server.settings, max_connections=2))
        found = []

        async def read():
            found.append(await reader.edges([ORDER.id], permission=ALL))

        async with anyio.create_task_group() as group:
            for _ in range(16):
                group.start_soon(read)
        assert len(found) == 16
        assert all(edges == found[0] for edges in found)

    async def test_a_read_that_is_abandoned_hurts_no_later_one(self, shop):
        for _ in range(3):  # each time a connection that stands is cut in the middle
            with anyio.move_on_after(0.001) as cut:
                await shop.all_edges(permission=ALL)
            assert cut.cancelled_caught
            assert len(await shop.all_entities(permission=ALL)) == len(ENTITIES)

    async def test_the_schema_is_made_once_and_mended(self, shop):
        before = self.server.run("SHOW INDEXES YIELD name, id RETURN name, id ORDER BY name")
        await self.empty().replace(as_parts([SHOP]))
        assert self.server.run("SHOW INDEXES YIELD name, id RETURN name, id ORDER BY name") == before
        self.server.run("DROP INDEX entity_key")
        reader = self.reader(shop.version)
        with pytest.raises(StoreError, match=r"lacks the index entity_key.*Index the projects again"):
            await reader.all_entities(permission=ALL)
        assert await self.empty(version=shop.version).is_whole()
        assert len(await reader.all_entities(permission=ALL)) == len(ENTITIES)

    async def test_an_index_that_goes_while_it_is_used(self, shop):
        await shop.find_text(["ledger"], permission=ALL)
        self.server.run("DROP INDEX entity_name_ft")
        with pytest.raises(StoreError, match=r"entity_name_ft.*Index the projects again"):
            await shop.find_text(["ledger"], permission=ALL)
        assert await self.empty(version=shop.version).is_whole()
        assert await shop.find_text(["ledger"], permission=ALL) == [LEDGER]

    async def test_a_text_the_server_refuses_is_a_store_error(self, shop):
        with pytest.raises(StoreError, match="refused a query"):
            await shop._rows("MATCH (", {})

    async def test_a_database_that_is_not_there(self, shop):
        elsewhere = self.server.open(shop.version, replace(self.server.settings, database="nowhere"))
        with pytest.raises(StoreError, match=r"no database 'nowhere'.*graph\.neo4j\.database"):
            await elsewhere.all_entities(permission=ALL)
        await elsewhere.close()

    @pytest.mark.parametrize(
        ("password", "said"), [("wrong", "refused the password of"), (None, "wants a password for")]
    )
    async def test_a_wrong_password(self, shop, password, said):
        self.server.needs_password()
        stranger = self.server.open(shop.version, password=password)
        with pytest.raises(StoreError, match=rf"{said} the user 'neo4j'.*environment variable NEO4J_PASSWORD"):
            await stranger.all_entities(permission=ALL)
        await stranger.close()

    async def test_a_query_that_takes_too_long_is_ended_by_the_server(self, shop):
        slow = "UNWIND range(1, 100000000) AS a UNWIND range(1, 1000) AS b RETURN sum(a * b) AS x"
        with pytest.raises(StoreError, match=r"took too long|did not answer within 200 ms"):
            await shop._connection.read_rows(slow, {}, timeout_ms=200)
        assert len(await shop.all_entities(permission=ALL)) == len(ENTITIES)
