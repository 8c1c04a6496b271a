from __future__ import annotations

import ctypes
import sys
import uuid
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
import qdrant_edge as edge
from anyio.streams.buffered import BufferedByteReceiveStream

from memory.copying import copy_tree
from memory.errors import StorageFullError, StoreError
from memory.vector import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    EdgeVectorStore,
    Point,
    SparseVector,
    VectorQuery,
    parse_filters,
)
from memory.vector.edge_files import Room
from memory.vector.edge_sealing import Sealing, hand_back
from memory.vector.payload import INDEXED_KEYS
from tests.contracts.vector_store import (
    BILLING,
    BOTH,
    KEY,
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

pytestmark = pytest.mark.slow

GLIBC = sys.platform == "linux" and hasattr(ctypes.CDLL(None), "malloc_trim")


def resident_mb():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1024


@pytest.mark.skipif(not GLIBC, reason="this C library cannot hand memory back")
def test_what_lies_between_used_blocks_goes_back_to_the_system():
    blocks = [bytes(4_000) for _ in range(10_000)]  # 40 MB, too large for Python's own pools, too small for a mapping
    kept = blocks[::100]
    del blocks
    before = resident_mb()
    hand_back()
    assert resident_mb() < before - 15
    assert len(kept) == 100


def test_calling_it_with_nothing_to_hand_back_is_no_error():
    hand_back()
    hand_back()


AT_ONCE = Sealing(every=1, least=1, most=500, segments=4)  # what takes a kilobyte is sealed with the write
NEVER = Sealing(every=10**6, least=10**6)
READER = """
import sys, anyio
from memory.vector import DENSE_DOCS, EdgeVectorStore, VectorQuery
async def main():
    store = EdgeVectorStore.open(sys.argv[1], namespace="n")
    for _ in sys.stdin:
        [hits] = await store.query_batch([VectorQuery(DENSE_DOCS, [1, 2, 3, 4], 5)], permission=frozenset({"billing"}))
        print(" ".join(hit.chunk.id for hit in hits), flush=True)
    await store.close()
anyio.run(main)
"""

KILLED = """
import os, sys, anyio
from memory.vector import EdgeVectorStore
from tests.contracts.vector_store import make_chunk, make_point
async def main():
    store = EdgeVectorStore.open(sys.argv[1], namespace="n", seal_every=100)
    await store.upsert([make_point(make_chunk(start=n), docs=[1, n, 2, 3]) for n in range(1, 101)])
    os._exit(1)
anyio.run(main)
"""


def segments(folder):
    """The kinds of the shard's segments: what their sparse vectors are searched in."""
    return sorted(
        "sealed" if '"Mmap"' in file.read_text("utf-8").replace(" ", "") else "open"
        for file in folder.glob("segments/*/segment.json")
    )


def points(numbers, project="billing", **changes):
    """Points of five files, every third of them code, in a few terms."""
    for n in numbers:
        code = n % 3 == 0
        chunk = make_chunk(project, f"f{n % 5}.md", n, corpus="code" if code else "docs", **changes)
        vector = [1.0, n % 7, n % 11, n % 13]
        yield make_point(chunk, {n % 9: 1 + n / 50, 20 + n % 2: 0.5}, **{"code" if code else "docs": vector})


def without_dense(some):
    return [replace(point, dense={}) for point in some]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("edge") / "vectors"
    anyio.run(EdgeVectorStore.create(folder, vectors=VECTORS, namespace="first", sealing=AT_ONCE).close)
    return folder


class SealedBeforeItIsAsked(EdgeVectorStore):
    """A point of two hundred terms, in a project that nobody asks for, makes what was written big enough."""

    async def query_batch(self, queries, *, permission):
        terms = SparseVector(tuple(range(10**6, 10**6 + 200)), (1.0,) * 200)
        await self.upsert([Point(make_chunk("filler", id=str(uuid.uuid4())), terms)])
        return await super().query_batch(queries, permission=permission)


@pytest.mark.slow
class TestSealedEdgeVectorStore(VectorStoreContract):
    @pytest.fixture
    async def store(self, folder):
        store = SealedBeforeItIsAsked.open(folder, namespace=uuid.uuid4().hex, seal_every=1)
        yield store
        await store.close()

    async def test_it_is_sealed(self, store, folder):
        await store.upsert([make_point(make_chunk())])
        assert len(await self.one(store, everything())) == 1
        assert segments(folder).count("sealed") > 0


QUERIES = [
    dense([1, 2, 3, 4], 12),
    dense([1, 2, 3, 4], 400, with_vectors=(DENSE_DOCS, SPARSE_LEXICAL)),
    dense([4, 3, 2, 1], 30, using=DENSE_CODE),
    dense([4, 3, 2, 1], 30, exact=False),
    sparse(1, 20, limit=400),
    sparse(5, limit=3),
    fuse(dense([1, 2, 3, 4]), sparse(20, 4), limit=25),
    everything(400, with_vectors=(DENSE_CODE, SPARSE_LEXICAL)),
    everything(7, conditions=parse_filters({"start_line": {"gte": 40}, "corpus": "docs"})),
    sparse(21, limit=60, conditions=parse_filters({"path": ["f1.md", "f3.md"]})),
]


async def test_a_sealed_shard_says_what_an_unsealed_one_says(tmp_path):
    stores = {
        kind: EdgeVectorStore.create(tmp_path / kind, vectors=VECTORS, namespace="n", sealing=sealing)
        for kind, sealing in (("sealed", Sealing(every=60, least=60, most=200, segments=3)), ("open", NEVER))
    }
    text_first = list(points(range(100, 220)))
    late = text_first[::2] + text_first[1:60:4]

    async def history(store):
        await store.upsert(list(points(range(100))))
        await store.upsert(list(points(range(30), "auth")))
        yield
        await store.upsert(without_dense(text_first))
        yield
        await store.set_dense({point.chunk.id: point.dense for point in late})
        yield
        await store.delete_files("billing", ["f2.md"])
        await store.upsert(list(points(range(0, 80, 3), commit="beef")))
        yield
        await store.delete_project("auth")
        await store.upsert(list(points(range(220, 300))))
        yield
        await store.upsert(list(points(range(300), "auth", text="again")))
        yield

    both = {kind: history(store) for kind, store in stores.items()}
    while True:
        try:
            for steps in both.values():
                await anext(steps)
        except StopAsyncIteration:
            break
        for permission in (BOTH, BILLING):
            ours, expected = [
                (
                    await store.query_batch(QUERIES, permission=permission),
                    await store.count(permission=permission),
                    await store.file_chunks("billing", ["f1.md", "f2.md"], permission=permission),
                )
                for store in stores.values()
            ]
            assert ours[1:] == expected[1:]
            for hits, others in zip(ours[0], expected[0], strict=True):
                assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in others], abs=2e-6)
                assert [replace(hit, score=0.0) for hit in hits] == [replace(hit, score=0.0) for hit in others]
    for store in stores.values():
        await store.close()
    assert segments(tmp_path / "open") == ["open"]
    assert segments(tmp_path / "sealed").count("sealed") > 1


async def test_copies_in_two_segments_have_one_score(tmp_path):
    store = EdgeVectorStore.create(tmp_path / "vectors", vectors=VECTORS, namespace="n", sealing=AT_ONCE)
    weights = [{(7 * n + 11 * k) % 40: 1 + (n * k % 17) / 3 for k in range(20)} for n in range(60)]
    for project in ("billing", "auth", "billing"):  # sealed, sealed again, and the last ten appended
        pairs = list(enumerate(weights))[:: 6 if await store.count(permission=BOTH) == 120 else 1]
        await store.upsert([make_point(make_chunk(project, start=n), terms) for n, terms in pairs])
    assert {"open", "sealed"} == set(segments(tmp_path / "vectors"))
    for query in (sparse(*range(12), limit=200), sparse(*range(39, 20, -2), limit=200)):
        [hits] = await store.query_batch([query], permission=BOTH)
        scores = {(hit.chunk.project, hit.chunk.start_line): hit.score for hit in hits}
        assert len(scores) > 60
        assert all(scores["auth", n] == score for (_, n), score in scores.items())
        assert [hit.chunk.id for hit in hits] == [
            hit.chunk.id for hit in sorted(hits, key=lambda hit: (-hit.score, hit.chunk.id))
        ]
    await store.close()


async def test_small_changes_are_appended_and_sealed_together_once_they_pay(tmp_path):
    folder = tmp_path / "vectors"  # 100 points of four numbers are 1,600 bytes, one kilobyte in the engine's words
    sealing = Sealing(every=200, least=100, most=1000, segments=4)
    store = EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=sealing)
    await store.upsert([make_point(make_chunk(start=n), docs=[1, n, 2, 3]) for n in range(200)])
    await store.close()
    assert segments(folder) == ["open", "sealed"]
    kinds = []
    for run in range(4):
        store = EdgeVectorStore.open(folder, namespace="n")
        await store.upsert([make_point(make_chunk(start=1000 * run + n), docs=[1, n, 2, 3]) for n in range(500, 525)])
        await store.close()
        kinds.append(segments(folder).count("sealed"))
    assert kinds == [1, 1, 2, 2]  # 64 points make the kilobyte: the third run brings the 75th


@pytest.mark.slow
async def test_many_changes_do_not_pile_up_segments(tmp_path):
    folder = tmp_path / "vectors"
    sealing = Sealing(every=50, least=50, most=400, segments=3)
    await EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=sealing).close()
    for run in range(6):
        store = EdgeVectorStore.open(folder, namespace="n")
        await store.delete_files("billing", [f"f{run % 5}.md"])
        await store.upsert(list(points(range(40 * run, 40 * run + 100))))
        await store.close()
        assert len(segments(folder)) <= 3
    store = EdgeVectorStore.open(folder, namespace="n")
    wanted = await store.count(permission=BILLING)
    [listed] = await store.query_batch([everything(10**4)], permission=BILLING)
    assert len({hit.chunk.id for hit in listed}) == wanted == len(listed)
    await store.close()


def on_disk(free):
    """So many bytes are free, on a file system that is not in memory."""
    return Room(lambda _: free, lambda _: False)


async def test_without_room_for_it_nothing_is_sealed_and_a_later_run_does_it(tmp_path):
    folder = tmp_path / "vectors"
    await EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=AT_ONCE).close()
    enough = 32 * 2**20 + 100 * 16 * 2**10  # to write 100 points of 16 KB each beside the reserve
    (folder / "segments" / "more").write_bytes(b"." * 100 * 16 * 2**10)  # what sealing may write anew is more
    tight = EdgeVectorStore.open(folder, namespace="n", room=on_disk(enough), seal_every=1)
    await tight.upsert(list(points(range(100))))
    await tight.close()
    assert segments(folder) == ["open"]
    full = EdgeVectorStore.open(folder, namespace="n", room=on_disk(enough - 1))
    with pytest.raises(StorageFullError):
        await full.upsert(list(points(range(100))))
    await full.close()
    roomy = EdgeVectorStore.open(folder, namespace="n")
    await roomy.upsert(list(points(range(1))))
    await roomy.close()
    assert segments(folder) == ["open", "sealed"]


async def test_who_only_reads_seals_nothing(tmp_path):
    folder = tmp_path / "vectors"
    tight = EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=replace(AT_ONCE, every=10**6))
    await tight.upsert(list(points(range(100))))
    await tight.flush()
    reader = EdgeVectorStore.open(folder, namespace="n")
    assert await reader.count(permission=BILLING) == 100
    await reader.close()
    assert segments(folder) == ["open"]
    await tight.close()
    assert segments(folder) == ["open", "sealed"]


async def test_a_shard_that_was_made_before_takes_updates(tmp_path):
    folder = tmp_path / "vectors"
    folder.mkdir()
    dense_config = {name: edge.EdgeVectorParams(size=4, distance=edge.Distance.Cosine) for name in VECTORS}
    config = edge.EdgeConfig(
        vectors=dense_config,
        sparse_vectors={SPARSE_LEXICAL: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
        hnsw_config=edge.HnswIndexConfig(m=16, ef_construct=100, full_scan_threshold=40_000),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=10**9),
        wal_enabled=False,
    )
    shard = edge.EdgeShard.create(str(folder), config)
    for key in INDEXED_KEYS:
        shard.update(edge.UpdateOperation.create_field_index(key, edge.KeywordIndexParams()))
    shard.close()
    store = EdgeVectorStore.open(folder, namespace="n", seal_every=100)
    await store.upsert(without_dense(points(range(1500))))
    await store.close()
    store = EdgeVectorStore.open(folder, namespace="n")
    await store.set_dense({point.chunk.id: point.dense for point in points(range(1500))})
    await store.delete_files("billing", ["f0.md"])
    await store.close()
    store = EdgeVectorStore.open(folder, namespace="n")
    fresh = EdgeVectorStore.create(tmp_path / "fresh", vectors=VECTORS, namespace="n")
    await fresh.upsert([point for point in points(range(1500)) if point.chunk.path != "f0.md"])
    answers = [await each.query_batch(QUERIES[:6], permission=BILLING) for each in (store, fresh)]
    assert answers[0] == answers[1]
    assert await store.count(permission=BILLING) == 1200
    for each in (store, fresh):
        await each.close()


async def test_readers_in_other_processes_and_a_copy_for_the_next_writer(tmp_path):
    folder, following = tmp_path / "vectors", tmp_path / "following"
    store = EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=AT_ONCE)
    await store.upsert(list(points(range(100))))
    await store.close()
    assert "sealed" in segments(folder)
    query = VectorQuery(DENSE_DOCS, [1, 2, 3, 4], 5)
    here = EdgeVectorStore.open(folder, namespace="n")
    [before] = await here.query_batch([query], permission=BILLING)
    expected = " ".join(hit.chunk.id for hit in before)
    async with await anyio.open_process([sys.executable, "-c", READER, str(folder)], stderr=None) as other:
        printed = BufferedByteReceiveStream(other.stdout)
        await other.stdin.send(b"\n")
        assert (await printed.receive_until(b"\n", 1000)).decode() == expected
        copy_tree(folder, following)
        writer = EdgeVectorStore.open(following, namespace="n", seal_every=1)
        await writer.delete_files("billing", [before[0].chunk.path])
        await writer.upsert(list(points(range(100, 200))))
        await writer.close()
        await other.stdin.send(b"\n")
        assert (await printed.receive_until(b"\n", 1000)).decode() == expected
        await here.close()
        await other.stdin.aclose()
    assert other.returncode == 0
    again = EdgeVectorStore.open(folder, namespace="n")
    assert (await again.query_batch([query], permission=BILLING)) == [before]
    await again.close()


async def test_what_was_sealed_outlives_a_writer_that_was_killed(tmp_path):
    folder = tmp_path / "vectors"
    await EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=AT_ONCE).close()
    killed = await anyio.run_process([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert killed.returncode == 1
    store = EdgeVectorStore.open(folder, namespace="n")
    assert await store.count(permission=BILLING) == 100
    await store.close()


async def test_an_engine_that_refuses_is_let_go_of(tmp_path):
    folder = tmp_path / "vectors"
    store = EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=AT_ONCE)
    with pytest.raises(StoreError, match="could not write"):
        await store.set_dense({str(uuid.uuid4()): {DENSE_DOCS: [1.0, 0.0, 0.0, 0.0]}})
    await store.upsert([make_point(make_chunk(), {KEY: 1.0, UUID: 1.0})])
    await store.close()
    again = EdgeVectorStore.open(folder, namespace="n")
    assert await again.count(permission=BILLING) == 1
    await again.close()


def test_sizes_are_told_in_kilobytes_of_the_widest_vector():
    config = Sealing(least=1500, most=12_000, segments=5).optimizers(384)
    assert config.indexing_threshold == 2250  # 1,500 · 384 numbers · 4 bytes / 1,024
    assert (config.max_segment_size, config.default_segment_number) == (18_000, 5)
    assert Sealing(least=1).optimizers(4).indexing_threshold == 1  # 0 would be never
