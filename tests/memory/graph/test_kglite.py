from __future__ import annotations

import resource
import subprocess
import sys

import anyio
import pytest

from memory.errors import StoreError
from memory.graph import GraphBatch, KgliteGraphStore
from tests.contracts.graph_store import (
    ALL,
    ENTITIES,
    GATEWAY,
    LEDGER,
    ORDER,
    RELATIONS,
    SHOP,
    GraphStoreContract,
    entity,
    relation,
)


class TestKglite(GraphStoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.path = tmp_path / "graph.kgl"

    def empty(self):
        return KgliteGraphStore.create(self.path, namespace="n")

    async def test_what_was_written_is_read_by_who_opens_it(self, shop):
        reader = KgliteGraphStore.open(self.path, namespace="n")
        assert await reader.all_edges(permission=ALL) == list(RELATIONS)
        assert len(await reader.find_text(["payment"], permission=ALL)) == 2
        assert [p.hops for p in await reader.paths([ORDER.id], [LEDGER.id], permission=ALL)] == [2]

    async def test_deletions_are_written_too(self, shop):
        await shop.delete_project("payments")
        reader = KgliteGraphStore.open(self.path, namespace="n")
        assert {e.project for e in await reader.all_entities(permission=ALL)} == {"orders", "crm"}

    async def test_another_namespace_sees_nothing(self, shop):
        other = KgliteGraphStore.open(self.path, namespace="other")
        assert await other.all_entities(permission=ALL) == []
        assert await other.edges([GATEWAY.id], permission=ALL) == []
        await other.delete_project("payments")
        assert len(await shop.all_entities(permission=ALL)) == len(ENTITIES)

    async def test_one_file_is_left_and_nothing_beside_it(self, shop):
        assert [p.name for p in self.path.parent.iterdir()] == ["graph.kgl"]


def test_opening_nothing_or_nonsense_says_what_to_do(tmp_path):
    with pytest.raises(StoreError, match=r"none\.kgl.*Index the projects again"):
        KgliteGraphStore.open(tmp_path / "none.kgl", namespace="n")
    (tmp_path / "bad.kgl").write_text("not a graph")
    with pytest.raises(StoreError, match=r"bad\.kgl"):
        KgliteGraphStore.open(tmp_path / "bad.kgl", namespace="n")


def test_writing_where_nothing_can_be_written_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match="cannot be written"):
        KgliteGraphStore.create(tmp_path / "missing" / "graph.kgl", namespace="n")


async def test_a_closed_store_says_so(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph.kgl", namespace="n")
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.get(["a"], permission=ALL)
    with pytest.raises(StoreError, match="closed"):
        await store.delete_project("orders")


async def test_a_query_that_takes_too_long_is_a_store_error(tmp_path):
    layers = [[entity("orders", f"L{layer}N{n}") for n in range(60)] for layer in range(2)]
    edges = [relation(a, "CALLS", b, f"{a.name}{b.name}") for a in layers[0] for b in layers[1]]
    store = KgliteGraphStore.create(tmp_path / "graph.kgl", namespace="n", timeout_ms=1)
    await store.replace(GraphBatch([e for layer in layers for e in layer], edges))
    with pytest.raises(StoreError, match="longer than 1 ms"):
        await store.edges([e.id for e in layers[0]], permission=ALL, limit=50_000)


async def test_a_text_the_engine_refuses_is_a_store_error(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph.kgl", namespace="n")
    await store.replace(SHOP)
    with pytest.raises(StoreError, match="refused"):
        await store._rows("MATCH (", {})


async def test_reads_run_at_the_same_time_and_can_be_abandoned(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph.kgl", namespace="n")
    await store.replace(SHOP)
    found = []

    async def read():
        found.append(await store.edges([ORDER.id], permission=ALL))

    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(read)
    assert all(edges == found[0] for edges in found)
    with anyio.move_on_after(0) as scope:
        await store.all_entities(permission=ALL)
    assert scope.cancelled_caught


FULL_DISK = """
import resource, sys, anyio
from memory.errors import StorageFullError
from memory.graph import KgliteGraphStore
from tests.contracts.graph_store import ALL, ENTITIES, SHOP

async def main():
    store = KgliteGraphStore.create(sys.argv[1], namespace="n")
    await store.replace(SHOP)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    try:
        await store.delete_project("crm")
    except StorageFullError as error:
        print(error)
    assert len(await store.all_entities(permission=ALL)) == len(ENTITIES)
    again = KgliteGraphStore.open(sys.argv[1], namespace="n")
    assert len(await again.all_entities(permission=ALL)) == len(ENTITIES)

anyio.run(main)
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs a limit on file sizes")
def test_a_full_disk_leaves_the_graph_as_it_was(tmp_path):
    run = subprocess.run(  # noqa: S603 - this interpreter and our own text
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "graph.kgl")], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "No room is left on the disk" in run.stdout
