"""The fake and the engine give the same rows for any graph and any permission."""

from __future__ import annotations

import tempfile
from pathlib import Path

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.entities import Entity, Relationship
from memory.graph import FakeGraphStore, GraphBatch, KgliteGraphStore, as_parts

PROJECTS = ["a", "b", "c"]
NAMES = ["OrderService", "order_service", "Order", "payNow", "Pay", "über.Straße", "x"]
KINDS = ["CALLS", "USES"]


@st.composite
def graphs(draw):
    picked = draw(st.lists(st.tuples(st.sampled_from(PROJECTS), st.sampled_from(NAMES)), min_size=1, max_size=7))
    entities = [Entity(name, project=project, path="f.py", id=f"e{n}") for n, (project, name) in enumerate(picked)]
    ends = st.sampled_from(entities)
    edges = draw(
        st.lists(
            st.tuples(
                ends,
                st.sampled_from(KINDS),
                ends,
                st.sampled_from(PROJECTS),
                st.sampled_from(["confirmed", "candidate"]),
            ),
            max_size=14,
        )
    )
    relations = [
        Relationship(s, kind, t, p, "f.py", (n,), status, id=f"r{n}") for n, (s, kind, t, p, status) in enumerate(edges)
    ]
    return GraphBatch(entities, relations)


@settings(max_examples=25, deadline=None, database=None)
@given(
    batch=graphs(),
    permission=st.frozensets(st.sampled_from(PROJECTS)),
    chosen=st.lists(st.sampled_from([f"e{n}" for n in range(7)]), max_size=3),
    others=st.lists(st.sampled_from([f"e{n}" for n in range(7)]), max_size=3),
    types=st.lists(st.sampled_from(KINDS), max_size=1),
    limit=st.integers(1, 5),
    hops=st.integers(1, 4),
    size=st.sampled_from([1, 1000]),
)
def test_the_fake_and_the_engine_agree(batch, permission, chosen, others, types, limit, hops, size):
    async def answers(store):
        await store.replace(as_parts(batch.portion({project}) for project in PROJECTS))
        return {
            "exact": await store.find_exact(NAMES, permission=permission, limit=limit),
            "prefix": await store.find_prefix("Order", permission=permission, limit=limit),
            "text": await store.find_text(["pay", "orderService", "straße"], permission=permission, limit=limit),
            "out": await store.edges(chosen, permission=permission, direction="out", types=types, limit=limit),
            "in": await store.edges(chosen, permission=permission, direction="in"),
            "both": await store.edges(chosen, permission=permission, limit=limit),
            "paths": await store.paths(chosen, others, permission=permission, max_hops=hops, limit=limit),
            "entities": await store.all_entities(permission=permission),
            "edges": await store.all_edges(permission=permission),
        }

    with tempfile.TemporaryDirectory() as folder:
        engine = KgliteGraphStore.create(Path(folder) / "graph", namespace="n", entities_a_file=size)
        assert anyio.run(answers, engine) == anyio.run(answers, FakeGraphStore())
