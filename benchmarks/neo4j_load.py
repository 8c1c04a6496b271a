"""A graph's first load on a Neo4j server, beside a bare load of the same rows: one text for the nodes, one for the
edges. And one project changed there and settled, beside the embedded engine.

    .venv/bin/python benchmarks/neo4j_load.py URI [--entities N] [--turns N]

Four relations an entity, in projects of 200 entities. The bare load has labels of its own with one constraint, the
nodes' id; `indexed` has the other indexes of ours as well. In turns, the password in NEO4J_PASSWORD; what is loaded is
removed.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import anyio

from configs.settings import Neo4jSettings
from memory.entities import Entity, Evidence, Relationship
from memory.graph import GraphBatch, GraphStore, KgliteGraphStore, Neo4jGraphStore, as_parts
from memory.graph.neo4j_connection import Neo4jConnection
from memory.graph.neo4j_schema import INDEXES, GraphVersion
from memory.graph.queries import CREATE_ENTITIES, CREATE_RELATIONS, entity_row, relation_row

A_PROJECT, RELATIONS, CHANGES = 200, 4, 5
CONSTRAINT = "CREATE CONSTRAINT bare_id IF NOT EXISTS FOR (n:Bare) REQUIRE (n.id) IS UNIQUE"
CLEAR = "MATCH (n:Bare) WITH n LIMIT 10000 DETACH DELETE n RETURN count(*) AS gone"


def parts(entities: int) -> list[GraphBatch]:
    """The graph, a project a part."""
    chance = random.Random(7)  # noqa: S311 - nothing secret about it
    nodes = [
        Entity(
            f"work_out_{n}", "function", f"service{n // A_PROJECT:04}", f"src/part{n % 20:02}.py", n % 300, n % 300 + 12
        )
        for n in range(entities)
    ]

    def leaving(source: Entity) -> Iterator[Relationship]:
        for number in range(RELATIONS):
            line, target = source.start_line + number, chance.choice(nodes)
            said = (Evidence("calls", source.project, source.path, line, says=f"{target.name}(given, count)"),)
            named = f"{source.id} CALLS {target.id} {number}"
            yield Relationship(source, "CALLS", target, source.project, source.path, (line,), evidence=said, id=named)

    made = []
    for at in range(0, entities, A_PROJECT):
        own = nodes[at : at + A_PROJECT]
        edges = [edge for node in own for edge in leaving(node)]
        made.append(GraphBatch(own, edges, list({edge.target.id: edge.target for edge in edges}.values())))
    return made


async def bare(connection: Neo4jConnection, graph: Sequence[GraphBatch], rows: int) -> None:
    """The rows as they are."""
    nodes = [entity_row(one) for part in graph for one in part.entities]
    edges = [relation_row(one) for part in graph for one in part.relationships]
    for text, some in ((CREATE_ENTITIES, nodes), (CREATE_RELATIONS, edges)):
        for at in range(0, len(some), rows):
            own = {"rows": some[at : at + rows], "namespace": "bare"}
            await connection.write_rows(text.replace(":Entity", ":Bare"), own)


async def one_change(store: GraphStore, part: GraphBatch) -> float:
    """Seconds until one project's entities are a line further down,
    and the relations that reach it are the others' no more.
    """
    moved = {one.id: replace(one, start_line=one.start_line + 1) for one in part.entities}
    edges = [replace(one, source=moved[one.source.id]) for one in part.relationships]
    ends = [one for one in part.ends if one.id not in moved]
    (project,) = part.projects
    started = time.perf_counter()
    batch = GraphBatch(list(moved.values()), edges, ends)
    await store.update(batch, projects={project}, sources={project})
    return time.perf_counter() - started


async def measure(uri: str, entities: int, turns: int) -> dict[str, list[float]]:
    """Seconds of each load, turn by turn."""
    settings, password = Neo4jSettings(uri), os.environ.get("NEO4J_PASSWORD")
    connection, graph = Neo4jConnection(settings, password=password), parts(entities)
    kinds = ("bare", "indexed", "ours", "change", "settling", "embedded change")
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        embedded = KgliteGraphStore.create(Path(folder) / "graph", namespace="benchmark")
        await embedded.replace(as_parts(graph))
        for part in graph[:CHANGES]:
            staged = KgliteGraphStore.stage(Path(folder) / "graph", namespace="benchmark")
            found["embedded change"].append(round(await one_change(staged, part), 2))
    more = [one.text.replace("INDEX ", "INDEX bare_").replace("n:Entity", "n:Bare") for one in INDEXES[3:]]
    more = [text for text in more if "n:Bare" in text]
    for _ in range(turns):
        for kind in ("bare", "indexed"):
            for text in (CONSTRAINT, *(more if kind == "indexed" else ())):
                await connection.write_rows(text)
            started = time.perf_counter()
            await bare(connection, graph, settings.batch_rows)
            found[kind].append(round(time.perf_counter() - started, 1))
            while (await connection.write_rows(CLEAR))[0]["gone"]:
                pass
        for text in more:
            await connection.write_rows(f"DROP INDEX {text.split('INDEX ')[1].split()[0]}")
        version = GraphVersion.first("benchmark")
        store = Neo4jGraphStore.create(settings, version=version, password=password)
        await store.is_whole()  # the schema is there
        started = time.perf_counter()
        await store.replace(as_parts(graph))
        found["ours"].append(round(time.perf_counter() - started, 1))
        for part in graph[:CHANGES]:
            before, version = version, version.next()
            after = Neo4jGraphStore.create(settings, version=version, kept=[before], password=password)
            found["change"].append(round(await one_change(after, part), 2))
            started = time.perf_counter()
            await after.settle([version])
            found["settling"].append(round(time.perf_counter() - started, 2))
            await after.close()
        await store.remove()
        await store.close()
    await connection.write_rows("DROP CONSTRAINT bare_id")
    await connection.close()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("uri", help="a Neo4j server")
    parser.add_argument("--entities", type=int, default=20_000)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    for kind, seconds in anyio.run(measure, given.uri, given.entities, given.turns).items():
        print(f"{kind:16} {statistics.median(seconds):6.2f} s  {seconds}")


if __name__ == "__main__":
    main()
