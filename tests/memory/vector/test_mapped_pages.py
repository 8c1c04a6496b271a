from __future__ import annotations

import sys
from pathlib import Path

import pytest

from memory.vector.edge import EdgeVectorStore
from memory.vector.mapped_pages import let_index_pages_go
from tests.contracts.vector_store import BOTH, VECTORS, dense, make_chunk, make_point, sparse


def index_pages_mb(shard: Path) -> float:
    """What of its payload index's pages counts as this process's memory."""
    resident, inside = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if not line.split()[0].endswith(":"):
            inside = str(shard) in line and "/payload_index/" in line and line.endswith("page_0.dat")
        elif inside and line.startswith("Rss:"):
            resident += int(line.split()[1])
    return resident / 1024


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is mapped")
async def test_pages_that_nobody_needs_go_and_nothing_is_lost(tmp_path):
    path = tmp_path / "vectors"
    store = EdgeVectorStore.create(path, vectors=VECTORS, namespace="n")
    await store.upsert([make_point(make_chunk(start=n), {n: 1.0}, docs=[1, n, 2, 3]) for n in range(1, 9)])
    await store.close()
    store = EdgeVectorStore.open(path, namespace="n")
    queries = [sparse(1, 2), dense([1, 2, 3, 4])]
    before = await store.query_batch(queries, permission=BOTH)
    held = index_pages_mb(path)
    let_index_pages_go(path)
    assert index_pages_mb(path) < held / 4
    assert await store.query_batch(queries, permission=BOTH) == before
    await store.upsert([make_point(make_chunk(start=50), {1: 1.0}, docs=[1, 0, 0, 0])])  # what is written is kept
    let_index_pages_go(path)
    await store.close()
    again = EdgeVectorStore.open(path, namespace="n")
    assert await again.count(permission=BOTH) == 9
    await again.close()


def test_a_folder_that_is_not_mapped_is_no_error(tmp_path):
    let_index_pages_go(tmp_path)
