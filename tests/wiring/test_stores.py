"""What the settings say of a store reaches it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from configs import load_config
from memory.entities import Entity, Relationship
from memory.errors import StoreError
from memory.graph import GraphBatch, KgliteGraphStore, as_parts
from wiring.stores import open_graph_store

CALLERS, CALLED = ([Entity(f"{kind}{n}", "class", "shop", "a.py", n + 1, n + 1) for n in range(60)] for kind in "AB")
EDGES = [Relationship(one, "CALLS", other) for one in CALLERS for other in CALLED]


async def test_the_embedded_graph_has_as_long_as_the_settings_give_it(tmp_path):
    store = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    await store.replace(as_parts([GraphBatch([*CALLERS, *CALLED], EDGES)]))
    await store.close()
    settings, shop, ids = load_config().graph, frozenset({"shop"}), [one.id for one in CALLERS]
    patient, hasty = (
        open_graph_store(replace(settings, query_timeout_ms=limit), tmp_path / "graph", "n") for limit in (600_000, 1)
    )
    assert len(await patient.edges(ids, permission=shop, limit=50_000)) == len(EDGES)
    with pytest.raises(StoreError, match="took longer than 1 ms"):
        await hasty.edges(ids, permission=shop, limit=50_000)
