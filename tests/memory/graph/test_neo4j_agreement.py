"""The embedded engine and the server give the same rows for the same graph: every read of the port, one random graph."""

from __future__ import annotations

import random

import pytest

from memory.entities import Entity, Evidence, Relationship
from memory.graph import GraphBatch, KgliteGraphStore, as_parts

pytestmark = pytest.mark.enable_socket

PROJECTS = ["a", "b", "c", "d"]
WORDS = ["order", "Pay", "Gateway", "service", "LINES", "über", "Straße", "x", "v2", "漢字", "name and", "O'Brien"]
TYPES = ["CALLS", "USES", "DEFINES"]


def graph(seed: int) -> GraphBatch:
    """120 entities of four projects and 500 relations."""
    draw = random.Random(seed)  # noqa: S311 - a graph, no secret
    entities = [
        Entity(
            draw.choice(["", "_", ".", "-"]).join(draw.choices(WORDS, k=draw.randint(1, 3))),
            draw.choice(["class", "table"]),
            draw.choice(PROJECTS),
            f"src/{draw.randint(1, 9)}.py",
            draw.randint(1, 9),
            draw.randint(10, 20),
            "“said” \\ 'so'\n",
            id=f"e{number:03}",
        )
        for number in range(120)
    ]
    relations = [
        Relationship(
            draw.choice(entities),
            draw.choice(TYPES),
            draw.choice(entities),
            draw.choice(PROJECTS),
            f"src/{draw.randint(1, 9)}.py",
            tuple(draw.sample(range(1, 99), draw.randint(0, 3))),
            draw.choice(["confirmed", "confirmed", "candidate"]),
            tuple(Evidence("calls", draw.choice(PROJECTS), "f.py", n) for n in range(draw.randint(0, 2))),
            f"r{number:03}",
        )
        for number in range(500)
    ]
    return GraphBatch(entities, relations)


async def answers(store, draw, batch):
    """What a store says to one random set of parameters, read by read."""
    some = [e.id for e in draw.sample(batch.entities, draw.randint(0, 5))]
    others = [e.id for e in draw.sample(batch.entities, draw.randint(1, 5))]
    word = draw.choice(batch.entities).name
    here = {"permission": frozenset(draw.sample(PROJECTS, draw.choice([0, 2, 3, 4, 4])))}
    few = {**here, "limit": draw.randint(1, 12)}
    typed = {**few, "types": draw.sample(TYPES, draw.choice([0, 0, 2]))}
    hops = draw.randint(1, 3)
    here_or_all = {**few, "permission": frozenset(PROJECTS) if draw.random() < 0.7 else here["permission"]}
    return {
        "exact": await store.find_exact([e.key for e in draw.sample(batch.entities, 4)], **few),
        "prefix": await store.find_prefix(word[: draw.randint(0, 5)], **few),
        "text": await store.find_text([word, draw.choice(WORDS)], **few),
        "out": await store.edges(some, direction="out", **typed),
        "in": await store.edges(some, direction="in", **typed),
        "both": await store.edges(others, **typed),
        "between": await store.edges_between(["a", "b"], draw.sample(PROJECTS, 2), **typed),
        "paths": await store.paths(
            others, [e.id for e in draw.sample(batch.entities, 9)], max_hops=hops, **here_or_all
        ),
        "entities": await store.all_entities(**here),
        "edges": await store.all_edges(**here),
    }


async def test_both_engines_say_the_same(neo4j_server, tmp_path):
    batch = graph(7)
    embedded = KgliteGraphStore.create(tmp_path / "graph", namespace="n")
    server = neo4j_server.create()
    found = dict.fromkeys(("exact", "prefix", "text", "out", "between", "paths"), 0)
    try:
        for store in (embedded, server):
            await store.replace(as_parts([batch]))
        for seed in range(15):
            if seed == 9:
                for store in (embedded, server):
                    await store.update(GraphBatch((), ()), projects={"d"}, sources={"d"})
            if seed == 12:
                for store in (embedded, server):
                    await store.update(GraphBatch((), ()), projects=(), sources={"a"})
            draws = [random.Random(seed) for _ in range(2)]  # noqa: S311 - as above
            ours, theirs = await answers(embedded, draws[0], batch), await answers(server, draws[1], batch)
            assert ours == theirs
            found.update((name, found[name] + len(ours[name])) for name in found)
        assert min(found.values()) >= 10, found  # they agree on something
    finally:
        await server.remove()
        await server.close()
