from __future__ import annotations

import errno
import json
import os
import shutil

import pytest

from memory.disk import explained
from memory.errors import DamagedIndexError, DataFolderError, StorageFullError
from memory.generation import DataFolder, FullDisk, Manifest

NEXT = Manifest("n", "embedded", "mini", 384)


def publish(folder, manifest=NEXT):
    with folder.indexing("index .") as session:
        return session.publish(session.stage(), manifest)


@pytest.fixture
def nobody():
    """Somebody who may not write where we say so; the administrator may everywhere."""
    if os.geteuid() == 0:
        os.seteuid(65534)
        yield
        os.seteuid(0)
    else:
        yield


@pytest.fixture
def sealed(reachable):
    """A folder that may be looked at and not written to, by anybody who can come to it."""
    (reachable / "sealed").mkdir()
    return reachable / "sealed"


def test_the_first_file_in_a_new_folder_is_the_marker(tmp_path):
    folder = DataFolder.open_or_create(tmp_path / "new" / "data")
    assert [p.name for p in folder.root.iterdir()] == ["hybrid-retrieval.json"]
    assert DataFolder.open(folder.root).namespace == folder.namespace
    assert DataFolder.open_or_create(folder.root).namespace == folder.namespace
    assert folder.cache_path == folder.root / "cache" / "embeddings.sqlite"


def test_two_folders_have_two_namespaces(tmp_path):
    assert DataFolder.open_or_create(tmp_path / "a").namespace != DataFolder.open_or_create(tmp_path / "b").namespace


def test_an_unfinished_marker_does_not_count(tmp_path):
    (tmp_path / ".hybrid-retrieval.json.123").write_text("{")
    assert DataFolder.open_or_create(tmp_path).namespace


def test_the_cache_of_another_folder_may_be_there_already(tmp_path):
    folder = DataFolder.open_or_create(tmp_path / "old")
    folder.cache_path.parent.mkdir()
    for name in ("embeddings.sqlite", "embeddings.sqlite-wal"):
        folder.cache_path.with_name(name).write_bytes(b"vectors")
    shutil.copytree(folder.cache_path.parent, tmp_path / "new/cache")
    assert DataFolder.open_or_create(tmp_path / "new").cache_path.read_bytes() == b"vectors"
    (tmp_path / "other/cache").mkdir(parents=True)
    (tmp_path / "other/cache/holiday.jpg").touch()
    with pytest.raises(DataFolderError, match="not a data folder"):
        DataFolder.open_or_create(tmp_path / "other")


def test_nothing_is_written_into_a_folder_that_is_not_ours(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    for way in (DataFolder.open, DataFolder.open_or_create):
        with pytest.raises(DataFolderError, match=r"not a data folder.*--data-dir"):
            way(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "file").write_text("x")
    for way in (DataFolder.open, DataFolder.open_or_create):
        with pytest.raises(DataFolderError, match="not a data folder"):
            way(tmp_path / "file")


def test_no_index_yet_says_what_to_do(tmp_path):
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(DataFolderError, match="hybrid-retrieval index PATH"):
            DataFolder.open(path)
    folder = DataFolder.open_or_create(tmp_path)
    with pytest.raises(DataFolderError, match="hybrid-retrieval index PATH"):
        folder.reading()
    folder.check("any", 1)


@pytest.mark.parametrize("text", [b"", b"[]", b"{}", b'{"schema_version": 1}', b"\xff" * 5000])
def test_a_damaged_marker_is_said(tmp_path, text):
    (tmp_path / "hybrid-retrieval.json").write_bytes(text)
    with pytest.raises(DamagedIndexError, match=r"hybrid-retrieval.json can't be read\. "):
        DataFolder.open(tmp_path)


def test_the_number_follows_what_is_published(tmp_path):
    folder = DataFolder.open_or_create(tmp_path)
    with pytest.raises(DataFolderError, match="no index"):
        _ = folder.pointer
    assert [(publish(folder), folder.pointer.number) for _ in range(2)] == [(1, 1), (2, 2)]


def test_a_folder_made_anew_has_another_generation_of_the_same_number(tmp_path):
    pointers = []
    for name in ("one", "other"):
        folder = DataFolder.open_or_create(tmp_path / name)
        publish(folder, Manifest(folder.namespace, "p", "mini", 384))
        pointers.append(folder.pointer)
    assert [pointer.number for pointer in pointers] == [1, 1]
    assert pointers[0] != pointers[1]


def test_a_newer_folder_is_refused(tmp_path):
    (tmp_path / "hybrid-retrieval.json").write_text(json.dumps({"schema_version": 2, "namespace": "n"}))
    with pytest.raises(DataFolderError, match="Update"):
        DataFolder.open_or_create(tmp_path)


def test_a_newer_generation_is_refused_and_gives_back_its_locks(tmp_path):
    folder = DataFolder.open_or_create(tmp_path)
    publish(folder, Manifest("n", "p", "mini", 384, schema_version=2))
    for _ in range(2):
        with pytest.raises(DataFolderError, match="Update"):
            folder.reading()
        with pytest.raises(DataFolderError, match="Update"):
            folder.indexing("index .")


def test_another_model_is_refused(tmp_path):
    folder = DataFolder.open_or_create(tmp_path)
    publish(folder)
    folder.check("mini", 384)
    with pytest.raises(DataFolderError, match=r"mini.*large"):
        folder.check("large", 1024)


@pytest.mark.parametrize(
    ("text", "said"), [("x", "does not name a generation"), ("7 00000000\n", "names generation 7, which is not there")]
)
def test_a_damaged_current_is_said(tmp_path, text, said):
    folder = DataFolder.open_or_create(tmp_path)
    publish(folder)
    (tmp_path / "CURRENT").write_text(text)
    with pytest.raises(DamagedIndexError, match=said):
        folder.reading()


def test_a_place_that_may_not_be_written_to(sealed, nobody):
    sealed_mode = sealed.stat().st_mode
    assert not sealed_mode & 0o002
    if os.geteuid() == sealed.stat().st_uid:
        sealed.chmod(0o555)
    for path in (sealed, sealed / "deeper"):
        with pytest.raises(DataFolderError, match=r"may not be read or written.*--data-dir"):
            DataFolder.open_or_create(path)


def test_a_full_disk_makes_no_folder_of_ours(tmp_path):
    with pytest.raises(StorageFullError):
        DataFolder.open_or_create(tmp_path, disk=FullDisk(0))
    assert list(tmp_path.iterdir()) == []


def test_a_marker_that_is_a_folder(tmp_path):
    (tmp_path / "hybrid-retrieval.json").mkdir()
    with pytest.raises(DamagedIndexError, match="is a folder"):
        DataFolder.open(tmp_path)


def test_a_place_where_no_folder_can_be(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    for place in ("file/data", "loop", "x" * 300):
        with pytest.raises(DataFolderError, match=r"can't be a data folder.*--data-dir"):
            DataFolder.open_or_create(tmp_path / place)


def test_other_refusals_of_the_system_pass(tmp_path):
    with pytest.raises(OSError, match="Input/output error"), explained(tmp_path):
        raise OSError(errno.EIO, os.strerror(errno.EIO))
