from __future__ import annotations

import errno
import os

import pytest

from memory.errors import IndexLockedError, StorageFullError
from memory.generation import DataFolder, FullDisk, Manifest, ProjectRecord
from memory.generation.locks import FileLock

FACTS = {
    "billing": {"src/a.py": {"lang": "python"}, "ü.md": {"lang": "markdown"}},
    "auth": {"b.py": {"lang": "python"}},
}


def manifest(*names):
    return Manifest("n", "embedded", "mini", 384, projects=tuple(ProjectRecord(n, f"/{n}") for n in names))


def fill(stage, text):
    stage.vectors_path.mkdir(exist_ok=True)
    (stage.vectors_path / "segment").write_text(text)
    stage.graph_path.write_text(text)


def publish(folder, text, facts=FACTS):
    with folder.indexing("index .") as session:
        stage = session.stage()
        fill(stage, text)
        return session.publish(stage, manifest(text), facts)


def read(folder):
    with folder.reading() as generation:
        texts = {(generation.vectors_path / "segment").read_text(), generation.graph_path.read_text()}
        assert texts | generation.manifest.names == texts
        return generation.number, texts.pop()


@pytest.fixture
def folder(tmp_path):
    return DataFolder.open_or_create(tmp_path / "data")


def generations(folder):
    return sorted(p.name for p in (folder.root / "generations").iterdir())


def test_what_is_published_is_read(folder):
    assert publish(folder, "one") == 1
    assert read(folder) == (1, "one")
    assert publish(folder, "two") == 2
    assert read(DataFolder.open(folder.root)) == (2, "two")
    assert generations(folder) == ["2"]


def test_the_session_knows_what_is_there(folder):
    with folder.indexing("index .") as session:
        assert (session.number, session.current, session.facts()) == (0, None, {})
        assert not session.stage().copied
        session.publish(session.stage(), manifest("a"), FACTS)
        assert (session.number, session.current, session.facts()) == (1, manifest("a"), FACTS)
    with folder.indexing("index .") as session:
        assert (session.number, session.current, session.facts()) == (1, manifest("a"), FACTS)


def test_a_whole_copy_is_published_with_the_facts_it_brought(folder):
    publish(folder, "one")
    with folder.indexing("index .") as session:
        assert session.publish(session.stage(whole=True), manifest("one"), None) == 2
    assert read(folder) == (2, "one")
    with folder.indexing("index .") as session:
        assert session.facts() == FACTS


def test_the_command_is_forgotten_when_it_ends(folder):
    with folder.indexing("index --remove shipyard"):
        assert "shipyard" in (folder.root / "index.lock").read_text()
    assert (folder.root / "index.lock").read_text() == ""


def test_a_stage_begins_as_a_copy_or_empty(folder):
    publish(folder, "one")
    with folder.indexing("index .") as session:
        stage = session.stage()
        assert (stage.copied, stage.graph_path.read_text()) == (True, "one")
        assert (stage.vectors_path / "segment").read_text() == "one"
        stage.graph_path.write_text("changed")
        assert read(folder) == (1, "one")
        (folder.root / "generations/1/graph.elsewhere").write_text("a name")
        assert not (session.stage().path / "graph.elsewhere").exists()
        whole = session.stage(whole=True)
        assert {path.name for path in whole.path.iterdir()} == {
            *("vectors", "graph.kgl", "graph.elsewhere", "manifest.json", "facts.jsonl")
        }
        empty = session.stage(copy=False)
        assert (empty.copied, empty.graph_path.exists(), empty.vectors_path.exists()) == (False, False, False)


def test_what_is_not_published_leaves_nothing(folder):
    publish(folder, "one")
    with folder.indexing("index .") as session:
        fill(session.stage(), "half")
    assert generations(folder) == ["1"]
    assert read(folder) == (1, "one")


def test_a_reader_keeps_its_generation_and_the_next_run_removes_it(folder):
    publish(folder, "one")
    old = folder.reading()
    publish(folder, "two")
    publish(folder, "three")
    assert generations(folder) == ["1", "3"]
    assert old.graph_path.read_text() == "one"
    assert read(folder) == (3, "three")
    old.close()
    old.close()
    with folder.indexing("index .") as session:
        assert session.number == 3
    assert generations(folder) == ["3"]


def test_a_reader_that_comes_while_its_generation_is_removed_finds_none(folder):
    publish(folder, "one")
    publish(folder, "two")
    assert folder._hold(1) is None


def test_a_generation_that_is_being_removed_is_not_held(folder):
    publish(folder, "one")
    removing = FileLock.exclusive(folder.root / "generations" / "1" / "lock")
    assert folder._hold(1) is None
    removing.close()
    folder._hold(1).close()


def test_leftovers_of_killed_runs_are_removed_and_what_is_not_ours_is_not(folder):
    publish(folder, "one")
    for name in (".stage-99999", ".gone-0", "2"):  # killed while staging, while removing, before CURRENT was renamed
        (folder.root / "generations" / name / "vectors").mkdir(parents=True)
    (folder.root / "generations" / "notes.txt").write_text("mine")
    assert read(folder) == (1, "one")
    assert publish(folder, "two") == 2
    assert generations(folder) == ["2", "notes.txt"]
    assert read(folder) == (2, "two")


def test_a_second_indexer_is_told_who_the_first_is(folder, monkeypatch):
    monkeypatch.setenv("USER", "ada")
    with folder.indexing("hybrid-retrieval index shop"):
        with pytest.raises(
            IndexLockedError, match=rf"process {os.getpid()} of ada, `hybrid-retrieval index shop`, since 2"
        ):
            folder.indexing("index other")
        (folder.root / "index.lock").write_text("")
        with pytest.raises(IndexLockedError, match="only just begun"):
            folder.indexing("index other")
    monkeypatch.delenv("USER")
    with folder.indexing("again"), pytest.raises(IndexLockedError, match="of uid"):
        folder.indexing("index other")


@pytest.mark.parametrize("room", range(6))
def test_a_full_disk_at_any_step_leaves_the_index_as_it_was(folder, room):
    publish(folder, "one")
    full = DataFolder.open(
        folder.root, disk=FullDisk(room)
    )  # copy vectors, copy graph, manifest, facts, rename, CURRENT
    with pytest.raises(StorageFullError, match="nothing was lost"):
        publish(full, "two")
    assert generations(folder) == ["1"]
    assert read(folder) == (1, "one")
    assert publish(folder, "three") == 2


def test_six_steps_are_all_there_are(folder):
    publish(folder, "one")
    assert publish(DataFolder.open(folder.root, disk=FullDisk(6)), "two") == 2


def test_after_a_full_disk_the_same_session_may_try_again(folder):
    full = FullDisk(3)  # manifest, facts, rename, and no room for CURRENT
    with DataFolder.open(folder.root, disk=full).indexing("index .") as session:
        stage = session.stage()
        fill(stage, "one")
        with pytest.raises(StorageFullError):
            session.publish(stage, manifest("one"), {})
        full.room = 10
        stage = session.stage()
        fill(stage, "one")
        assert session.publish(stage, manifest("one"), {}) == 1
    assert read(folder) == (1, "one")


def test_a_store_that_finds_the_disk_full_is_a_storage_error(folder):
    with pytest.raises(StorageFullError), folder.indexing("index ."):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(PermissionError), folder.indexing("index ."):
        raise PermissionError(errno.EACCES, "a project's file, not ours")
