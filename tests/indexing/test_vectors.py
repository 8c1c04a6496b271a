"""The vector store of a generation in the making."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace

import pytest

from indexing import IndexRequest
from indexing.vectors import by_chunks, project_files, stored_chunks, stored_points, turned_secret
from memory.generation import DataFolder, FileRecord, ProjectRecord, SkippedFile
from memory.vector import DENSE_CODE, DENSE_DOCS, FakeVectorStore, Point, SparseVector
from tests.agents.library import chunk
from tests.organisation import (
    CONFIG,
    FiledStores,
    FiledVectors,
    differences,
    exported,
    index,
    indexer,
    points,
    recorded,
    write,
)

TEXT_FIRST = replace(CONFIG, indexing=replace(CONFIG.indexing, publish_text_first_above=2, workers=0))


class Watched(FiledVectors):
    """A store that tells the others that it is open, and keeps in mind who else was when it was written to."""

    def __init__(self, path, stores):
        super().__init__(path)
        self.stores = stores
        stores.open.append(self)

    async def upsert(self, points):
        self.stores.beside.append(len(self.stores.open) - 1)
        await super().upsert(points)

    async def close(self):
        self.stores.open.remove(self)
        await super().close()


class WatchedStores(FiledStores):
    def __init__(self):
        self.open, self.beside = [], []

    def open_vectors(self, path, vectors, namespace, *, copied):
        return Watched(path, self)


async def test_what_waits_for_vectors_is_read_and_let_go_of_before_it_is_written_anew(tmp_path):
    """An engine keeps what it read mapped until it is closed, and sealing is when memory is at its peak (0033)."""
    stores = WatchedStores()
    org = write(tmp_path / "org")
    report = await indexer(tmp_path / "data", TEXT_FIRST, stores=stores, embed_at_once=2).run(
        IndexRequest([org], each=True), holder="x"
    )
    assert report.embedded == 1
    assert set(stores.beside) == {0}
    assert stores.open == []
    assert len(stores.beside) == 2 + 3  # two projects' text, then all of it with vectors in three lots


TERMS, NO_TERMS = SparseVector((3, 7), (1.0, 0.5)), SparseVector((), ())
POINTS = [
    Point(chunk("auth", "a.py", 1, "code", "one", "One"), NO_TERMS, {DENSE_CODE: [1.0, 0.0]}),
    Point(chunk("billing", "a.py", 1, "code", "two", "Two"), TERMS, {DENSE_CODE: [0.0, 1.0]}),
    Point(chunk("billing", "b.md", 1, "docs", "three", ""), TERMS, {}, {"pictures": ["x.png"]}),
    Point(chunk("billing", "b.md", 3, "docs", "four", ""), TERMS, {DENSE_DOCS: [1.0, 0.0]}),
    Point(chunk("stock", "a.py", 1, "code", "five", "Five"), TERMS),
]
WORD = "quixotropolis"
PLANTED = {
    "shipyard": {
        f"{WORD}.py": f'class {WORD.title()}:\n    """Builds {WORD} hulls."""\n\n    {WORD.upper()}_URL = "http://{WORD}:80"\n',
        "README.md": f"# {WORD}\n\nThe {WORD} yard, see `{WORD.title()}`.\n",
        "schema.sql": f"CREATE TABLE {WORD} ({WORD}_id INT PRIMARY KEY);\n",
        "docker-compose.yaml": f"services:\n  {WORD}:\n    image: {WORD}:1\n",
        "pyproject.toml": f'[project]\nname = "{WORD}"\nversion = "1"\n',
    }
}


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


@pytest.fixture
def org(tmp_path):
    return write(write(tmp_path / "org"), PLANTED)


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


def found(data, *words):
    """The files in which one of these words stands, or of that name; an engine's files are mostly holes."""
    files = [path for path in data.rglob("*") if path.is_file()]
    texts = {path: written(path).lower() + path.name.lower().encode() for path in files}
    return [path for path, text in texts.items() if any(word.lower().encode() in text for word in words)]


def written(path):
    """A file's bytes, without its holes."""
    with path.open("rb") as file:
        end, parts = 0, []
        while True:
            try:
                start = os.lseek(file.fileno(), end, os.SEEK_DATA)
            except OSError:  # nothing but a hole from here to the end
                return b"".join(parts)
            end = os.lseek(file.fileno(), start, os.SEEK_HOLE)
            parts.append(os.pread(file.fileno(), end - start, start))


def cached(data):
    with sqlite3.connect(DataFolder.open(data).cache_path) as connection:
        return connection.execute("SELECT count(*) FROM embeddings").fetchone()[0]


async def remove(data, org, how):
    if how == "by name":
        return await index(data, remove=["shipyard"])
    for file in sorted((org / "shipyard").iterdir()):
        file.unlink()
    (org / "shipyard").rmdir()
    return await index(data, org, each=True)


@pytest.mark.parametrize("how", ["by name", "its folder is gone"])
async def test_nothing_of_a_removed_project_is_left(org, data, tmp_path, how):
    await index(data, org, each=True)
    assert len({path.name for path in found(data, WORD)}) == 4  # facts and statements, the manifest, a page of chunks
    await remove(data, org, how)
    assert found(data, WORD) == []
    assert found(data, "shipyard") == []
    fresh = tmp_path / "fresh"
    for name in PLANTED["shipyard"]:
        (org / "shipyard" / name).unlink(missing_ok=True)
    if (org / "shipyard").exists():
        (org / "shipyard").rmdir()
    await index(fresh, org, each=True)
    assert recorded(data) == recorded(fresh)
    assert differences(await points(data), await points(fresh)) == []
    assert await exported(data) == await exported(fresh)
    assert cached(data) == cached(fresh)


async def test_nor_of_what_it_said_before(org, data):
    await index(data, org, each=True)
    for file in (org / "shipyard").iterdir():
        file.write_text("".join(reversed(file.read_text())))
    await index(data, org, each=True)
    before = cached(data)
    await index(data, remove=["shipyard"])
    assert cached(data) < before / 2
    assert found(data, WORD) == []


async def test_a_file_that_became_a_secret_is_not_left_either(org, data):
    await index(data, org, each=True)
    (org / "harbour/berths.yaml").write_text("kind: Berth\nname: grimblewick\n")
    await index(data, org, each=True)
    assert found(data, "grimblewick")
    (org / "harbour/berths.yaml").write_text("kind: Secret\ndata:\n  token: Z3JpbWJsZXdpY2s\n")
    report = await index(data, org, each=True)
    assert [row["reason"] for row in report.to_dict(0)["skipped"]] == ["secret"]
    assert found(data, "grimblewick") == []


async def test_many_files_are_copied_in_pages(tmp_path, data):
    org = write(tmp_path / "org", {"many": {f"{n}.md": f"# Page {n}\n" for n in range(520)}, "gone": {"a.md": "# A\n"}})
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, workers=0, publish_text_first_above=10_000))
    await indexer(data, config).run(IndexRequest([org], each=True), holder="x")
    before = [point for point in await points(data) if point["chunk"].project == "many"]
    await indexer(data, config).run(IndexRequest(remove=["gone"]), holder="x")
    assert differences(await points(data), before) == []
    assert len(before) == 520


def test_a_secret_that_was_never_indexed_needs_no_forgetting():
    now = ProjectRecord("a", "/a", skipped=(SkippedFile(".env", "secret"), SkippedFile("b.bin", "binary")))
    before = ProjectRecord("a", "/a", files=(FileRecord("b.bin", "h", 1, 1),))
    assert not turned_secret(None, now)
    assert not turned_secret(before, now)
    assert turned_secret(replace(before, files=(FileRecord(".env", "h", 1, 1),)), now)
