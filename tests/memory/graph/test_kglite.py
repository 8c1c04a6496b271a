from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from memory.errors import StoreError
from memory.graph import GraphBatch, KgliteGraphStore
from memory.graph.partitions import Partition, read_partitions, write_partitions
from tests.contracts.graph_store import (
    ALL,
    CUSTOMER,
    CUSTOMER_GATEWAY,
    ENTITIES,
    GATEWAY,
    LEDGER,
    NOTHING,
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
        self.path = tmp_path / "graph"
        self.made = 0

    def empty(self):
        self.made += 1
        return KgliteGraphStore.create(f"{self.path}{self.made}", namespace="n")

    def reader(self, namespace="n"):
        return KgliteGraphStore.open(f"{self.path}{self.made}", namespace=namespace)

    async def test_what_was_written_is_read_by_who_opens_it(self, shop):
        reader = self.reader()
        assert await reader.all_edges(permission=ALL) == list(RELATIONS)
        assert len(await reader.find_text(["payment"], permission=ALL)) == 2
        assert [p.hops for p in await reader.paths([ORDER.id], [LEDGER.id], permission=ALL)] == [2]

    async def test_changes_are_written_too(self, shop):
        before = self.reader()
        await shop.update(NOTHING, projects={"payments"}, sources={"payments"})
        assert {e.project for e in await self.reader().all_entities(permission=ALL)} == {"orders", "crm"}
        assert len(await before.all_entities(permission=ALL)) == len(ENTITIES)  # as it was opened

    async def test_another_namespace_sees_nothing(self, shop):
        other = self.reader("other")
        assert await other.all_entities(permission=ALL) == []
        assert await other.edges([GATEWAY.id], permission=ALL) == []

    async def test_nothing_is_left_beside_the_files(self, shop):
        await shop.update(SHOP, projects=ALL, sources=ALL)
        folder = Path(f"{self.path}{self.made}")
        names = {path.name for path in folder.iterdir()}  # noqa: ASYNC240 - one look
        assert names == {"partitions.json", *(p.file for p in read_partitions(folder))}


class TestKgliteInParts(TestKglite):
    """A file for each project."""

    @pytest.fixture
    async def shop(self):
        store = self.empty()
        await store.replace(SHOP.portion({project}) for project in sorted(ALL))
        assert [p.projects for p in read_partitions(Path(f"{self.path}{self.made}"))] == [
            ("crm",),
            ("orders",),
            ("payments",),
        ]
        yield store
        await store.close()

    def empty(self):
        self.made += 1
        return KgliteGraphStore.create(f"{self.path}{self.made}", namespace="n", entities_a_file=1)

    async def test_only_what_holds_something_of_a_change_is_written(self, shop):
        folder = Path(f"{self.path}{self.made}")
        crm, orders, payments = read_partitions(folder)
        assert [p.ghosts for p in (crm, orders, payments)] == [("payments",), ("crm", "payments"), ("orders",)]
        batch = GraphBatch([replace(CUSTOMER, start_line=4)], [CUSTOMER_GATEWAY], (), [GATEWAY])
        await shop.update(batch, projects={"crm"}, sources={"crm"})
        after = read_partitions(folder)
        assert after[2] == payments
        assert after[0].file != crm.file
        assert after[1].file != orders.file
        assert after[1].ghosts == ("payments",)  # what it had of crm went with it
        assert not (folder / crm.file).exists()

    async def test_what_ends_nowhere_any_more_leaves_nothing(self, shop):
        await shop.update(GraphBatch((), (), (), ()), projects=(), sources={"orders"})
        folder = Path(f"{self.path}{self.made}")
        assert [p.ghosts for p in read_partitions(folder)] == [("payments",), (), ("orders",)]
        assert len(await shop.all_entities(permission=ALL)) == len(ENTITIES)


def test_opening_nothing_or_nonsense_says_what_to_do(tmp_path):
    with pytest.raises(StoreError, match=r"/none cannot be opened.*Index the projects again"):
        KgliteGraphStore.open(tmp_path / "none", namespace="n")
    KgliteGraphStore.create(tmp_path / "bad", namespace="n")
    write_partitions(tmp_path / "bad", [Partition("bad.kgl", ("a",), 1)])
    with pytest.raises(StoreError, match=r"bad\.kgl"):
        KgliteGraphStore.open(tmp_path / "bad", namespace="n")
    (tmp_path / "bad/bad.kgl").write_text("not a graph")
    with pytest.raises(StoreError, match=r"bad\.kgl"):
        KgliteGraphStore.open(tmp_path / "bad", namespace="n")
    (tmp_path / "bad/partitions.json").write_text("[{}]")
    with pytest.raises(StoreError, match="/bad cannot be opened"):
        KgliteGraphStore.open(tmp_path / "bad", namespace="n")


def test_writing_where_nothing_can_be_written_is_a_store_error(tmp_path):
    with pytest.raises(StoreError, match="cannot be written"):
        KgliteGraphStore.create(tmp_path / "missing" / "graph", namespace="n")


async def test_a_closed_store_says_so(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.get(["a"], permission=ALL)
    with pytest.raises(StoreError, match="closed"):
        await store.update(NOTHING, projects={"orders"}, sources=())


async def test_a_query_that_takes_too_long_is_a_store_error(tmp_path):
    layers = [[entity("orders", f"L{layer}N{n}") for n in range(60)] for layer in range(2)]
    edges = [relation(a, "CALLS", b, f"{a.name}{b.name}") for a in layers[0] for b in layers[1]]
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n", timeout_ms=1)
    await store.replace([GraphBatch([e for layer in layers for e in layer], edges)])
    with pytest.raises(StoreError, match="longer than 1 ms"):
        await store.edges([e.id for e in layers[0]], permission=ALL, limit=50_000)


async def test_a_text_the_engine_refuses_is_a_store_error(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    await store.replace([SHOP])
    with pytest.raises(StoreError, match="refused"):
        await store._rows("MATCH (", {"permission": ["orders"], "limit": 1})


async def test_reads_run_at_the_same_time_and_can_be_abandoned(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    await store.replace([SHOP])
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
from tests.contracts.graph_store import ALL, ENTITIES, NOTHING, SHOP

async def main():
    store = KgliteGraphStore.create(sys.argv[1], namespace="n")
    await store.replace([SHOP])
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    try:
        await store.update(NOTHING, projects={"crm"}, sources={"crm"})
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
        [sys.executable, "-c", FULL_DISK, str(tmp_path / "graph")], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "No room is left on the disk" in run.stdout
