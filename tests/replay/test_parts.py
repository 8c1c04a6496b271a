"""The loop on which the tests and replays run."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from memory.errors import InvalidInputError, StoreError
from memory.graph import GraphBatch
from memory.project_folder import ProjectFolder
from memory.vector import DENSE_DOCS, FusedQuery, VectorQuery
from memory.vector.filters import Condition
from replay.parts import TapedSparse, taped
from replay.tape import Call, MissingCallError, Tape
from replay.taped_sources import TapedCatalogue, TapedFolder, TapedVocabulary


async def test_an_hour_is_over_at_once_and_is_still_an_hour():
    real, began = time.perf_counter(), anyio.current_time()
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 3600)
        group.start_soon(anyio.sleep, 60)
    assert anyio.current_time() - began == 3600
    assert time.perf_counter() - real < 1


async def test_what_is_there_already_comes_before_any_timer():
    loop, read = asyncio.get_running_loop(), asyncio.Event()
    began = loop.time()
    here, there = socket.socketpair()
    with here, there:
        loop.add_reader(here, read.set)
        there.send(b"x")
        with anyio.fail_after(300):
            await read.wait()
        loop.remove_reader(here)
    assert loop.time() - began < 60


async def test_work_in_a_thread_takes_no_time_and_is_waited_for():
    began = anyio.current_time()
    with anyio.fail_after(0.001):
        assert await anyio.to_thread.run_sync(sum, [1, 2], abandon_on_cancel=True) == 3
    assert anyio.current_time() == began


ALL = frozenset({"harbour", "lighthouse"})


@pytest.fixture
def tapes(opened):
    """The live parts behind a tape, and the same tape without them."""
    with opened() as (portal, live):
        tape = Tape(portal=portal)
        front = taped(tape, live)

        def alone():
            return taped(Tape(tuple(tape.calls.values()), tape.codec))

        yield live, front, alone


async def test_every_read_of_the_graph(tapes):
    live, front, alone = tapes
    [desk] = await live.graph.find_exact(["mooringdesk"], permission=ALL)
    [beacon] = await live.graph.find_exact(["beacon"], permission=ALL)
    ids = [desk.id]
    calls = [
        lambda graph: graph.find_exact(["mooringdesk"], permission=ALL),
        lambda graph: graph.find_prefix("moor", permission=ALL),
        lambda graph: graph.find_text(["mooring"], permission=ALL),
        lambda graph: graph.edges(ids, permission=ALL, direction="out"),
        lambda graph: graph.edges_between({"harbour"}, {"lighthouse"}, permission=ALL),
        lambda graph: graph.paths(ids, [beacon.id], permission=ALL),
        lambda graph: graph.all_entities(permission=ALL),
        lambda graph: graph.all_edges(permission=ALL),
    ]
    for call in calls:
        assert await call(front.graph) == await call(live.graph)
    replayed = alone()
    for call in calls:
        assert await call(replayed.graph) == await call(live.graph)
    assert replayed.graph.engine == live.graph.engine
    with pytest.raises(MissingCallError):
        await replayed.graph.find_exact(["beacons"], permission=ALL)


async def test_every_read_of_the_vectors(tapes):
    live, front, alone = tapes
    vector = (await live.dense.embed_queries(["ships"]))[0].tolist()
    search = VectorQuery(DENSE_DOCS, vector, 5, (), (DENSE_DOCS,))
    [hits] = await live.vectors.query_batch([search], permission=ALL)
    listing = VectorQuery("", None, 9, (Condition("id", any_of=(*(h.chunk.id for h in hits), "none")),), (DENSE_DOCS,))
    batch = [listing, search, FusedQuery((search,), 3), VectorQuery("", None, 2)]
    calls = [
        lambda store: store.query_batch(batch, permission=ALL),
        lambda store: store.query_batch([], permission=ALL),
        lambda store: store.query_batch(batch, permission=frozenset()),
        lambda store: store.query_batch([VectorQuery("", None, 3, (Condition("id"),))], permission=ALL),
        lambda store: store.file_chunks("harbour", ["harbour/mooring.py", "CLAUDE.md"], permission=ALL),
        lambda store: store.file_chunks("harbour", [], permission=ALL),
        lambda store: store.count(permission=ALL),
    ]
    for call in calls:
        assert await call(front.vectors) == await call(live.vectors)
    replayed = alone()
    for call in calls:
        assert await call(replayed.vectors) == await call(live.vectors)


async def test_searches_and_points_are_recorded_one_by_one(tapes):
    live, front, alone = tapes
    vector = (await live.dense.embed_queries(["ships"]))[0].tolist()
    first, second = (VectorQuery(DENSE_DOCS, vector, limit) for limit in (1, 2))
    both = await front.vectors.query_batch([first, second], permission=ALL)
    assert await alone().vectors.query_batch([second, first], permission=ALL) == both[::-1]
    [everything] = await front.vectors.query_batch([VectorQuery("", None, 99)], permission=ALL)
    ids = [hit.chunk.id for hit in everything]

    def listed(some):
        return VectorQuery("", None, len(some), (Condition("id", any_of=tuple(some)),))

    await front.vectors.query_batch([listed(ids)], permission=ALL)
    [some] = await alone().vectors.query_batch([listed(ids[:2])], permission=ALL)
    assert [hit.chunk.id for hit in some] == sorted(ids[:2])


async def test_the_embedders(tapes):
    live, front, alone = tapes
    for text in ("ships at night", "MooringDesk"):
        assert (await front.dense.embed_queries([text]) == await live.dense.embed_queries([text])).all()
        assert (await front.dense.embed_documents([text]) == await live.dense.embed_documents([text])).all()
        assert (await alone().dense.embed_queries([text]) == await live.dense.embed_queries([text])).all()
        assert front.sparse.embed_query(text) == live.sparse.embed_query(text) == alone().sparse.embed_query(text)
        assert front.sparse.embed_document(text) == live.sparse.embed_document(text)
        assert list(front.sparse.terms(text).items()) == list(live.sparse.terms(text).items())
    assert (alone().dense.model, alone().dense.dimension) == (live.dense.model, live.dense.dimension)
    assert alone().code is None


async def test_nothing_is_written_to_a_recording(tapes):
    _, front, _ = tapes
    for write in (
        front.vectors.upsert([]),
        front.vectors.set_dense({}),
        front.vectors.delete_files("harbour", []),
        front.vectors.delete_project("harbour"),
        front.graph.replace([GraphBatch((), ())]),
        front.graph.update(GraphBatch((), ()), projects=(), sources=()),
    ):
        with pytest.raises(StoreError, match="not written to"):
            await write
    assert not await front.graph.is_empty()
    await front.vectors.close()
    await front.graph.close()


def test_the_catalogue(tapes):
    live, front, alone = tapes
    for parts in (lambda: front, alone):
        catalogue = parts().catalogue
        assert catalogue.projects() == ALL
        assert catalogue.in_hand(ALL) is None
        assert catalogue.embedded_share(ALL) == 1.0
        assert catalogue.commits(["harbour"]) == live.catalogue.commits(["harbour"])
        assert not catalogue.has_changed("harbour", "CLAUDE.md")
        assert catalogue.has_changed("harbour", "none.md")
        assert catalogue.has_changed("nowhere", "CLAUDE.md")


def test_a_file_that_has_changed_is_read_as_it_was_when_it_was_recorded(opened, tmp_path: Path):
    (tmp_path / "CLAUDE.md").write_text("new", encoding="utf-8")
    folder = ProjectFolder(tmp_path, {"CLAUDE.md": "the hash of what was indexed"})
    with opened() as (portal, _):
        tape = Tape(portal=portal)
        assert TapedFolder(tape, "p", folder).has_changed("CLAUDE.md")
        assert TapedFolder(tape, "p", folder).read("CLAUDE.md") == "new"
    (tmp_path / "CLAUDE.md").unlink()
    again = TapedFolder(Tape(tuple(tape.calls.values()), tape.codec), "p", None)
    assert (again.has_changed("CLAUDE.md"), again.read("CLAUDE.md"), again.paths) == (True, "new", ("CLAUDE.md",))


SEEN = frozenset({"billing"})


def words(tape):
    tape.calls |= Tape([Call("sparse.model", {}, "Qdrant/bm25")]).calls
    return TapedSparse(tape, None)


@pytest.mark.parametrize(
    ("name", "asked", "answer", "ask"),
    [
        ("catalogue.embedded_share", {"projects": ["a"]}, "x", lambda tape: TapedCatalogue(tape, None).embedded_share(["a"])),
        ("vocabulary.weights", {"terms": [1], "permission": SEEN}, 1, lambda tape: TapedVocabulary(tape, None).weights([1], SEEN)),
        ("vocabulary.weights", {"terms": [1], "permission": SEEN}, [{"()": [1, 10**400]}], lambda tape: TapedVocabulary(tape, None).weights([1], SEEN)),
        ("vocabulary.known", {"terms": [1], "permission": SEEN}, 1, lambda tape: TapedVocabulary(tape, None).known([1], SEEN)),
        ("sparse.terms", {"text": "a b"}, {":": [["a", 1], ["b", "x"]]}, lambda tape: words(tape).terms("a b")),
        ("sparse.terms", {"text": "a b"}, {":": [["a", 1], [7, 2]]}, lambda tape: words(tape).terms("a b")),
        ("catalogue.commits", {"project": "a"}, {":": [["a", "x"]]}, lambda tape: TapedCatalogue(tape, None).commits(["a"])),
        ("catalogue.commits", {"project": "a"}, {":": [["a", {":": [["changed", []]]}]]}, lambda tape: TapedCatalogue(tape, None).commits(["a"])),
    ],
)  # fmt: skip
def test_a_recorded_answer_of_another_kind_is_an_error_of_ours(name, asked, answer, ask):
    codec = Tape().codec
    tape = Tape([Call(name, {key: codec.encode(one) for key, one in asked.items()}, answer)], codec)
    with pytest.raises(InvalidInputError, match="The recording is damaged"):
        ask(tape)
