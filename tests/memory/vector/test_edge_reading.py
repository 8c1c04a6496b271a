"""Reading writes nothing that is needed: a full disk and one that may not be written to are read all the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from memory.copying import copy_tree
from memory.errors import DataFolderError, InvalidInputError, StorageFullError, StoreError
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, EdgeVectorStore, VectorQuery
from memory.vector.edge_files import Room
from memory.vector.edge_reading import load_to_read, translated
from memory.vector.edge_sealing import Sealing
from tests.contracts.vector_store import make_chunk, make_point
from tests.small_disk import fill, make_read_only, small_disk

pytestmark = pytest.mark.slow

FOLDER = Path("data/vectors")


@pytest.mark.parametrize(
    ("doing", "raised", "expected", "words"),
    [
        ("open", Exception("failed to open: Permission denied (os error 13)"), DataFolderError, "write permission"),
        ("open", OSError(30, "Read-only file system"), DataFolderError, "write permission"),
        ("write", Exception("No space left on device (os error 28)"), StorageFullError, "No room"),
        ("create", Exception("failed to set length: File too large (os error 27)"), StorageFullError, "No room"),
        ("create", Exception("path already contains segment data"), DataFolderError, "already"),
        ("open", Exception("Service runtime error: nonsense"), StoreError, "nonsense"),
        ("open", Exception("failed to build a thread pool (os error 11)"), StoreError, "could not open"),
        ("open", Exception("Out of memory: Cannot allocate memory (os error 12)"), StoreError, "could not open"),
        ("search", Exception("Not existing vector name error: nope"), StoreError, "could not search"),
        ("write", ValueError("failed to parse x as UUID"), StoreError, "as UUID"),
    ],
)
def test_the_engine_s_words_become_our_errors(doing, raised, expected, words):
    with pytest.raises(expected, match=words) as caught, translated(FOLDER, doing):
        raise raised
    assert str(FOLDER) in caught.value.message
    assert caught.value.hint
    assert caught.value.__cause__ is raised


@pytest.mark.parametrize("raised", [TypeError("ours"), InvalidInputError("ours")])
def test_what_is_no_answer_of_the_engine_goes_on_as_it_is(raised):
    with pytest.raises(type(raised), match="ours"), translated(FOLDER, "open"):
        raise raised


MB = 2**20
EVERYBODY = frozenset({"billing"})
READER = """
import sys, anyio
from memory.vector import EdgeVectorStore
async def main():
    store = EdgeVectorStore.read(sys.argv[1], namespace="n")
    print(await store.count(permission=frozenset({"billing"})))
    await store.close()
anyio.run(main)
"""

WRITER = """
import sys
from memory.errors import StorageFullError
from memory.vector import EdgeVectorStore
for way in (EdgeVectorStore.open, lambda path, namespace: EdgeVectorStore.create(path + "/new", vectors={"v": 4}, namespace="n")):
    try:
        way(sys.argv[1], namespace="n")
    except StorageFullError as error:
        print(error.code)
"""


@pytest.fixture(scope="module")
def shard(tmp_path_factory):
    """One sealed segment and one that is appended to."""
    folder = tmp_path_factory.mktemp("reading") / "vectors"
    sealing = Sealing(every=60, least=1, most=400, segments=8)
    anyio.run(
        filled, EdgeVectorStore.create(folder, vectors={DENSE_DOCS: 4, DENSE_CODE: 4}, namespace="n", sealing=sealing)
    )
    return folder


async def filled(store):
    points = [make_point(make_chunk(start=n), {n % 9: 1.0}, docs=[1, n, n % 5, 2]) for n in range(1, 91)]
    await store.upsert(points[:60])
    await store.upsert(points[60:])
    await store.close()


async def answers(store):
    queries = [
        VectorQuery(DENSE_DOCS, [1, 2, 3, 4], 40),
        VectorQuery(SPARSE_LEXICAL, make_point(make_chunk(), {3: 1.0}).sparse, 40),
        VectorQuery("", None, 500, (), (DENSE_DOCS, SPARSE_LEXICAL)),
    ]
    found = await store.query_batch(queries, permission=EVERYBODY)
    await store.close()
    return found


def states(folder):
    return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.rglob("*")}


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_through(place, shard, room):
    return EdgeVectorStore(load_to_read(shard, room, [place]), "n")


FULL = Room(lambda path: 0 if path.name == "vectors" else 1000 * MB, lambda path: path.name == "vectors")


async def test_reading_changes_nothing(shard, tmp_path):
    before = contents(shard)
    store = EdgeVectorStore(load_to_read(shard, Room(), [tmp_path]), "n")
    assert list(tmp_path.iterdir()) == []  # the links have no name any more
    assert sum(map(len, await answers(store))) > 90
    assert contents(shard) == before


async def test_a_payload_index_that_cannot_be_read_is_made_anew_elsewhere(shard, tmp_path):
    copied = tmp_path / "vectors"
    copy_tree(shard, copied)
    for one in copied.glob("segments/*/payload_index/*-map/deleted.bin"):
        one.write_bytes(b"")
    before = contents(copied)
    (tmp_path / "place").mkdir()
    store = EdgeVectorStore(load_to_read(copied, Room(), [tmp_path / "place"]), "n")
    assert await answers(store) == await answers(EdgeVectorStore.read(shard, namespace="n"))
    assert contents(copied) == before


async def test_without_a_place_for_links_it_is_read_where_it_is(shard, tmp_path):
    (tmp_path / "file").touch()
    roomy = Room(lambda _: 1000 * MB, lambda _: False)
    for places in ([], [tmp_path / "file"]):
        store = EdgeVectorStore(load_to_read(shard, roomy, places), "n")
        assert sum(map(len, await answers(store))) > 90


async def test_a_full_disk_in_memory_is_read_from_a_copy_and_not_touched(shard, tmp_path):
    before = await answers(EdgeVectorStore.read(shard, namespace="n"))
    there = states(shard)
    copy = read_through(tmp_path, shard, FULL)
    assert list(tmp_path.iterdir()) == []  # it has no name any more
    assert await answers(copy) == before
    assert states(shard) == there
    assert sum(map(len, before)) > 90


async def test_where_no_copy_fits_it_says_what_would_help(shard, tmp_path):
    with pytest.raises(StoreError, match=r"fits nowhere: .*TMPDIR"):
        read_through(tmp_path, shard, Room(lambda _: 0, lambda _: True))
    with pytest.raises(StoreError, match="no place"):
        load_to_read(shard, FULL, [])


async def test_what_is_opened_to_be_read_is_not_written_to(shard):
    store = EdgeVectorStore.read(shard, namespace="n")
    for write in (store.upsert([make_point(make_chunk())]), store.delete_project("billing")):
        with pytest.raises(StoreError, match="opened to be read"):
            await write
    await store.close()


def python(program, *arguments):
    """In a process of its own, which the system ends where there is no room under a mapped page."""
    return subprocess.run(  # noqa: S603 - a program of this test
        [sys.executable, "-c", program, *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_on_a_full_disk_readers_answer_and_writers_are_told(shard, tmp_path):
    with small_disk(tmp_path / "small", 8) as small:
        copied = small / "vectors"
        copy_tree(shard, copied)
        fill(small)
        done = python(READER, copied)
        assert (done.returncode, done.stdout) == (0, "90\n"), done.stderr
        done = python(WRITER, copied)
        assert (done.returncode, done.stdout.split()) == (0, ["disk_full", "disk_full"]), done.stderr
        make_read_only(small)
        done = python(READER, copied)
        assert (done.returncode, done.stdout) == (0, "90\n"), done.stderr


def test_a_folder_without_write_permission_is_read(shard, reachable, nobody):
    copied = reachable / "vectors"
    copy_tree(shard, copied)
    for path in (copied, *copied.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    with nobody:
        store = EdgeVectorStore.read(copied, namespace="n")
        anyio.run(answers, store)
