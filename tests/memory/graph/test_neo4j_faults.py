"""What a server or the way to it can do wrong: each is a StoreError that says what and what to do, and never a hang."""

from __future__ import annotations

import time
from dataclasses import replace

import anyio
import pytest

from configs.settings import Neo4jSettings
from memory.errors import ConfigError, StoreError
from memory.graph import Neo4jGraphStore, as_parts
from memory.graph.neo4j_connection import Neo4jConnection
from memory.graph.neo4j_schema import GraphVersion
from tests.contracts.graph_store import ALL, ENTITIES, GATEWAY, ORDER, SHOP
from tests.neo4j_server import proxied

pytestmark = pytest.mark.enable_socket

N = GraphVersion("n")
QUICK = Neo4jSettings(connect_timeout_ms=300, retry_ms=0)


async def refusal(store: Neo4jGraphStore) -> StoreError:
    """What a read raises."""
    try:
        with pytest.raises(StoreError) as refused:
            await store.edges([ORDER.id], permission=ALL)
        return refused.value
    finally:
        await store.close()


# Without a server.


async def test_nobody_listens():
    said = await refusal(Neo4jGraphStore.open(replace(QUICK, uri="bolt://127.0.0.1:1"), version=N))
    assert "Neo4j at bolt://127.0.0.1:1 is out of reach" in said.message
    assert "graph.neo4j.uri" in said.hint


async def test_a_refusal_is_tried_again_within_the_bound():
    started = time.monotonic()
    await refusal(Neo4jGraphStore.open(replace(QUICK, uri="bolt://127.0.0.1:1", retry_ms=100), version=N))
    assert 0.05 < time.monotonic() - started < 20  # the driver's own bound is 30


async def test_a_black_hole_costs_the_deadline():
    async with proxied(silent=True) as proxy:
        settings = replace(QUICK, uri=proxy.uri, connect_timeout_ms=60_000)
        started = time.monotonic()
        said = await refusal(Neo4jGraphStore.open(settings, version=N, query_timeout_ms=200))
        assert time.monotonic() - started < 20  # not the minute that connecting may take
    assert "did not answer within 200 ms" in said.message
    assert "graph.query_timeout_ms" in said.hint


async def test_a_run_gives_reads_the_time_of_a_write():
    async with proxied(silent=True) as proxy:
        settings = replace(QUICK, uri=proxy.uri, connect_timeout_ms=60_000, write_timeout_ms=200)
        connection = Neo4jConnection(settings)
        with pytest.raises(StoreError, match="did not answer within 200 ms") as said:
            await connection.read_rows("RETURN 1", {})
        await connection.close()
    assert "graph.neo4j.write_timeout_ms" in said.value.hint


async def test_a_black_hole_costs_a_caller_no_more_than_his_own_deadline():
    async with proxied(silent=True) as proxy:
        store = Neo4jGraphStore.open(replace(QUICK, uri=proxy.uri), version=N, query_timeout_ms=60_000)
        with anyio.move_on_after(0.2) as scope:
            await store.edges([ORDER.id], permission=ALL)
        assert scope.cancelled_caught
        await store.close()


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"uri": "http://127.0.0.1:7474"}, "begins with one of bolt"),
        ({"uri": "127.0.0.1"}, "begins with one of bolt"),
        ({"uri": "bolt://somebody:secret@127.0.0.1:1"}, "user and password stand in the URI"),
        ({"uri": "bolt+s://127.0.0.1:7687", "encrypted": True}, "encrypted"),
        ({"ca_file": "/nowhere/none.pem"}, r"no file /nowhere/none\.pem"),
    ],
)
async def test_settings_that_make_no_sense_name_the_section(settings, problem):
    with pytest.raises(ConfigError, match=rf"graph\.neo4j.*{problem}") as refused:
        await Neo4jGraphStore.open(replace(QUICK, **settings), version=N).check()
    assert "secret" not in str(refused.value)


# With one.


@pytest.fixture
async def shop(neo4j_server):
    """A graph on the server."""
    store = neo4j_server.create()
    await store.replace(as_parts([SHOP]))
    yield store.version
    await store.remove()
    await store.close()


async def answered(server, proxy, version) -> int:
    """How many bytes the server sends for one read that goes well, the first connection included."""
    store = server.open(version, server.through(proxy))
    assert len(await store.edges([GATEWAY.id], permission=ALL)) == 4
    await store.close()
    return proxy.answered


async def test_a_connection_that_drops_in_mid_answer(neo4j_server, shop):
    async with proxied(neo4j_server.address) as proxy:
        whole = await answered(neo4j_server, proxy, shop)
        for cut_after in (2, whole // 3, whole - 200):
            proxy.cut_after = cut_after
            said = await refusal(neo4j_server.open(shop, neo4j_server.through(proxy)))
            assert "is out of reach" in said.message


async def test_an_answer_that_never_ends(neo4j_server, shop):
    async with proxied(neo4j_server.address) as proxy:
        proxy.stall_after = await answered(neo4j_server, proxy, shop) - 200
        said = await refusal(neo4j_server.open(shop, neo4j_server.through(proxy), query_timeout_ms=500))
    assert "did not answer within 500 ms" in said.message


async def test_connections_that_were_lost_are_made_again(neo4j_server, shop):
    async with proxied(neo4j_server.address) as proxy:
        store = neo4j_server.open(shop, neo4j_server.through(proxy, retry_ms=2000))
        await store.check()
        await proxy.drop()
        assert len(await store.all_entities(permission=ALL)) == len(ENTITIES)
        assert proxy.connections == 2
        await store.close()


async def test_a_server_that_comes_back_is_found_again(neo4j_server, shop):
    async with proxied(neo4j_server.address, cut_after=0) as proxy:
        store = neo4j_server.open(shop, neo4j_server.through(proxy))
        with pytest.raises(StoreError, match="out of reach"):
            await store.check()
        proxy.cut_after = None
        assert len(await store.all_entities(permission=ALL)) == len(ENTITIES)
        await store.close()


async def test_a_server_that_is_too_old(neo4j_server, shop):
    async with proxied(neo4j_server.address, rewrite=neo4j_server.as_old()) as proxy:
        said = await refusal(neo4j_server.open(shop, neo4j_server.through(proxy)))
    assert "needs Neo4j 5 or newer" in said.message
    assert "Neo4j/4" in said.message


async def test_what_is_no_bolt_server(neo4j_server, shop):
    async with proxied(neo4j_server.address, rewrite=(b"\x00\x00\x01\xff", b"HTTP")) as proxy:
        said = await refusal(neo4j_server.open(shop, neo4j_server.through(proxy)))
    assert f"{proxy.uri} is out of reach" in said.message
    assert "looks like HTTP" in said.message


async def test_a_run_that_loses_the_server_leaves_no_graph_to_read(neo4j_server):
    async with proxied(neo4j_server.address) as proxy:
        store = neo4j_server.create(neo4j_server.through(proxy, batch_rows=1))
        await store.is_whole()  # the schema is there, a connection too
        await proxy.drop()
        proxy.cut_after = 2500
        with pytest.raises(StoreError, match=r"out of reach|was lost"):
            await store.replace(as_parts([SHOP]))
        await store.close()
    rest = neo4j_server.create(version=store.version)
    assert not await rest.is_whole()
    await rest.remove()
    await rest.close()


# Warming up.


async def test_warming_up_leaves_a_fault_to_the_first_question():
    store = Neo4jGraphStore.open(replace(QUICK, uri="bolt://127.0.0.1:1"), version=N)
    await store.warm_up(60_000)
    assert "Neo4j at bolt://127.0.0.1:1 is out of reach" in (await refusal(store)).message


async def test_warming_up_leaves_settings_that_cannot_be_to_the_first_question():
    store = Neo4jGraphStore.open(replace(QUICK, uri="http://127.0.0.1:1"), version=N)
    await store.warm_up(60_000)
    with pytest.raises(ConfigError, match="no URI of a Bolt server"):
        await store.edges([ORDER.id], permission=ALL)


async def test_warming_up_ends_within_its_time():
    async with proxied(silent=True) as proxy:
        settings = replace(QUICK, uri=proxy.uri, connect_timeout_ms=60_000)
        store = Neo4jGraphStore.open(settings, version=N, query_timeout_ms=200)
        started = time.monotonic()
        await store.warm_up(100)
        assert time.monotonic() - started < 20  # not the minute that connecting may take
        assert "did not answer within 200 ms" in (await refusal(store)).message
