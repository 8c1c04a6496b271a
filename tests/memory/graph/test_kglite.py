from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from memory.errors import StoreError
from memory.graph import GraphBatch, KgliteGraphStore, as_parts
from memory.graph.kglite import Partition, holding, housed, read_partitions, write_partitions
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

OWN = Partition("0-0.kgl", ("auth", "billing"), 30, ("mail",))
MAIL = Partition("1-0.kgl", ("mail",), 5)


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
        await store.replace(as_parts(SHOP.portion({project}) for project in sorted(ALL)))
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
        batch = GraphBatch([replace(CUSTOMER, start_line=4)], [CUSTOMER_GATEWAY], [GATEWAY])
        await shop.update(batch, projects={"crm"}, sources={"crm"})
        after = read_partitions(folder)
        assert after[2] == payments
        assert after[0].file != crm.file
        assert after[1].file != orders.file
        assert after[1].ghosts == ("payments",)  # what it had of crm went with it
        assert not (folder / crm.file).exists()

    async def test_what_ends_nowhere_any_more_leaves_nothing(self, shop):
        await shop.update(NOTHING, projects=(), sources={"orders"})
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
        await store.find_exact(["a"], permission=ALL)
    with pytest.raises(StoreError, match="closed"):
        await store.update(NOTHING, projects={"orders"}, sources=())


async def test_a_query_that_takes_too_long_is_a_store_error(tmp_path):
    layers = [[entity("orders", f"L{layer}N{n}") for n in range(60)] for layer in range(2)]
    edges = [relation(a, "CALLS", b, f"{a.name}{b.name}") for a in layers[0] for b in layers[1]]
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n", timeout_ms=1)
    await store.replace(as_parts([GraphBatch([e for layer in layers for e in layer], edges)]))
    with pytest.raises(StoreError, match="longer than 1 ms"):
        await store.edges([e.id for e in layers[0]], permission=ALL, limit=50_000)


async def test_a_text_the_engine_refuses_is_a_store_error(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    await store.replace(as_parts([SHOP]))
    with pytest.raises(StoreError, match="refused"):
        await store._rows("MATCH (", {"permission": ["orders"], "limit": 1})


async def test_reads_run_at_the_same_time_and_can_be_abandoned(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    await store.replace(as_parts([SHOP]))
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
from memory.graph import KgliteGraphStore, as_parts
from tests.contracts.graph_store import ALL, ENTITIES, NOTHING, SHOP

async def main():
    store = KgliteGraphStore.create(sys.argv[1], namespace="n")
    await store.replace(as_parts([SHOP]))
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


@pytest.mark.parametrize(
    ("projects", "sources", "touched"),
    [({"billing"}, set(), True), ({"mail"}, set(), True), (set(), {"auth"}, True), (set(), {"mail"}, False)],
)
def test_a_part_is_touched_by_what_it_owns_what_ends_in_it_and_what_starts_in_it(projects, sources, touched):
    assert OWN.is_touched(projects, sources) is touched


def test_a_project_that_comes_goes_to_the_last_part_while_it_has_room():
    homes = housed([OWN, MAIL], {"billing": 9, "news": 4, "ops": 6, "pay": 1}, 9)
    assert homes[0] is OWN  # billing is at home there
    assert homes[1:] == [Partition("1-0.kgl", ("mail", "news"), 5 + 4), Partition("", ("ops", "pay"), 6 + 1)]
    assert housed([], {"news": 4}, 9) == [Partition("", ("news",), 4)]
    assert housed([OWN], {}, 9) == [OWN]


def test_what_is_written_is_read_and_replaced_as_a_whole(tmp_path):
    write_partitions(tmp_path, [OWN, MAIL])
    assert read_partitions(tmp_path) == (OWN, MAIL)
    write_partitions(tmp_path, [])
    assert read_partitions(tmp_path) == ()
    assert [path.name for path in tmp_path.iterdir()] == ["partitions.json"]


@pytest.mark.parametrize(
    "text", ["nonsense", "[{}]", '[{"file": "a", "projects": 3, "entities": 1, "ghosts": []}]', "3"]
)
def test_what_cannot_be_told_says_what_to_do(tmp_path, text):
    (tmp_path / "partitions.json").write_text(text)
    with pytest.raises(StoreError, match=r"cannot be opened.*Index the projects again"):
        read_partitions(tmp_path)


def test_a_read_asks_the_parts_that_hold_something_of_what_it_looks_for():
    parts = [OWN, MAIL, Partition("2-0.kgl", ("news",), 2)]
    everything = ["auth", "billing", "mail", "news"]

    def asked(permission, *ids):
        given = {"permission": permission, **({"ids": list(ids)} if ids else {})}
        return [parts.index(one) for one in holding(parts, given)]

    assert asked(everything) == [0, 1, 2]
    assert asked(["mail"]) == [1]  # what starts in the shop is not to be seen
    assert asked(everything, "mail/class/a.py/Sender") == [0, 1]  # something in the shop may end there
    assert asked(everything, "news/class/a.py/Feed", "auth/class/a.py/Token") == [0, 2]
    assert asked(everything, "auth/class/a.py/Token", "named otherwise") == [0, 1, 2]


def test_a_part_is_told_as_much_of_the_permission_as_concerns_it():
    given = {"permission": ["auth", "mail", "news"], "limit": 3}
    assert OWN.parameters(given) == {"permission": ["auth", "mail"], "limit": 3}
