"""One project against its record: what is read again, and what a report counts."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from configs.settings import IndexingSettings
from indexing.discovery import discover
from indexing.isolation import InProcess
from indexing.project import read_project, unchanged
from indexing.sources import Source

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
