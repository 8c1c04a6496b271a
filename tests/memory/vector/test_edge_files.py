"""Room on the disk, and what mapping files takes of a file system in memory."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from memory.copying import copy_tree
from memory.errors import StorageFullError
from memory.generation.inventory import Inventory
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, EdgeVectorStore, VectorQuery
from memory.vector.edge_files import (
    Room,
    bytes_on_disk,
    bytes_to_map,
    fixed_files,
    free_bytes,
    is_in_memory,
    is_rewritten,
)
from memory.vector.edge_sealing import Sealing
from tests.contracts.vector_store import make_chunk, make_point

pytestmark = pytest.mark.slow

MB = 2**20
SHARED = Path("/dev/shm")  # noqa: S108 - nothing is made there


def sparse(path, size, data=b""):
    with path.open("wb") as file:
        file.write(data)
        file.truncate(size)
    return path


def room(free, in_memory):
    return Room(lambda _: free, lambda _: in_memory)


def test_what_is_free_where_a_folder_will_be(tmp_path):
    assert free_bytes(tmp_path / "not/yet/there") > 0


@pytest.mark.skipif(not SHARED.is_dir(), reason="no file system in memory here")
def test_a_file_system_in_memory_is_known():
    assert is_in_memory(SHARED / "not/yet/there")
    assert not is_in_memory(Path("/proc"))


def test_small_files_are_mapped_whole_and_what_they_hold_takes_room_already(tmp_path):
    sparse(tmp_path / "small", 4 * MB)
    sparse(tmp_path / "large", 33 * MB)
    sparse(tmp_path / "written", MB, b"." * MB)
    assert bytes_to_map(tmp_path) == 4 * MB
    assert MB <= bytes_on_disk(tmp_path) < 2 * MB


def test_in_memory_what_is_mapped_counts(tmp_path):
    sparse(tmp_path / "small", 4 * MB)
    for in_memory, wanted in ((False, 10 * MB), (True, 86 * MB)):
        room(wanted, in_memory).check(tmp_path, 10 * MB, segments=1)
        with pytest.raises(StorageFullError, match=f"up to {wanted // MB} MB may be needed"):
            room(wanted - 1, in_memory).check(tmp_path, 10 * MB, segments=1)


SEALING = Sealing(every=60, least=1, most=400, segments=8)
VECTORS = {DENSE_DOCS: 4, DENSE_CODE: 4}
EVERYBODY = frozenset({"auth", "billing"})


def points(numbers, project="billing", **changes):
    for n in numbers:
        chunk = make_chunk(project, f"f{n % 5}.md", n, **changes)
        yield make_point(chunk, {n % 9: 1 + n / 50, 20 + n % 2: 0.5}, docs=[1.0, n % 7, n % 11, n % 13])


async def made(folder):
    store = EdgeVectorStore.create(folder, vectors=VECTORS, namespace="n", sealing=SEALING)
    await store.upsert(list(points(range(1, 121))))
    await store.upsert(list(points(range(1, 61), "auth")))
    await store.upsert([replace(point, dense={}) for point in points(range(200, 210))])
    await store.close()


async def changed(folder):
    """Everything that a run may do to what is there, and what seals and empties segments."""
    store = EdgeVectorStore.open(folder, namespace="n", seal_every=40)
    await store.upsert(list(points(range(3, 50, 5), text="another text")))
    await store.set_dense(
        {point.chunk.id: {DENSE_DOCS: [1, 0, 0, n]} for n, point in enumerate(points(range(200, 210)))}
    )
    await store.delete_files("billing", ["f1.md", "f2.md"])
    await store.delete_project("auth")
    await store.upsert(list(points(range(300, 420))))
    await store.close()


async def answers(folder):
    store = EdgeVectorStore.open(folder, namespace="n")
    asked = [
        VectorQuery("", None, 500, (), (DENSE_DOCS, SPARSE_LEXICAL)),
        VectorQuery(DENSE_DOCS, [1, 2, 3, 4], 40),
        VectorQuery(SPARSE_LEXICAL, make_point(make_chunk(), {3: 1.0, 20: 1.0}).sparse, 40),
    ]
    found = await store.query_batch(asked, permission=EVERYBODY)
    await store.close()
    return found


def contents(files):
    return {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


async def test_a_shard_and_its_copy_share_them_and_a_change_of_one_leaves_the_other_as_it_was(tmp_path):
    first, linked, copied = (tmp_path / name for name in ("first", "linked", "copied"))
    await made(first)
    fixed = fixed_files(first)
    names = {"matrix.dat", "page_0.dat", "inverted_index.dat", "point_to_values.bin", "values_to_points.bin"}
    assert {file.name for file in fixed} == names
    copy_tree(first, linked, fixed)
    copy_tree(first, copied)
    assert {file.stat().st_nlink for file in fixed} == {2}
    before, said = contents(fixed), await answers(first)
    await changed(linked)
    await changed(copied)
    assert contents(fixed) == before
    assert await answers(first) == said
    assert await answers(linked) == await answers(copied) != said


async def test_once_it_is_closed_no_load_changes_what_a_file_says(tmp_path):
    folder = tmp_path / "shard"
    for write in (made, changed):
        await write(folder)
        written = Inventory.of(folder)
        for _ in range(3):
            for way in (EdgeVectorStore.open, EdgeVectorStore.read):
                await way(folder, namespace="n").close()
        assert Inventory.of(folder) == written
        assert any(is_rewritten(path) for path in written.files)


async def test_what_is_still_appended_to_is_not_fixed(tmp_path):
    store = EdgeVectorStore.create(tmp_path / "open", vectors=VECTORS, namespace="n")
    await store.upsert(list(points(range(1, 20))))
    await store.close()
    assert fixed_files(tmp_path / "open") == frozenset()
    assert fixed_files(tmp_path / "nothing") == frozenset()
