from __future__ import annotations

import pytest

from indexing.stored import by_chunks, project_files, stored_chunks, stored_points
from memory.generation import FileRecord, ProjectRecord
from memory.vector import DENSE_CODE, DENSE_DOCS, FakeVectorStore, Point, SparseVector
from tests.agents.library import chunk

TERMS, NO_TERMS = SparseVector((3, 7), (1.0, 0.5)), SparseVector((), ())
POINTS = [
    Point(chunk("auth", "a.py", 1, "code", "one", "One"), NO_TERMS, {DENSE_CODE: [1.0, 0.0]}),
    Point(chunk("billing", "a.py", 1, "code", "two", "Two"), TERMS, {DENSE_CODE: [0.0, 1.0]}),
    Point(chunk("billing", "b.md", 1, "docs", "three", ""), TERMS, {}, {"pictures": ["x.png"]}),
    Point(chunk("billing", "b.md", 3, "docs", "four", ""), TERMS, {DENSE_DOCS: [1.0, 0.0]}),
    Point(chunk("stock", "a.py", 1, "code", "five", "Five"), TERMS),
]


def record(name, **files):
    return ProjectRecord(name, name, files=tuple(FileRecord(path, "", 0, 0, chunks=n) for path, n in files.items()))


AUTH, BILLING = record("auth", **{"a.py": 1}), record("billing", **{"a.py": 1, "b.md": 2})


@pytest.fixture
async def store():
    store = FakeVectorStore()
    await store.upsert(POINTS)
    return store


def by_id(points):
    return {point.chunk.id: point for point in points}


async def test_the_points_of_files_with_all_that_they_have(store):
    files = project_files([AUTH, BILLING])
    [auth, billing] = [page async for page in stored_points(store, files, (DENSE_CODE, DENSE_DOCS))]
    assert by_id(auth) == by_id(POINTS[:1])
    assert by_id(billing) == by_id(POINTS[1:4])


async def test_only_the_vectors_and_files_that_were_asked_for(store):
    [[found]] = [page async for page in stored_points(store, [("billing", BILLING.files[0])], ())]
    assert found == Point(POINTS[1].chunk, TERMS)


async def test_a_large_file_comes_whole_and_ends_its_page():
    store = FakeVectorStore()
    lines = [Point(chunk("p", "long.py", line, "code", f"{line}", ""), TERMS) for line in range(700)]
    await store.upsert([*lines, Point(chunk("p", "next.py", 1, "code", "next", ""), TERMS)])
    files = project_files([record("p", **{"long.py": 700, "next.py": 1})])
    assert [len(page) async for page in stored_points(store, files, ())] == [700, 1]


async def test_the_chunks_of_files(store):
    files = list(project_files([AUTH, BILLING]))
    assert {one.text for one in await stored_chunks(store, files)} == {"one", "two", "three", "four"}
    assert [one.text for one in await stored_chunks(store, files[:1])] == ["one"]


def test_files_with_so_many_chunks_together_whatever_their_projects():
    sizes = [[file.chunks for _, file in some] for some in by_chunks(project_files([AUTH, BILLING]), 2)]
    assert sizes == [[1, 1], [2]]
