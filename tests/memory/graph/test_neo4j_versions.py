"""Versions of one graph on a real server: what a run changes, what readers of another version see, and what a killed one leaves."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from memory.entities import Relationship
from memory.errors import StoreError
from memory.graph import GraphBatch, as_parts
from memory.graph.neo4j_schema import FOREVER, GraphVersion, of_version
from tests.memory.graph.test_neo4j_agreement import PROJECTS, WORDS, graph
from tests.memory.graph.test_queries import READS
from tests.neo4j_server import proxied

EVERYBODY = frozenset(PROJECTS)


@pytest.mark.parametrize("name", READS)
def test_every_read_asks_all_it_touches_for_its_version(name):
    text = of_version(READS[name])
    for variable in {"EDGES": "arb", "STEPS": "arb"}.get(name[:5], "e"):
        assert f" AND {variable}.since <= $version AND {variable}.until > $version" in text
    assert text.count("$version") == READS[name].count("$version") + 2 * text.count(".since <=")
    assert text.endswith("LIMIT $limit")


def changed(batch: GraphBatch, draw: random.Random) -> tuple[GraphBatch, GraphBatch, set[str], set[str]]:
    """The graph after a change, the part of it that the indexer would give, and the projects and sources it concerns."""
    projects = set(draw.sample(PROJECTS, draw.randint(1, 2)))
    entities = [
        replace(e, start_line=e.start_line + 1) if e.project in projects and draw.random() < 0.3 else e
        for e in batch.entities
        if e.project not in projects or draw.random() < 0.9
    ]
    if draw.random() < 0.5:
        entities.append(replace(draw.choice(batch.entities), project=min(projects), id=f"n{draw.randrange(10**6)}"))
    known = {e.id: e for e in entities}
    reaching = {r.source.project for r in batch.relationships if r.target.project in projects}
    sources = projects | reaching
    relations = [
        replace(r, source=known[r.source.id], target=known[r.target.id])
        for r in batch.relationships
        if r.source.id in known and r.target.id in known and (r.source.project not in sources or draw.random() < 0.9)
    ]
    starts = [e for e in entities if e.project in sources]
    relations += [
        Relationship(draw.choice(starts), "USES", draw.choice(entities), "a", "new.py", (n,), id=f"x{draw.random()}")
        for n in range(9)
    ]
    after = GraphBatch(entities, relations)
    part = after.portion(sources)
    ends = [e for e in (*part.ends, *part.entities) if e.project not in projects]
    return (
        after,
        replace(part, entities=[e for e in part.entities if e.project in projects], ends=ends),
        projects,
        sources,
    )


async def seen(store) -> list[object]:
    """All that a store says of its graph."""
    entities = await store.all_entities(permission=EVERYBODY)
    return [
        entities,
        await store.all_edges(permission=EVERYBODY),
        [await store.find_text([word], permission=EVERYBODY, limit=100) for word in WORDS],
        await store.edges_between(PROJECTS, PROJECTS, permission=EVERYBODY, limit=1000),
        await store.paths([e.id for e in entities[:9]], [e.id for e in entities[-9:]], permission=EVERYBODY),
    ]


class Graphs:
    """Stores on one server, and what it holds."""

    def __init__(self, server):
        self.server, self.stores, self.version = server, [], GraphVersion.first("index")

    async def fresh(self, batch):
        """What a graph says that is written all at once."""
        store = self.kept(self.server.create())
        await store.replace(as_parts([batch]))
        return await seen(store)

    def making(self, version, *kept, **options):
        return self.kept(self.server.create(version=version, kept=kept, **options))

    def reading(self, version):
        return self.kept(self.server.open(version))

    def kept(self, store):
        self.stores.append(store)
        return store

    def held(self):
        """What this graph has on the server, and since when and until when it is there."""
        found = "x.digest AS digest, x.since AS since, x.until AS until ORDER BY digest, since"
        return self.server.run(
            f"MATCH (x:Entity {{namespace: $name}}) RETURN {found} "
            f"UNION ALL MATCH ()-[x]->() WHERE x.namespace = $name RETURN {found}",
            name=self.version.namespace,
        )

    def is_settled(self):
        """Whether nothing is there that its last version does not have."""
        touched = self.server.run("MATCH (t:Touched {namespace: $name}) RETURN t", name=self.version.namespace)
        return not touched and {row["until"] for row in self.held()} == {FOREVER}


@pytest.fixture
async def graphs(neo4j_server):
    one = Graphs(neo4j_server)
    yield one
    for store in one.stores:
        await store.remove()
        await store.close()


@pytest.mark.enable_socket
@pytest.mark.parametrize("whole", [False, True])
async def test_a_graph_that_was_brought_up_to_date_equals_one_that_was_written_at_once(graphs, whole):
    draw, batch, version = random.Random(5), graph(5), graphs.version  # noqa: S311 - a graph, no secret
    await graphs.making(version).replace(as_parts([batch]))
    for _ in range(4):
        before, earlier = graphs.reading(version), batch
        said = await seen(before)
        batch, part, projects, sources = changed(batch, draw)
        version = version.next()
        store = graphs.making(version, before.version)
        if whole:
            await store.replace(as_parts(batch.portion({project}) for project in PROJECTS))
        else:
            await store.update(part, projects=projects, sources=sources)
        assert await seen(before) == said  # while both are there
        now = graphs.reading(version)
        assert await seen(now) == await graphs.fresh(batch)
        written = [row for row in graphs.held() if row["since"] == version.number]
        assert 0 < len(written) < len(earlier.entities) + len(earlier.relationships)  # not all of it
        await now.close()
        await store.settle([before.version, version])  # somebody still reads the one before
        assert await seen(before) == said
        await store.settle([version])
        assert graphs.is_settled()
        assert await seen(graphs.reading(version)) == await graphs.fresh(batch)
        with pytest.raises(StoreError, match="does not hold this index's graph"):
            await graphs.reading(before.version).check()


@pytest.mark.enable_socket
async def test_projects_that_are_no_more_go_with_a_whole_graph(graphs):
    batch, version = graph(3), graphs.version
    await graphs.making(version).replace(as_parts([batch]))
    left = batch.portion({"a"})
    left = GraphBatch(left.entities, [r for r in left.relationships if r.target.project == "a"])
    store = graphs.making(version.next(), version)
    await store.replace(as_parts([left]))
    assert await seen(store) == await graphs.fresh(left)
    await store.settle([store.version])
    assert graphs.is_settled()


@pytest.mark.enable_socket
async def test_nothing_is_written_where_nothing_differs(graphs):
    batch, version = graph(3), graphs.version
    await graphs.making(version).replace(as_parts([batch]))
    before = graphs.held()
    store = graphs.making(version.next(), version)
    await store.replace(as_parts(batch.portion({project}) for project in PROJECTS))
    assert graphs.held() == before
    assert await seen(store) == await seen(graphs.reading(version))


@pytest.mark.enable_socket
async def test_what_ended_goes_in_batches_of_a_bounded_size(graphs):
    batch, version = graph(3), graphs.version
    await graphs.making(version).replace(as_parts([batch]))
    settings = replace(graphs.server.settings, batch_rows=7)
    store = graphs.making(version.next(), version, settings=settings)
    await store.update(GraphBatch((), ()), projects={"a", "b"}, sources={"a", "b"})
    said = await seen(store)
    assert not graphs.is_settled()
    await store.settle([store.version])
    assert graphs.is_settled()
    assert await seen(store) == said


MOMENTS = 10


async def run(graphs, settings, before, batch, how):
    """One run that ends as published and swept: what it wrote."""
    part, projects, sources = how
    store = graphs.server.create(settings, version=before.next(), kept=(before,))
    try:
        if part is None:
            await store.replace(as_parts(batch.portion({project}) for project in PROJECTS))
        else:
            await store.update(part, projects=projects, sources=sources)
    finally:
        await store.close()
    return store.version


@pytest.mark.enable_socket
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("again", [False, True])
async def test_a_run_that_ends_at_any_moment(graphs, whole, again):
    """Killed, it leaves what is read as it is, and the next one settles the rest. A connection that comes back ends none."""
    batch, version = graph(11), graphs.version
    after, *how = changed(batch, random.Random(11))  # noqa: S311 - as above
    how = [None, (), ()] if whole else how
    await graphs.making(version).replace(as_parts([batch]))
    said, expected = await seen(graphs.reading(version)), await graphs.fresh(after)
    held = graphs.held()
    server = graphs.server
    async with proxied(server.address) as proxy:
        settings = server.through(proxy, batch_rows=20, retry_ms=5000 if again else 0)
        await run(graphs, settings, version, after, how)  # nobody publishes it
        answered, killed = proxy.answered, 0
        for moment in range(MOMENTS):
            proxy.cut_after, proxy.once = answered * moment // MOMENTS, again
            try:
                made = await run(graphs, settings, version, after, how)
            except StoreError:
                killed += 1
                assert await seen(graphs.reading(version)) == said
                if moment % 2:  # the next run settles what the one before left, the others what several did
                    await graphs.making(version).settle([version])
                    assert graphs.is_settled()
                    assert graphs.held() == held
            else:
                assert await seen(graphs.reading(made)) == expected
                assert await seen(graphs.reading(version)) == said
        assert killed == (0 if again else MOMENTS)
    made = await run(graphs, server.settings, version, after, how)
    assert await seen(graphs.reading(made)) == expected
    await graphs.making(made).settle([made])
    assert graphs.is_settled()
    assert await seen(graphs.reading(made)) == expected


@pytest.mark.enable_socket
async def test_settling_that_ends_at_any_moment_is_gone_on_with(graphs):
    batch, version = graph(11), graphs.version
    await graphs.making(version).replace(as_parts([batch]))
    after, *how = changed(batch, random.Random(11))  # noqa: S311 - as above
    made = await run(graphs, graphs.server.settings, version, after, how)
    expected = await seen(graphs.reading(made))
    async with proxied(graphs.server.address) as proxy:
        for cut_after in (1500, 2500, 3500, 4500):
            proxy.cut_after = cut_after
            store = graphs.server.create(graphs.server.through(proxy, batch_rows=5), version=made)
            with pytest.raises(StoreError):
                await store.settle([made])
            await store.close()
            assert await seen(graphs.reading(made)) == expected
    await graphs.making(made).settle([made])
    assert graphs.is_settled()
    assert await seen(graphs.reading(made)) == expected
