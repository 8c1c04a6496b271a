"""One project against its record: what changed, what is read again, and what a report counts."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import replace

import pytest

from configs.settings import IndexingSettings
from indexing.discovery import discover
from indexing.isolation import InProcess
from indexing.project import Difference, compare, read_project, unchanged
from indexing.reading import SourceText, read_source
from indexing.sources import Source
from memory.generation import FileRecord

SETTINGS = IndexingSettings(max_file_bytes=2000)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "dock"
    (folder / "dock").mkdir(parents=True)
    (folder / "dock/crane.py").write_text("class Crane:\n    def lift(self):\n        return 1\n")
    (folder / "notes.md").write_text("# Notes\n\nCranes lift.\n")
    (folder / "menu.xyz").write_text("soup\n")
    (folder / "logo.dat").write_bytes(b"\0\1\2")
    return folder


def source(root, **changes):
    return replace(Source(discover(root, max_file_bytes=SETTINGS.max_file_bytes)), **changes)


async def read(root, record=None, facts=None):
    return await read_project(source(root), record, facts or {}, InProcess(SETTINGS))


async def same(source, record):
    return await unchanged(source, record, InProcess(SETTINGS))


async def test_a_new_project_is_read_whole(root):
    update = await read(root)
    assert [file.path for file in update.record.files] == ["dock/crane.py", "menu.xyz", "notes.md"]
    assert [(row.path, row.reason) for row in update.record.skipped] == [("logo.dat", "binary")]
    assert update.difference.added == ("dock/crane.py", "menu.xyz", "notes.md")
    assert (update.stale, set(update.facts)) == ((), {"dock/crane.py", "menu.xyz", "notes.md"})
    assert sum(file.chunks for file in update.record.files) == len(update.chunks) == 3
    assert {chunk.project for chunk in update.chunks} == {"dock"}


async def test_code_that_nothing_recognised_is_counted_by_suffix(root):
    (root / "Makefile.am").write_text("all:\n")
    (root / "run.jl").write_text("println(1)\n")
    (root / "walk.jl").write_text("println(2)\n")
    assert dict((await read(root)).record.not_recognised).get(".jl") == 2


async def test_nothing_changed(root):
    assert not await same(source(root), None)
    record = (await read(root)).record
    assert await same(source(root), record)
    assert not await same(source(root, group="/elsewhere"), record)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda root: (root / "notes.md").write_text("# Notes\n\nCranes fall.\n"), False),
        (lambda root: (root / "notes.md").unlink(), False),
        (lambda root: (root / "new.md").write_text("# New\n"), False),
        (lambda root: (root / ".env").write_text("A=1\n"), False),
        (lambda root: (root / "logo.dat").unlink(), False),
        (lambda root: (root / "logo.dat").write_text("text by now\n"), False),
        (lambda root: (root / "logo.dat").write_bytes(b"\xff\xfeother bytes, another reason\xd8"), False),
        (lambda root: (root / "logo.dat").write_bytes(b"\0\1\2\3 still binary"), True),
        (lambda root: os.utime(root / "notes.md"), True),
    ],
    ids=["edited", "gone", "new", "secret", "skip gone", "skip readable", "skip for another reason", "skip", "touched"],
)
async def test_what_makes_a_difference(root, edit, expected):
    record = (await read(root)).record
    edit(root)
    assert await same(source(root), record) is expected


async def test_what_changed_is_read_and_the_rest_kept(root):
    first = await read(root)
    (root / "notes.md").write_text("# Notes\n\nCranes fall.\n")
    (root / "menu.xyz").unlink()
    (root / "new.md").write_text("# New\n")
    second = await read(root, first.record, first.facts)
    assert second.stale == ("menu.xyz", "notes.md")
    assert {chunk.path for chunk in second.chunks} == {"notes.md", "new.md"}
    assert (second.difference.added, second.difference.changed) == (("new.md",), ("notes.md",))
    assert (second.difference.removed, second.difference.unchanged) == (("menu.xyz",), ("dock/crane.py",))
    assert second.facts["dock/crane.py"] is first.facts["dock/crane.py"]
    assert set(second.facts) == {"dock/crane.py", "notes.md", "new.md"}


async def test_another_commit_makes_every_file_new_to_the_store_and_changed_to_the_reader(root):
    first = await read(root)
    second = await read(root, replace(first.record, commit="c" * 40), first.facts)
    assert second.stale == ("dock/crane.py", "menu.xyz", "notes.md") == second.difference.changed
    assert len(second.chunks) == 3


async def test_what_went_between_looking_and_reading_is_skipped(root):
    looked = source(root)
    (root / "notes.md").unlink()
    (root / "menu.xyz").write_text("soup " * 1000)
    update = await read_project(looked, None, {}, InProcess(SETTINGS))
    reasons = {row.path: row.reason for row in update.record.skipped}
    assert reasons == {"logo.dat": "binary", "notes.md": "unreadable", "menu.xyz": "too_large"}
    assert update.difference.added == ("dock/crane.py",)


SECOND = 1_000_000_000


def record(file, **changes):
    """The record of a file that was read long after it had been written, as far as its times say."""
    found = read_source(file)
    assert isinstance(found, SourceText)
    state = dataclasses.asdict(found.record)
    return FileRecord(file.name, **state | {"read_ns": state["read_ns"] + 60 * SECOND} | changes)


@pytest.fixture
def root_of_files(tmp_path):
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(f"# {name}\n")
    return tmp_path


def test_each_path_is_in_one_of_four(root_of_files):
    recorded = {name: record(root_of_files / name) for name in ("a.py", "b.py", "c.py")}
    (root_of_files / "b.py").write_text("# another\n")
    (root_of_files / "c.py").unlink()
    (root_of_files / "d.py").write_text("")
    found = compare(root_of_files, ["d.py", "b.py", "a.py"], recorded)
    assert found == Difference(added=("d.py",), changed=("b.py",), removed=("c.py",), unchanged=("a.py",))
    assert not found.is_empty


def test_nothing_to_do(root_of_files):
    assert compare(root_of_files, ["a.py"], {"a.py": record(root_of_files / "a.py")}).is_empty
    assert compare(root_of_files, [], {}).is_empty


def test_settled_times_and_size_spare_the_look_inside(root_of_files):
    lying = record(root_of_files / "a.py", hash="another file's")
    assert compare(root_of_files, ["a.py"], {"a.py": lying}).unchanged == ("a.py",), "the hash was not asked for"


@pytest.mark.parametrize("later", [0, SECOND, 2 * SECOND])
def test_a_write_in_the_tick_of_the_reading_is_found(root_of_files, later):
    """Same size, same times, other bytes: git's racily clean file. Up to 2 s after a file's times its bytes are asked."""
    before = record(root_of_files / "a.py", hash="of other bytes of the same length")
    times = max(before.mtime_ns, before.ctime_ns)
    racy = dataclasses.replace(before, read_ns=times + later)
    assert compare(root_of_files, ["a.py"], {"a.py": racy}).changed == ("a.py",)
    clean = dataclasses.replace(racy, hash=record(root_of_files / "a.py").hash)
    assert compare(root_of_files, ["a.py"], {"a.py": clean}).unchanged == ("a.py",)


def test_an_edit_that_puts_the_old_time_back_is_found(root_of_files):
    file = root_of_files / "a.py"
    old = file.stat().st_mtime_ns - 3600 * SECOND
    os.utime(file, ns=(old, old))
    before = record(file, ctime_ns=old)
    file.write_text("# A.PY\n")
    os.utime(file, ns=(old, old))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.size, before.mtime_ns)
    assert compare(root_of_files, ["a.py"], {"a.py": before}).changed == ("a.py",)


def test_a_touched_file_with_the_same_bytes_is_unchanged(root_of_files):
    before = record(root_of_files / "a.py")
    os.utime(root_of_files / "a.py", ns=(0, 0))
    assert compare(root_of_files, ["a.py"], {"a.py": before}).unchanged == ("a.py",)


def test_a_file_that_vanished_since_it_was_found_is_changed(root_of_files):
    before = record(root_of_files / "a.py")
    (root_of_files / "a.py").unlink()
    assert compare(root_of_files, ["a.py"], {"a.py": before}).changed == ("a.py",)
