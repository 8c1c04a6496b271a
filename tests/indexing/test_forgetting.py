"""What was removed is nowhere in the data folder: not in the engines' files, not in the cache, not in what we write."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace

import pytest

from indexing import IndexRequest
from indexing.stored import turned_secret
from memory.generation import DataFolder, FileRecord, ProjectRecord, SkippedFile
from tests.organisation import CONFIG, differences, exported, index, indexer, points, recorded, write

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
