"""However an index came to be as it is, by edits and by kills: it is the one that would be made afresh.

See docs/design.md#equal-answers.

`test_incremental.py` beside this does the same with real packages, a few stories of them and none killed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings

from configs.settings import GraphSettings, QdrantSettings
from memory.embedders import Bm25Sparse, FakeSource
from memory.generation import DataFolder
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, VectorQuery
from tests.memory.vector.edge_http_front import EdgeHttpFront
from tests.organisation import (
    CONFIG,
    FiledStores,
    FiledVectors,
    ask,
    differences,
    exported,
    opened,
    opened_files,
    plain,
    points,
    points_of,
    stated,
)
from tests.properties.histories import PROJECTS, QUESTIONS, TEXTS, History, Killed, Life, apply, histories, index
from wiring.embedded_stores import EmbeddedStores
from wiring.opening import open_graph
from wiring.stores import indexing_parts, open_vector_store

pytestmark = pytest.mark.no_cover  # what they walk through, other tests prove

TRIES = max(1, int(os.environ.get("HYBRID_RETRIEVAL_TEST_EXAMPLES", "200")) // 10)
EVERYTHING = VectorQuery("", None, 1000, (), (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL))
FULL = {(project, path): n for n, project in enumerate(PROJECTS) for path in TEXTS if path != ".gitignore"}
KILLS = range(2, 24, max(1, 400 // TRIES)) if TRIES > 20 else (21,)
EDITS = [
    ("put", ("north", "src/gate.py"), 2),
    ("delete", ("south", "docs/rules.md"), None),
    ("rename", ("north", "db/fares.sql"), "deep/er/x.sql"),
    ("put", ("south", ".gitignore"), 1),
    ("put", ("south", "compose.yaml"), 1),
]

WHOLE = History(
    FULL, [(EDITS, None), (EDITS[:2], 22)], 0
)  # killed when the text was published and the vectors were not
FEW = max(1, TRIES // 20)
PHASES = [Phase.explicit] if TRIES <= 20 else [Phase.explicit, Phase.generate, Phase.shrink]  # engines take their time


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # stores work in threads and on servers, which virtual time does not wait for


async def in_fakes(data):
    async with opened_files(data) as (orchestrator, graph):
        everyone = frozenset(PROJECTS)
        entities, edges = await graph.all_entities(permission=everyone), await graph.all_edges(permission=everyone)
        answers = [plain((await orchestrator.retrieve(q)).to_dict()) for q in QUESTIONS]
    with DataFolder.open(data).reading() as generation:
        chunks = await points_of(FiledVectors(generation.vectors_path), everyone)
    return [[entities, edges, stated(data)], chunks, *answers]


async def in_engines(data):
    return [
        *await exported(data),
        stated(data),
        await points(data),
        *[plain(await ask(data, question)) for question in QUESTIONS],
    ]


def tried(history, stores, look):
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(partial(history.hold, Path(folder), stores, look))


alike = partial(
    settings, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck), print_blob=False
)


@alike(max_examples=TRIES)
@given(histories)
def test_every_history_ends_as_a_fresh_index(history):
    tried(history, FiledStores(), in_fakes)


@alike(max_examples=FEW, phases=PHASES)
@example(WHOLE)
@given(histories)
@pytest.mark.slow
def test_in_the_engines_too(history):
    tried(history, EmbeddedStores(), in_engines)


@pytest.fixture
def edited(tmp_path):
    """An organisation that was indexed, and edited since; and its index."""
    org, data = tmp_path / "org", tmp_path / "data"
    for place, number in FULL.items():
        apply(org, ("put", place, number))
    anyio.run(partial(index, data, org, FiledStores()))
    for edit in EDITS:
        apply(org, edit)
    return org, data


@pytest.mark.slow
async def test_a_kill_before_each_step_leaves_the_old_or_the_text_of_the_new(edited, tmp_path):
    org, data = edited
    before, after, fresh = await in_fakes(data), tmp_path / "after", tmp_path / "fresh"
    await index(fresh, org, FiledStores(), text_first_above=1000)
    whole = await in_fakes(fresh)
    seen, steps = [], 0
    while True:
        shutil.copytree(data, after)
        life = Life(after, steps)
        try:
            await index(after, org, FiledStores(), life=life, text_first_above=0)
        except Killed:
            life.bury()
            left = await in_fakes(after)
            seen.append("old" if left == before else "text")
            if seen[-1] == "text":
                assert differences(left[0], whole[0]) == []  # the graph and what it says in words are there
                assert [one["sparse"] for one in left[1]] == [one["sparse"] for one in whole[1]]
                assert left[2]["coverage"]["embedded"] < 1
            await index(after, org, FiledStores())
        assert differences(await in_fakes(after), whole) == []
        shutil.rmtree(after)
        if len(seen) == steps:
            break
        steps += 1
    assert [kind for kind, _ in groupby(seen)] == ["old", "text"]
    assert len(seen) > 20


KILLED = """
import os, signal, sys
from pathlib import Path
import anyio
from wiring.embedded_stores import EmbeddedStores
from tests.properties.histories import Life, index

class Mortal(Life):
    def end(self):
        os.kill(os.getpid(), signal.SIGKILL)

data, org = map(Path, sys.argv[1:3])
anyio.run(lambda: index(data, org, EmbeddedStores(), life=Mortal(data, int(sys.argv[3]))))
"""


@pytest.mark.slow
async def test_a_process_that_is_killed(tmp_path):
    org, data, fresh = tmp_path / "org", tmp_path / "data", tmp_path / "fresh"
    for place, number in FULL.items():
        apply(org, ("put", place, number))
    for steps in KILLS:
        done = subprocess.run(  # noqa: S603, ASYNC221 - our own interpreter and text; nothing else runs meanwhile
            [sys.executable, "-c", KILLED, str(data), str(org), str(steps)],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()
        if (data / "CURRENT").exists():
            assert await ask(data, QUESTIONS[0])
        for edit in EDITS[:1]:
            apply(org, edit)
    for path in (data, fresh):
        await index(path, org, EmbeddedStores())
    assert differences(await in_engines(data), await in_engines(fresh)) == []


@pytest.mark.allow_hosts(["127.0.0.1"])
@alike(max_examples=FEW, phases=PHASES)
@example(WHOLE)
@given(histories)
def test_with_the_vectors_on_a_server(history):
    with tempfile.TemporaryDirectory() as folder, EdgeHttpFront(folder + "/front") as front:
        server = QdrantSettings(url=front.url, collection=front.collection)
        config = replace(CONFIG, vector=replace(CONFIG.vector, store="qdrant", qdrant=server))

        async def look(data):
            folder = DataFolder.open(data)
            with folder.reading() as generation:
                store = await open_vector_store(config.vector, generation.vectors_path, folder.namespace)
                [hits] = await store.query_batch([EVERYTHING], permission=frozenset(PROJECTS))
                await store.close()
            kept = front.points_where("namespace", folder.namespace)
            async with opened(data, config=config) as orchestrator:
                answers = [plain((await orchestrator.retrieve(question)).to_dict()) for question in QUESTIONS]
            found = [{"chunk": hit.chunk, "dense": dict(hit.dense), "sparse": hit.sparse} for hit in hits]
            return [kept, (data / "qdrant.journal").exists(), stated(data), found, *answers]

        stores = indexing_parts(config.graph, FakeSource(), Bm25Sparse(), vector=config.vector).stores
        tried(history, stores, look)


@pytest.fixture(scope="module")
def on_server(neo4j_server):
    """Settings with the graph on the tests' server."""
    where = replace(neo4j_server.settings, password_env="HISTORIES_PASSWORD")
    graph = GraphSettings(store="neo4j", neo4j=where, query_timeout_ms=60_000)
    with pytest.MonkeyPatch.context() as patch:
        if neo4j_server.password is not None:
            patch.setenv("HISTORIES_PASSWORD", neo4j_server.password)
        yield replace(CONFIG, graph=graph, agent_timeout_ms=60_000, total_timeout_ms=120_000)


@pytest.mark.enable_socket
@alike(max_examples=FEW, phases=PHASES)
@example(WHOLE)
@given(histories)
def test_with_the_graph_on_a_server(neo4j_server, on_server, history):
    async def look(data):
        async with open_graph(data, on_server.graph) as (store, indexed):
            graph = [
                await store.all_entities(permission=indexed.projects()),
                await store.all_edges(permission=indexed.projects()),
            ]
        async with opened(data, config=on_server) as orchestrator:
            answers = [plain((await orchestrator.retrieve(question)).to_dict()) for question in QUESTIONS]
        kept = neo4j_server.run(
            "MATCH (x) WHERE x.namespace STARTS WITH $index OPTIONAL MATCH (x)-[r]->() "
            "RETURN labels(x) AS label, count(DISTINCT x) AS nodes, count(r) AS edges ORDER BY label",
            index=DataFolder.open(data).namespace,
        )
        return [kept, *graph, stated(data), await points(data), *answers]

    tried(history, indexing_parts(on_server.graph, FakeSource(), Bm25Sparse()).stores, look)
