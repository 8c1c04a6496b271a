"""What is stored of projects is its owner's alone: the data folder, every file in it, the cache; also one made before."""

from __future__ import annotations

import os
import stat

import pytest

from indexing import IndexRequest
from memory.generation import Disk
from tests.organisation import ask, indexer, write


@pytest.fixture(autouse=True)
def usual_mask():
    """What most systems give a new file: everybody may read it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def others_may(data):
    """What somebody else has a right to."""
    everything = [data, *data.rglob("*")]
    return [path for path in everything if stat.S_IMODE(path.lstat().st_mode) & 0o077]


async def renew(data, org):
    await indexer(data, disk=Disk()).run(IndexRequest([org], each=True), holder="a test")


async def test_nobody_else_reads_an_index(tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    await renew(data, org)
    assert others_may(data) == []
    await ask(data, "Who gives ships their berth?")
    assert others_may(data) == [], "asking writes too"
    assert (data / "cache/embeddings.sqlite").stat().st_size > 0
    (org / "harbour/README.md").write_text("# harbour\n\nShips come and go.\n")
    await renew(data, org)
    assert others_may(data) == []


async def test_an_index_that_others_could_read_is_closed_when_it_is_written_next(tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    await renew(data, org)
    for path in [data, *data.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    await renew(data, org)
    assert others_may(data) == []


async def test_an_empty_folder_that_was_there_before_is_closed_too(tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    data.mkdir(mode=0o755)
    await renew(data, org)
    assert others_may(data) == []
