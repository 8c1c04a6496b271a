from __future__ import annotations

import hashlib
import os
import time
from dataclasses import replace

import pytest

from memory.generation import FileRecord, ProjectRecord
from memory.project_folder import ProjectFolder, is_stale
from memory.secrets import REDACTED


def test_stale_is_what_differs_from_the_record(tmp_path):
    (tmp_path / "a.md").write_bytes(b"one")
    recorded = hashlib.sha256(b"one").hexdigest()
    assert not is_stale(tmp_path, "a.md", recorded)
    (tmp_path / "a.md").write_bytes(b"two")
    assert is_stale(tmp_path, "a.md", recorded)
    assert is_stale(tmp_path, "gone.md", recorded)


def test_a_link_out_of_the_project_is_not_followed(tmp_path):
    project, outside = tmp_path / "project", tmp_path / "outside.md"
    project.mkdir()
    outside.write_bytes(b"one")
    (project / "inside.md").write_bytes(b"one")
    (project / "out.md").symlink_to(outside)
    (project / "in.md").symlink_to(project / "inside.md")
    (project / "loop.md").symlink_to(project / "loop.md")
    recorded = hashlib.sha256(b"one").hexdigest()
    assert is_stale(project, "out.md", recorded)
    assert is_stale(project, "../outside.md", recorded)
    assert is_stale(project, "loop.md", recorded)
    assert not is_stale(project, "in.md", recorded)


@pytest.fixture
def long_ago(tmp_path):
    """Writes a file as if in the year 2001."""

    def write(name: str, text: bytes) -> None:
        (tmp_path / name).write_bytes(text)
        os.utime(tmp_path / name, (10**9, 10**9))

    return write


def test_a_file_that_was_found_unchanged_is_read_again_once_it_was_touched(tmp_path, long_ago):
    long_ago("a.md", b"one")
    folder = ProjectFolder(tmp_path, {"a.md": hashlib.sha256(b"one").hexdigest()})
    assert [folder.has_changed("a.md") for _ in range(2)] == [False, False]
    long_ago("other.md", b"two")
    (tmp_path / "other.md").replace(tmp_path / "a.md")  # of the same size and time
    assert [folder.has_changed("a.md") for _ in range(2)] == [True, True]
    long_ago("a.md", b"one")
    assert not folder.has_changed("a.md")
    (tmp_path / "a.md").unlink()
    assert folder.has_changed("a.md")
    assert folder.has_changed("b.md")  # was not indexed


def test_what_was_indexed_long_ago_is_not_read_to_count_what_has_changed(tmp_path, long_ago):
    for name in ("a.md", "b.md", "c.md"):
        long_ago(name, b"one")
    state, now = (tmp_path / "a.md").stat(), time.time_ns() + 10**10
    digest = hashlib.sha256(b"another").hexdigest()  # which nobody looks at
    seen = [
        FileRecord(name, digest, 3, state.st_mtime_ns, 1, 1, state.st_ctime_ns, now) for name in ("a.md", "gone.md")
    ]
    touched = FileRecord("b.md", hashlib.sha256(b"one").hexdigest(), 3, 1, 1, 1, 1, now)
    other = FileRecord("c.md", digest, 3, 1, 1, 1, 1, now)
    record = ProjectRecord("billing", str(tmp_path), files=(*seen, touched, other))
    assert ProjectFolder.of(record).count_changed() == 2
    assert ProjectFolder.of(replace(record, root=str(tmp_path / "elsewhere"))).count_changed() is None


def test_what_has_changed_is_counted_once_a_second(tmp_path, long_ago):
    long_ago("a.md", b"one")
    clock = iter((0.0, 0.9, 1.0))
    folder = ProjectFolder(tmp_path, {"a.md": hashlib.sha256(b"one").hexdigest()}, seconds=lambda: next(clock))
    assert folder.count_changed() == 0
    long_ago("a.md", b"another")
    assert [folder.count_changed() for _ in range(2)] == [0, 1]


def test_of_a_file_written_just_now_nothing_is_remembered(tmp_path):
    (tmp_path / "a.md").write_bytes(b"one")
    folder = ProjectFolder(tmp_path, {"a.md": hashlib.sha256(b"one").hexdigest()})
    assert not folder.has_changed("a.md")
    with (tmp_path / "a.md").open(
        "r+b"
    ) as file:  # the same file, as long as before, perhaps within one tick of its clock
        file.write(b"two")
    assert folder.has_changed("a.md")


def test_a_file_that_became_a_link_out_of_the_project_has_changed(tmp_path, long_ago):
    project = tmp_path / "project"
    project.mkdir()
    long_ago("project/a.md", b"one")
    folder = ProjectFolder(project, {"a.md": hashlib.sha256(b"one").hexdigest()})
    assert not folder.has_changed("a.md")
    (project / "a.md").rename(tmp_path / "outside.md")
    (project / "a.md").symlink_to(tmp_path / "outside.md")
    assert folder.has_changed("a.md")


def test_what_is_read_live_has_no_secrets(tmp_path):
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\n-----END PRIVATE KEY-----\n"
    folder = ProjectFolder(tmp_path, {})
    (tmp_path / "CLAUDE.md").write_bytes(f"# Deploying\r\n\r\n{key}\r\nThen wait.\r\n".encode())
    shown = folder.read("CLAUDE.md")
    assert "MIIEvQ" not in shown
    assert shown.split("\n")[3] == REDACTED
    assert shown.endswith("Then wait.\n")
    (tmp_path / "deploy").write_text(key)
    (tmp_path / ".env").write_text("A=1\n")
    assert [folder.read(path) for path in ("deploy", ".env")] == [None, None]


def test_a_file_that_had_no_secret_is_looked_through_again_once_it_says_something_else(tmp_path):
    folder = ProjectFolder(tmp_path, {})
    (tmp_path / "a.yaml").write_text("port: 80\n")
    assert [folder.read("a.yaml") for _ in range(2)] == ["port: 80\n"] * 2
    (tmp_path / "a.yaml").write_text("password: " + "Winter" + "2024!\n")
    assert [folder.read("a.yaml") for _ in range(2)] == [f"password: {REDACTED}\n"] * 2


@pytest.mark.parametrize("now", ["gone", "no text", "too large", "a folder", "a pipe", "outside", "a key"])
def test_what_an_index_would_leave_out_is_lost(tmp_path, now):
    root = tmp_path / "billing"
    root.mkdir()
    file, folder = root / "pay.py", ProjectFolder(root, {"pay.py": "0"})
    (tmp_path / "other.py").write_text("retry(5)\n")
    file.write_text("retry(5)\n")
    assert not folder.has_lost("pay.py")
    file.unlink()
    become = {
        "gone": lambda: None,
        "no text": lambda: file.write_bytes("retry(5)  # café".encode("latin-1")),
        "too large": lambda: file.write_text("retry(5)\n" + "# pad\n" * 200_000),
        "a folder": file.mkdir,
        "a pipe": lambda: os.mkfifo(file),
        "outside": lambda: file.symlink_to(tmp_path / "other.py"),
        "a key": lambda: file.write_text(f"-----BEGIN {'PRIVATE'} KEY-----\nMIIEvQ\n-----END {'PRIVATE'} KEY-----\n"),
    }
    become[now]()
    assert folder.has_lost("pay.py")


def test_of_a_folder_that_is_on_another_machine_nothing_is_looked_at_here(tmp_path):
    (tmp_path / "a.md").write_text("of another project")
    record = ProjectRecord("billing", str(tmp_path), files=(FileRecord("a.md", "0", 1, 1),))
    folder = ProjectFolder.of(record, stored=True)
    assert folder.paths == ("a.md",)
    assert [folder.has_changed("a.md"), folder.has_changed("b.md"), folder.has_lost("a.md")] == [False, True, False]
    assert folder.read("a.md") is None
    assert folder.count_changed() is None
