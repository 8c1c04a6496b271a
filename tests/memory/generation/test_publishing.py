from __future__ import annotations

import errno
import os

import pytest

from memory.errors import DamagedIndexError, DataFolderError, IndexLockedError, StorageFullError
from memory.generation import DataFolder, Disk, FullDisk, Manifest, ProjectFacts, ProjectRecord, reading
from memory.generation.current import FileLock, Pointer

BILLING = ProjectFacts({"src/a.py": {"lang": "python"}, "ü.md": {"lang": "markdown"}}, {"asks": ["table users"]})
AUTH = ProjectFacts({"b.py": {"lang": "python"}}, {"offers": ["table users"]})
FACTS = {"billing": BILLING, "auth": AUTH}


def manifest(*names):
    return Manifest("n", "embedded", "mini", 384, projects=tuple(ProjectRecord(n, f"/{n}") for n in names))


def fill(stage, text):
    stage.vectors_path.mkdir(exist_ok=True)
    (stage.vectors_path / "segment").write_text(text)
    stage.graph_path.mkdir(exist_ok=True)
    Disk().write(stage.graph_path / "0.kgl", [text])


def publish(folder, text, facts=FACTS):
    with folder.indexing("index .") as session:
        stage = session.stage()
        fill(stage, text)
        return published(session, stage, manifest(text), facts)


def published(session, stage, made, facts):
    for name, known in facts.items():
        session.remember(stage, name, known)
    return session.publish(stage, made)


def read(folder):
    with folder.reading() as generation:
        texts = {(generation.vectors_path / "segment").read_text(), (generation.graph_path / "0.kgl").read_text()}
        assert texts | generation.manifest.names == texts
        return generation.number, texts.pop()


@pytest.fixture
def folder(tmp_path):
    return DataFolder.open_or_create(tmp_path / "data")


def held(session):
    return {name: ProjectFacts(session.facts.files(name), session.facts.reach(name)) for name in FACTS}


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
        assert (session.number, session.current) == (0, None)
        assert not session.stage().copied
        published(session, session.stage(), manifest("a"), FACTS)
        assert (session.number, session.current, held(session)) == (1, manifest("a"), FACTS)
    with folder.indexing("index .") as session:
        assert (session.number, session.current, held(session)) == (1, manifest("a"), FACTS)


def test_what_is_known_of_projects_that_did_not_change_is_kept_as_it_is(folder):
    def facts():
        return {path.name: path.stat().st_ino for path in folder.root.glob("generations/*/facts/*")}

    with folder.indexing("index .") as session:
        published(session, session.stage(), manifest("billing", "auth"), FACTS)
    first, changed = facts(), ProjectFacts({}, {"asks": []})
    with folder.indexing("index .") as session:
        published(session, session.stage(), manifest("billing", "auth"), {"auth": changed})
        assert held(session) == {"billing": BILLING, "auth": changed}
        assert len(first.items() & facts().items()) == 1
    with folder.indexing("index .") as session:
        published(session, session.stage(whole=True), manifest("billing"), {})
        assert session.facts.files("billing") == BILLING.files
        assert len(facts()) == 1  # a project that is gone leaves nothing
        with pytest.raises(DamagedIndexError, match="what is known of 'auth'"):
            session.facts.reach("auth")


def test_the_command_is_forgotten_when_it_ends(folder):
    with folder.indexing("index --remove shipyard"):
        assert "shipyard" in (folder.root / "index.lock").read_text()
    assert (folder.root / "index.lock").read_text() == ""


def test_a_secret_of_the_command_is_not_kept(folder):
    command = "index . --set 'hosted.base_url=https://u:Sup3r$ecret@host.example/v1' --set a=ghp_" + "a1B2" * 9
    with folder.indexing(command), pytest.raises(IndexLockedError) as refused:
        folder.indexing("index .")
    assert "hosted.base_url=https://u:(redacted)@host.example/v1' --set a=(redacted)`" in refused.value.message


def test_a_stage_begins_as_a_copy_or_empty(folder):
    publish(folder, "one")
    with folder.indexing("index .") as session:
        stage = session.stage()
        assert (stage.copied, (stage.graph_path / "0.kgl").read_text()) == (True, "one")
        assert (stage.vectors_path / "segment").read_text() == "one"
        Disk().write(stage.graph_path / "0.kgl", ["changed"])  # in place of the file, not into it
        assert read(folder) == (1, "one")
        (folder.root / "generations/1/graph.elsewhere").write_text("a name")
        assert not (session.stage().path / "graph.elsewhere").exists()
        whole = session.stage(whole=True)
        assert {path.name for path in whole.path.iterdir()} == {
            *("vectors", "graph", "graph.elsewhere", "manifest.json")
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
    assert (old.graph_path / "0.kgl").read_text() == "one"
    assert read(folder) == (3, "three")
    old.close()
    old.close()
    with folder.indexing("index .") as session:
        assert session.number == 3
    assert generations(folder) == ["3"]


def test_a_reader_that_comes_while_its_generation_is_removed_finds_none(folder):
    publish(folder, "one")
    pointer = Pointer.read(folder.root)
    publish(folder, "two")
    assert reading.held(folder.root, pointer, most=0) is None


def test_a_generation_that_is_being_removed_is_not_held(folder):
    publish(folder, "one")
    removing = FileLock.exclusive(folder.root / "generations" / "1" / "lock")
    pointer = Pointer.read(folder.root)
    assert reading.held(folder.root, pointer, most=0) is None
    removing.close()
    reading.held(folder.root, pointer, most=0).close()


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


@pytest.mark.parametrize("room", range(8))
def test_a_full_disk_at_any_step_leaves_the_index_as_it_was(folder, room):
    publish(folder, "one")
    full = DataFolder.open(
        folder.root, disk=FullDisk(room)
    )  # copy vectors, copy graph, manifest, facts of two projects, files, rename, CURRENT
    with pytest.raises(StorageFullError, match="nothing was lost"):
        publish(full, "two")
    assert generations(folder) == ["1"]
    assert read(folder) == (1, "one")
    assert publish(folder, "three") == 2


def test_eight_steps_are_all_there_are(folder):
    publish(folder, "one")
    assert publish(DataFolder.open(folder.root, disk=FullDisk(8)), "two") == 2


def test_to_keep_what_is_known_of_a_project_is_a_step_too(folder):
    publish(folder, "billing")
    with DataFolder.open(folder.root, disk=FullDisk(3)).indexing("index .") as session, pytest.raises(StorageFullError):
        published(session, session.stage(), manifest("billing"), {})  # copy vectors, copy graph, manifest, link
    assert read(folder) == (1, "billing")


def test_what_cannot_be_linked_is_copied(tmp_path):
    (tmp_path / "a").write_text("here")
    (tmp_path / "b").write_text("in the way")
    Disk().link(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_text() == "here"
    assert (tmp_path / "b").stat().st_nlink == 1


def test_after_a_full_disk_the_same_session_may_try_again(folder):
    full = FullDisk(2)  # manifest, rename, and no room for CURRENT
    with DataFolder.open(folder.root, disk=full).indexing("index .") as session:
        stage = session.stage()
        fill(stage, "one")
        with pytest.raises(StorageFullError):
            session.publish(stage, manifest("one"))
        full.room = 10
        stage = session.stage()
        fill(stage, "one")
        assert session.publish(stage, manifest("one")) == 1
    assert read(folder) == (1, "one")


def test_a_store_that_finds_the_disk_full_is_a_storage_error(folder):
    with pytest.raises(StorageFullError), folder.indexing("index ."):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(PermissionError), folder.indexing("index ."):
        raise PermissionError(errno.EACCES, "a project's file, not ours")


@pytest.mark.parametrize("target", ["notes.txt", "gone"])
def test_a_link_in_the_place_of_the_lock_is_not_written_through(folder, tmp_path, target):
    (tmp_path / "notes.txt").write_text("kept")
    (folder.root / "index.lock").unlink(missing_ok=True)
    (folder.root / "index.lock").symlink_to(tmp_path / target)
    with pytest.raises(DataFolderError, match=r"index\.lock is a symbolic link\. Remove it"), folder.indexing("x"):
        pass
    assert (tmp_path / "notes.txt").read_text() == "kept"
    assert not (tmp_path / "gone").exists()


def test_a_pipe_in_the_place_of_a_lock_is_not_waited_for(folder):
    publish(folder, "one")
    for lock in (folder.root / "index.lock", next(folder.root.glob("generations/*/lock"))):
        lock.unlink()
        os.mkfifo(lock)
    with pytest.raises(DataFolderError, match=r"index\.lock is no file\. Remove it"), folder.indexing("x"):
        pass
    with pytest.raises(DataFolderError, match=r"lock is no file\. Remove it"):
        read(folder)
