from __future__ import annotations

import json
import sys
import uuid
from dataclasses import replace

import anyio
import numpy as np
import pytest

from memory.errors import DataFolderError, StorageFullError, StoreError
from memory.vector import (
    DENSE_DOCS,
    SPARSE_LEXICAL,
    Condition,
    EdgeVectorStore,
    FakeVectorStore,
    VectorQuery,
)
from memory.vector.edge_files import Room
from tests.contracts.vector_store import (
    BOTH,
    UUID,
    VECTORS,
    VectorStoreContract,
    dense,
    everything,
    fuse,
    make_chunk,
    make_point,
    sparse,
)

READER = """
import sys, anyio
from memory.vector import DENSE_DOCS, EdgeVectorStore, VectorQuery
async def main():
    store = EdgeVectorStore.open(sys.argv[1], namespace=sys.argv[2])
    hits = (await store.query_batch([VectorQuery(DENSE_DOCS, [1, 0, 0, 0], 5)], permission=frozenset({"billing"})))[0]
    print(len(hits), flush=True)
    sys.stdin.readline()
    await store.close()
anyio.run(main)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One shard for all, since making one takes the disk a while: each test has a namespace of its own in it."""
    folder = tmp_path_factory.mktemp("edge") / "vectors"
    anyio.run(EdgeVectorStore.create(folder, vectors=VECTORS, namespace="first").close)
    return folder


@pytest.fixture
def namespace():
    return uuid.uuid4().hex


class TestEdgeVectorStore(VectorStoreContract):
    @pytest.fixture
    async def store(self, folder, namespace):
        store = EdgeVectorStore.open(folder, namespace=namespace)
        yield store
        await store.close()

    async def test_it_says_the_same_as_the_fake(self, store):
        fake = FakeVectorStore()
        points = [
            make_point(make_chunk(start=n), {n % 7: 1 + n / 10, n % 3 + 20: 0.5}, docs=[1, n, n % 5, 2])
            for n in range(60)
        ]
        queries = [sparse(1, 20, 22), sparse(5, limit=1), dense([1, 2, 3, 4], 20), everything(7)]
        for each in (store, fake):
            await each.upsert(points)
        ours = await store.query_batch(queries, permission=BOTH)
        for hits, expected in zip(ours, await fake.query_batch(queries, permission=BOTH), strict=True):
            assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in expected]
            assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=2e-6)

    async def test_alone_in_its_shard_it_answers_as_among_others(self, store, tmp_path, namespace):
        alone = EdgeVectorStore.create(tmp_path / "alone", vectors=VECTORS, namespace=namespace)
        chunks = [make_chunk(project, start=n) for project in ("billing", "search") for n in range(1, 9)]
        points = [make_point(chunk, {chunk.start_line % 3: 1.0}, docs=[1, chunk.start_line, 2, 3]) for chunk in chunks]
        queries = [sparse(1, 2), dense([1, 2, 3, 4]), everything(), fuse(dense([4, 3, 2, 1]), sparse(1))]
        answers = []
        for each in (store, alone):
            await each.upsert(points)
            answers.append((await each.query_batch(queries, permission=BOTH), await each.count(permission=BOTH)))
        assert answers[0] == answers[1]
        assert answers[0][1] == 8
        await alone.close()

    async def test_what_all_points_meet_is_not_asked_and_what_comes_later_is_held_against_it(self, tmp_path):
        alone, fake = (
            EdgeVectorStore.create(tmp_path / "alone", vectors=VECTORS, namespace="n"),
            FakeVectorStore(),
        )
        everybody = frozenset({"billing", "search"})
        first = [make_point(make_chunk("billing", start=n), {n % 2: 1.0}, docs=[1, n, 2, 3]) for n in range(1, 9)]
        other = [make_point(make_chunk("hidden", start=n), {1: 1.0}, docs=[1, n, 2, 3]) for n in range(1, 9)]
        steps = [
            lambda store: store.upsert(first),
            lambda store: store.delete_files("billing", [first[0].chunk.path]),  # the deleted count in no IDF
            lambda store: store.upsert(first[:3]),
            lambda store: store.upsert(other),
        ]
        for step in steps:
            found = []
            for store in (alone, fake):
                await step(store)
                hits = await store.query_batch([sparse(0, 1), dense([1, 2, 3, 4])], permission=everybody)
                found.append([[(hit.chunk.id, pytest.approx(hit.score, abs=2e-6)) for hit in each] for each in hits])
            assert found[0] == found[1]
        assert await alone.count(permission=everybody) == 3
        await alone.close()

    async def test_reopened_it_holds_what_was_written(self, store, folder, namespace):
        await store.upsert([make_point(make_chunk(), {UUID: 1.0}, docs=[1, 0, 0, 0])])
        await store.flush()
        before = await store.query_batch([sparse(UUID), dense([1, 0, 0, 0])], permission=BOTH)
        await store.close()
        again = EdgeVectorStore.open(folder, namespace=namespace)
        assert await again.query_batch([sparse(UUID), dense([1, 0, 0, 0])], permission=BOTH) == before
        await again.upsert([make_point(make_chunk(start=50))])
        assert await again.count(permission=BOTH) == 2
        await again.close()

    async def test_another_namespace_sees_nothing_of_it(self, store, folder, namespace):
        await store.upsert([make_point(make_chunk(), docs=[1, 0, 0, 0])])
        await store.close()
        stranger = EdgeVectorStore.open(folder, namespace="other")
        assert await stranger.query_batch([everything(), dense([1, 0, 0, 0])], permission=BOTH) == [[], []]
        assert await stranger.count(permission=BOTH) == 0
        await stranger.delete_project("billing")
        await stranger.close()
        owner = EdgeVectorStore.open(folder, namespace=namespace)
        assert await owner.count(permission=BOTH) == 1
        await owner.close()

    async def test_many_readers_hold_one_folder_in_and_out_of_this_process(self, store, folder, namespace):
        await store.upsert([make_point(make_chunk(), docs=[1, 0, 0, 0])])
        await store.close()
        here = [EdgeVectorStore.open(folder, namespace=namespace) for _ in range(3)]
        async with await anyio.open_process(
            [sys.executable, "-c", READER, str(folder), namespace], stderr=None
        ) as other:
            assert (await other.stdout.receive()).split() == [b"1"]
            for reader in here:
                assert len((await reader.query_batch([dense([1, 0, 0, 0])], permission=BOTH))[0]) == 1
                await reader.close()
            await other.stdin.send(b"\n")
        assert other.returncode == 0

    async def test_what_is_remembered_of_a_chunk_ends_with_the_next_write(self, store):
        chunk = make_chunk()
        await store.upsert([make_point(chunk, {UUID: 1.0})])
        named = VectorQuery("", None, 5, (Condition("id", any_of=(chunk.id,)),), (DENSE_DOCS, SPARSE_LEXICAL))
        for _ in range(2):  # read, then remembered
            [[hit], [listed]] = await store.query_batch([sparse(UUID), named], permission=BOTH)
            assert hit.chunk == listed.chunk == chunk
            assert listed.dense == {}
        edited = replace(chunk, section="Another heading")
        await store.upsert([make_point(edited, {UUID: 1.0}, docs=[1, 0, 0, 0])])
        [[found], [listed]] = await store.query_batch([sparse(UUID), named], permission=BOTH)
        assert found.chunk == listed.chunk == edited
        assert ({n: [*v] for n, v in listed.dense.items()}, listed.sparse.indices) == (
            {DENSE_DOCS: [1, 0, 0, 0]},
            (UUID,),
        )
        assert await store.file_chunks(chunk.project, [chunk.path], permission=BOTH) == [edited]

    async def test_an_answer_is_whole_however_few_chunks_are_remembered(self, store, folder, namespace):
        chunks = [make_chunk(start=10 * n + 1) for n in range(4)]
        await store.upsert([make_point(chunk, {UUID: 1.0}) for chunk in chunks])
        await store.close()
        forgetful = EdgeVectorStore.open(folder, namespace=namespace, remembered=2)
        for _ in range(2):
            [hits] = await forgetful.query_batch([sparse(UUID)], permission=BOTH)
            assert sorted(hit.chunk.start_line for hit in hits) == [1, 11, 21, 31]
            assert await forgetful.file_chunks("billing", [chunks[0].path], permission=BOTH) == chunks
        await forgetful.close()

    async def test_a_vector_of_a_wrong_dimension_is_a_store_error(self, store):
        with pytest.raises(StoreError, match="expected dim: 4, got 2"):
            await store.query_batch([dense([1.0, 0.0])], permission=BOTH)
        with pytest.raises(StoreError, match="expected dim: 4, got 1"):
            await store.upsert([make_point(make_chunk(), docs=[1.0])])

    async def test_a_full_disk_is_told_before_the_engine_maps_files_that_have_no_room(self, store, folder, namespace):
        await store.upsert([make_point(make_chunk(), docs=[1, 0, 0, 0])])
        await store.close()
        free = [33 * 2**20]
        room = Room(lambda _: free[0], lambda _: False)
        full = EdgeVectorStore.open(folder, namespace=namespace, room=room)
        free[0] = 1000
        for written in (
            full.upsert([make_point(make_chunk(start=9))]),
            full.set_dense({make_chunk().id: {"dense_docs": [1, 0, 0, 0]}}),
            full.delete_files("billing", [make_chunk().path]),
            full.delete_project("billing"),
        ):
            with pytest.raises(StorageFullError, match=r"up to 33 MB may be needed, 0 MB are free|up to 32 MB"):
                await written
        assert await full.count(permission=BOTH) == 1
        await full.close()
        with pytest.raises(StorageFullError):
            EdgeVectorStore.open(folder, namespace=namespace, room=room)


def test_no_index_yet(tmp_path):
    for way in (EdgeVectorStore.open, EdgeVectorStore.read):
        with pytest.raises(DataFolderError, match="no vector index"):
            way(tmp_path, namespace="n")


def test_none_is_made_where_there_is_no_room(tmp_path):
    with pytest.raises(StorageFullError):
        EdgeVectorStore.create(tmp_path / "new", vectors=VECTORS, namespace="n", room=Room(lambda _: 1000))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_one_already(folder):
    with pytest.raises(DataFolderError, match="already"):
        EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n")


async def test_a_panic_of_the_engine_is_a_store_error(tmp_path):
    store = EdgeVectorStore.create(tmp_path, vectors=VECTORS, namespace="n")
    await store.upsert([make_point(make_chunk(), docs=[1, 0, 0, 0])])
    await store.close()
    [status] = tmp_path.glob("segments/*/vector_storage-dense_docs/vectors/status.dat")
    status.write_bytes(b"")
    with pytest.raises(StoreError, match="can't be opened: the engine gave up"):
        EdgeVectorStore.open(tmp_path, namespace="n")


def test_a_file_in_the_folder_s_place(tmp_path):
    (tmp_path / "vectors").write_text("mine")
    with pytest.raises(StoreError, match="could not create"):
        EdgeVectorStore.create(tmp_path / "vectors", vectors=VECTORS, namespace="n")


def test_a_damaged_index(tmp_path):
    (tmp_path / "edge_config.json").write_text("{")
    with pytest.raises(StoreError, match="can't be opened"):
        EdgeVectorStore.open(tmp_path, namespace="n")


@pytest.mark.specification("000 §5.4 parameters")
async def test_search_is_exact_whatever_is_asked(tmp_path):
    """A server's graph would lose most of these with a list of one; here there is none."""
    store = EdgeVectorStore.create(tmp_path / "v", vectors=VECTORS, namespace="n")
    drawn = np.random.default_rng(7).normal(size=(3000, 4)).tolist()
    await store.upsert([make_point(make_chunk(start=n + 1), docs=vector) for n, vector in enumerate(drawn)])
    asked = dense([1, 2, 3, 4], 40)
    walked = replace(asked, hnsw_ef=1, exact=False)
    exact, other = await store.query_batch([asked, walked], permission=BOTH)
    await store.close()
    likeness = np.asarray(drawn) @ [1, 2, 3, 4] / np.linalg.norm(drawn, axis=1)
    assert {hit.chunk.start_line for hit in exact} == set(np.argsort(-likeness)[:40] + 1)
    assert other == exact
    written = json.loads((tmp_path / "v/edge_config.json").read_text())
    assert written["hnsw_config"]["m"] == 0
