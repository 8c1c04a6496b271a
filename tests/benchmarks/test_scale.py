"""The generated organisation: its size, and that its parts call each other."""

from __future__ import annotations

import anyio

from benchmarks.edges import graph_of_trees
from benchmarks.scale import FUNCTIONS, MODULES, three_hops, write_organisation
from memory.graph import FakeGraphStore, as_parts


def test_projects_call_themselves_and_each_other(tmp_path):
    write_organisation(tmp_path, 3)
    batch = anyio.run(graph_of_trees, tmp_path)
    functions = [entity for entity in batch.entities if entity.kind == "function"]
    calls = [edge for edge in batch.relationships if edge.type == "CALLS"]
    across = [edge for edge in calls if edge.source.project != edge.target.project]
    assert len(functions) == 3 * MODULES * FUNCTIONS
    assert len(calls) > 2 * len(functions)
    assert len(functions) / 2 < len(across) <= len(functions)
    assert {edge.status for edge in across} == {"confirmed"}


async def test_three_hops_follow_the_calls(tmp_path):
    write_organisation(tmp_path, 2)
    store = FakeGraphStore()
    await store.replace(as_parts([await graph_of_trees(tmp_path)]))
    with anyio.fail_after(300):
        figures = await three_hops(store, frozenset({"service000", "service001"}), walks=3)
    assert figures["edges_a_walk"] > 20
    assert figures["p50_ms"] <= figures["p95_ms"]
