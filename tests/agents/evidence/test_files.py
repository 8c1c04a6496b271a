from __future__ import annotations

import hashlib

import pytest

from agents.evidence.files import UnchangedFiles
from memory.files import ProjectFolder
from memory.observations import Location


@pytest.fixture
def folders(tmp_path):
    """Project kit with two files as they were indexed, and one that has changed since."""
    texts = {"a.py": "one\ntwo\nthree\n", "b.py": "b\n", "changed.py": "now\n"}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    recorded = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in texts.items()}
    return {"kit": ProjectFolder(tmp_path, recorded | {"changed.py": "0" * 64, "gone.py": "0" * 64})}


async def test_as_it_was_indexed_or_not_at_all(folders):
    files = UnchangedFiles(folders, frozenset({"kit"}))
    assert await files.file("kit", "a.py") == ["one", "two", "three"]
    for path in ("changed.py", "gone.py", "never.py", "../a.py"):
        assert await files.file("kit", path) is None
    assert await files.file("other", "a.py") is None


async def test_the_permission_holds_for_what_was_read_before(folders):
    read: dict = {}
    assert await UnchangedFiles(folders, frozenset({"kit"}), read).file("kit", "a.py")
    assert await UnchangedFiles(folders, frozenset({"other"}), read).file("kit", "a.py") is None


async def test_a_file_is_read_once(folders, tmp_path):
    files = UnchangedFiles(folders, frozenset({"kit"}))
    first = await files.file("kit", "a.py")
    (tmp_path / "a.py").unlink()
    assert await files.file("kit", "a.py") == first


async def test_what_was_read_is_bounded(folders):
    read = {("kit", str(n)): [""] for n in range(500)}
    await UnchangedFiles(folders, frozenset({"kit"}), read).file("kit", "a.py")
    assert list(read) == [("kit", "a.py")]


async def test_lines(folders):
    files = UnchangedFiles(folders, frozenset({"kit"}))
    assert await files.lines(Location("kit", "a.py", 2, 3)) == ["two", "three"]
    assert await files.lines(Location("kit", "a.py", 3, 4)) is None
    assert await files.lines(Location("kit", "gone.py", 1, 1)) is None
