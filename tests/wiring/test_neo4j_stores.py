"""The whole product with its graph on a server: generations, what is swept away, and what a fault costs a question."""

from __future__ import annotations

import shutil
import time
from contextlib import asynccontextmanager
from copy import copy
from dataclasses import replace

import pytest

from configs.settings import GraphSettings
from indexing import Indexer, IndexRequest
from memory.embedders import Bm25Sparse, FakeSource
from memory.errors import StoreError
from memory.generation import DataFolder
from memory.graph import GraphBatch, as_parts
from memory.graph.neo4j_schema import FOREVER, GraphVersion
from tests.neo4j_server import proxied
from tests.organisation import CONFIG, Unsynced, exported, index, opened, write
from wiring.opening import open_graph
from wiring.stores import indexing_parts, open_graph_store

pytestmark = pytest.mark.enable_socket

QUESTION = "How does MooringDesk connect to Beacon?"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server keeps real time


class Place:
    """An organisation, a data folder, and a server for its graphs."""

    def __init__(self, folder, server):
        self.projects, self.data, self.server = write(folder / "projects"), folder / "data", server

    def config(self, settings=None, deadline_ms=60_000, query_timeout_ms=30_000):
        settings = replace(settings or self.server.settings, password_env="PLACE_PASSWORD")
        graph = GraphSettings(store="neo4j", neo4j=settings, query_timeout_ms=query_timeout_ms)
        return replace(CONFIG, graph=graph, agent_timeout_ms=deadline_ms, total_timeout_ms=2 * deadline_ms)

    async def index(self, settings=None, **options):
        config = self.config(settings, **options)
        parts = indexing_parts(config.graph, FakeSource(), Bm25Sparse())
        folder = DataFolder.open_or_create(self.data, disk=Unsynced())
        indexer = Indexer(folder, parts, config, profile="neo4j")
        return await indexer.run(IndexRequest((self.projects,), each=True), holder="a test")

    async def graphs(self):
        """The names of this index's graphs on the server."""
        store = self.server.create()
        try:
            return await store.names(DataFolder.open(self.data).namespace)
        finally:
            await store.close()

    async def exported(self):
        async with open_graph(self.data, self.config().graph) as (store, indexed):
            return await store.all_entities(permission=indexed.projects()), await store.all_edges(
                permission=indexed.projects()
            )

    @asynccontextmanager
    async def opened(self, settings=None, deadline_ms=60_000):
        async with opened(self.data, config=self.config(settings, deadline_ms)) as orchestrator:
            yield orchestrator

    def change(self):
        file = self.projects / "lighthouse/lighthouse/beacon.py"
        file.write_text(file.read_text(encoding="utf-8") + "\n\nclass Lamp:\n    pass\n", encoding="utf-8")


@pytest.fixture
def place(neo4j_server, tmp_path, monkeypatch):
    if neo4j_server.password is not None:
        monkeypatch.setenv("PLACE_PASSWORD", neo4j_server.password)
    return Place(tmp_path, neo4j_server)


def touched(place):
    """The projects of which the server has still something to settle."""
    index = DataFolder.open(place.data).namespace
    return place.server.run("MATCH (t:Touched) WHERE t.namespace STARTS WITH $index RETURN t.project", index=index)


def agents(result):
    return {agent.agent: agent for agent in result.coverage.agents}


@pytest.mark.specification("001 §2.1 stores")
async def test_a_question_is_answered_from_the_server(place):
    report = await place.index()
    assert (report.generation, report.unchanged) == (1, False)
    async with place.opened() as orchestrator:
        result = await orchestrator.retrieve(QUESTION)
    assert "graph:neo4j" in {one.source for one in result.observations}
    assert result.scope.mode == "none"  # unless `auto` or another is asked for
    assert "[graph:harbour/MooringDesk→lighthouse/Beacon]" in result.answer.text


async def test_a_run_is_not_held_to_the_time_of_a_question(place):
    await place.index(query_timeout_ms=1)  # in which a server that was just started answers nothing
    place.change()
    assert (await place.index(query_timeout_ms=1)).generation == 2


async def test_both_engines_hold_the_same_graph(place, tmp_path):
    await place.index()
    await index(tmp_path / "embedded", place.projects, each=True)
    assert await place.exported() == await exported(tmp_path / "embedded")


def kept(place):
    """What the server has of this index, each with its versions."""
    rows = place.server.run(
        "MATCH (x:Entity) WHERE x.namespace STARTS WITH $index RETURN x.id AS id, x.since AS since, x.until AS until "
        "UNION ALL MATCH ()-[x:REL]->() WHERE x.namespace STARTS WITH $index RETURN x.id AS id, x.since AS since, "
        "x.until AS until",
        index=DataFolder.open(place.data).namespace,
    )
    return {(row["id"], row["since"], row["until"]) for row in rows}


def lamps(place):
    """What the server has of what `Place.change` adds, with its first and its last version."""
    return [(since, until) for id_, since, until in kept(place) if id_.endswith("/Lamp")]


async def test_a_change_is_written_beside_what_is_read_and_nothing_else(place):
    await place.index()
    graphs, before = await place.graphs(), kept(place)
    assert (await place.index()).unchanged
    place.change()
    with DataFolder.open(place.data).reading() as old:
        await place.index()
        assert await place.graphs() == graphs
        assert lamps(place) == [(2, FOREVER)]
        both = kept(place)
        assert touched(place)
        assert before - both == {(id_, since, until) for id_, since, until in before if (id_, since, 2) in both}
        assert {since for _, since, _ in both - before} == {1, 2}  # what ended, what began
        assert len(both - before) < len(before) / 2
        reader = open_graph_store(place.config().graph, old.graph_path, "")
        assert await reader.find_exact(["lamp"], permission=frozenset({"lighthouse"})) == []
        assert await reader.find_exact(["beacon"], permission=frozenset({"lighthouse"}))
        await reader.close()
    assert "Lamp" in {entity.name for entity in (await place.exported())[0]}
    place.change()
    await place.index()
    assert {until for _, _, until in kept(place)} == {FOREVER}  # what nobody reads has gone
    assert touched(place) == []


async def test_a_run_that_changes_nothing_in_the_graph_keeps_its_version(place):
    await place.index()
    before, graph = await place.exported(), kept(place)
    file = place.projects / "lighthouse/lighthouse/beacon.py"
    file.write_text(file.read_text(encoding="utf-8").replace("***", "*"), encoding="utf-8")
    assert (await place.index()).generation == 2
    assert await place.exported() == before
    assert kept(place) == graph


async def test_graphs_that_nothing_names_are_swept_away_and_other_indexes_stay(place):
    await place.index()
    left = place.server.create(version=GraphVersion(f"{DataFolder.open(place.data).namespace}:left"))
    stranger = place.server.create()
    for store in (left, stranger):
        await store.replace(as_parts([GraphBatch((), ())]))
    place.change()
    await place.index()
    assert len(await place.graphs()) == 1
    assert await stranger.is_whole()
    await stranger.remove()
    for store in (left, stranger):
        await store.close()


async def test_a_graph_that_was_lost_is_written_again(place):
    await place.index()
    before = await place.exported()
    (name,) = await place.graphs()
    lost = place.server.create(version=GraphVersion(name))
    await lost.remove()
    await lost.close()
    with pytest.raises(StoreError, match="does not hold this index's graph"):
        await place.exported()
    assert (await place.index()).generation == 2
    assert await place.exported() == before


async def test_a_copy_of_a_data_folder_never_reads_what_the_original_wrote(place):
    await place.index()
    copied = copy(place)
    copied.data = shutil.copytree(place.data, place.data.with_name("copied"))
    for one in (place, copied):
        one.change()
        await one.index()
    with pytest.raises(StoreError, match="does not hold this index's graph"):
        await place.exported()
    assert (await place.index()).generation == 3


async def test_an_index_moves_from_one_store_to_the_other_and_back(place):
    await index(place.data, place.projects, each=True)
    with pytest.raises(StoreError, match=r"is not on a Neo4j server.*Index the projects again"):
        await place.exported()
    embedded = await exported(place.data)
    assert (await place.index()).generation == 2
    assert await place.exported() == embedded
    with pytest.raises(StoreError, match="cannot be opened"):
        await exported(place.data)
    assert (await index(place.data, place.projects, each=True)).generation == 3
    assert await exported(place.data) == embedded


async def test_an_index_without_a_server_stays_as_it_was(place):
    await place.index()
    before = await place.exported()
    place.change()
    with pytest.raises(StoreError, match="out of reach"):
        await place.index(replace(place.server.settings, uri="bolt://127.0.0.1:1", retry_ms=0))
    assert await place.exported() == before


SHORT, LONG = 1000, 60_000
FAULTS = {
    "refused": ({"uri": "bolt://127.0.0.1:1"}, {}, LONG, "error", "is out of reach"),
    "black hole": ({}, {"silent": True}, SHORT, "timeout", "did not answer in time"),
    "dropped in mid-answer": ({}, {"cut_after": 600}, LONG, "error", "is out of reach"),
    "slow": ({}, {"stall_after": 600}, SHORT, "timeout", "did not answer in time"),
    "wrong password": ({"user": "nobody"}, {}, LONG, "error", "the user 'nobody'"),
    "wrong version": ({}, {"rewrite": None}, LONG, "error", "needs Neo4j 5"),
    "wrong database": ({"database": "nowhere"}, {}, LONG, "error", "no database 'nowhere'"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_costs_a_question_at_most_its_deadline_and_is_said(place, fault):
    changes, faults, deadline_ms, status, reason = FAULTS[fault]
    if fault == "wrong password":
        place.server.needs_password()
    if fault == "wrong version":
        faults = {"rewrite": place.server.as_old()}
    await place.index()
    async with (
        proxied(place.server.address, **faults) as proxy,
        place.opened(place.server.through(proxy, **changes), deadline_ms) as orchestrator,
    ):
        started = time.monotonic()
        result = await orchestrator.retrieve(QUESTION)
        assert time.monotonic() - started < 20  # the store itself would have waited for 30
    graph = agents(result)["graph"]
    assert (graph.status, result.status, result.coverage.complete) == (status, "partial", False)
    assert reason in graph.reason
    assert agents(result)["vector"].status == "ok"
    assert result.observations


async def test_a_missing_index_is_said_and_the_next_run_makes_it(place):
    await place.index()
    place.server.run("DROP INDEX entity_name_ft")
    async with place.opened() as orchestrator:
        graph = agents(await orchestrator.retrieve(QUESTION))["graph"]
    assert graph.status == "error"
    assert "lacks the index entity_name_ft. Index the projects again." in graph.reason
    assert (await place.index()).generation == 1  # nothing to write but the index
    async with place.opened() as orchestrator:
        assert agents(await orchestrator.retrieve(QUESTION))["graph"].status == "ok"
