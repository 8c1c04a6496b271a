from __future__ import annotations

import hashlib
import os

import anyio
import pytest

from memory.errors import StoreError
from memory.files import ChunkedFiles, CurrentFiles, FakeFiles
from memory.generation import FileRecord, ProjectRecord
from memory.observations import Location
from memory.project_folder import ProjectFolder
from memory.vector.port import Chunk


def chunk(start: int, text: str, *, project: str = "billing", path: str = "a.md") -> Chunk:
    end = start + text.count("\n")
    return Chunk(
        id=f"{project}/{path}:{start}", project=project, repo=project, path=path, commit="", corpus="docs", lang="markdown",
        chunk_kind="doc", symbol="", section="", start_line=start, end_line=end, text=text, header="", text_hash="",
    )  # fmt: skip


class Store:
    """The one method that is read, and how often it was."""

    def __init__(self, *chunks: Chunk) -> None:
        self.chunks, self.calls = chunks, []

    async def file_chunks(self, project, paths, *, permission):
        self.calls.append((project, tuple(paths), permission))
        return [c for c in self.chunks if c.project == project and c.path in paths and project in permission]


@pytest.fixture
def store() -> Store:
    return Store(chunk(1, "# Title\n\nOne."), chunk(6, "## Next\nTwo.\nThree."), chunk(1, "secret", project="hidden"))


async def test_lines_come_from_the_chunks_and_gaps_are_blank_lines(store):
    files = ChunkedFiles(store, frozenset({"billing"}))
    assert await files.lines(Location("billing", "a.md", 1, 8)) == [
        "# Title", "", "One.", "", "", "## Next", "Two.", "Three.",
    ]  # fmt: skip
    assert await files.lines(Location("billing", "a.md", 7, 7)) == ["Two."]


async def test_each_file_is_read_once(store):
    files = ChunkedFiles(store, frozenset({"billing"}))
    for path in ("a.md", "a.md", "gone.md", "gone.md"):
        await files.lines(Location("billing", path, 1, 1))
    assert [paths for _, paths, _ in store.calls] == [("a.md",), ("gone.md",)]


async def test_files_read_ahead_are_one_request_a_project_and_none_later(store):
    files = ChunkedFiles(store, frozenset({"billing", "auth"}))
    wanted = [("billing", "a.md"), ("auth", "x.md"), ("billing", "gone.md"), ("hidden", "a.md")]
    await files.read_ahead(wanted)
    assert [call[:2] for call in store.calls] == [("billing", ("a.md", "gone.md")), ("auth", ("x.md",))]
    assert (await files.file("billing", "a.md"))[5:] == ["## Next", "Two.", "Three."]
    assert await files.file("billing", "gone.md") is None
    await files.read_ahead(wanted)
    assert len(store.calls) == 2


async def test_what_is_forbidden_is_not_even_asked_for(store):
    files = ChunkedFiles(store, frozenset({"billing"}))
    assert await files.lines(Location("hidden", "a.md", 1, 1)) is None
    assert store.calls == []


@pytest.mark.parametrize(("first", "last"), [(0, 1), (8, 9), (3, 2), (99, 99)])
async def test_lines_that_are_not_there(store, first, last):
    assert await ChunkedFiles(store, frozenset({"billing"})).lines(Location("billing", "a.md", first, last)) is None


async def test_overlapping_chunks_and_other_line_ends():
    store = Store(chunk(1, "a\r\nb\rc"), chunk(1, "a\nb\nc"))
    overlapping = Chunk(**{f: getattr(store.chunks[0], f) for f in Chunk.__slots__} | {"end_line": 3})
    files = ChunkedFiles(Store(overlapping, store.chunks[1]), frozenset({"billing"}))
    assert await files.lines(Location("billing", "a.md", 1, 3)) == ["a", "b", "c"]


async def test_the_fake_keeps_the_permission_too():
    files = FakeFiles({"a/x": "one\ntwo", "b/x": "three"}, frozenset({"a"}))
    assert await files.lines(Location("a", "x", 2, 2)) == ["two"]
    assert await files.lines(Location("b", "x", 1, 1)) is None
    assert await FakeFiles({"b/x": "three"}).lines(Location("b", "x", 1, 1)) == ["three"]


async def test_instructions_of_a_folder_that_is_away_are_as_they_were_indexed(tmp_path):
    folder = ProjectFolder(tmp_path / "billing", {"CLAUDE.md": hashlib.sha256(b"one").hexdigest()})
    files = CurrentFiles(FakeFiles({"billing/CLAUDE.md": "one"}), {"billing": folder}, frozenset({"billing"}))
    assert not folder.is_here
    assert await files.file("billing", "CLAUDE.md") == ["one"]


async def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path):
    (tmp_path / "CLAUDE.md").write_bytes(b"one")
    folder = ProjectFolder(tmp_path, {"CLAUDE.md": hashlib.sha256(b"one").hexdigest()})
    assert not folder.has_changed("CLAUDE.md")
    (tmp_path / "CLAUDE.md").unlink()
    os.mkfifo(tmp_path / "CLAUDE.md")
    assert folder.has_changed("CLAUDE.md")
    assert folder.read("CLAUDE.md") is None
    files = CurrentFiles(FakeFiles({"billing/CLAUDE.md": "one"}), {"billing": folder}, frozenset({"billing"}))
    assert await files.file("billing", "CLAUDE.md") is None


class Lost(FakeFiles):
    """A source out of reach; counts who asked."""

    def __init__(self, error=None):
        super().__init__({})
        self.error = error
        self.asked = 0

    async def file(self, project, path):
        self.asked += 1
        if self.error is None:
            await anyio.sleep_forever()
        raise self.error


@pytest.mark.parametrize("error", [StoreError("Out of reach."), None], ids=["refused", "black hole"])
async def test_where_the_store_is_out_of_reach_what_has_not_changed_is_read_from_the_disk(tmp_path, error):
    (tmp_path / "a.md").write_bytes(b"one\r\ntwo\n")
    (tmp_path / "b.md").write_bytes(b"changed")
    recorded = {"a.md": hashlib.sha256(b"one\r\ntwo\n").hexdigest(), "b.md": hashlib.sha256(b"b").hexdigest()}
    folders, lost = {"billing": ProjectFolder(tmp_path, recorded)}, Lost(error)
    files = CurrentFiles(lost, folders, frozenset({"billing"}))
    assert await files.lines(Location("billing", "a.md", 2, 2)) == ["two"]
    assert await files.file("billing", "a.md") == ["one", "two"]
    with pytest.raises(StoreError):
        await files.file("billing", "b.md")
    assert lost.asked == 1  # the others do not wait for it again


async def test_what_may_not_be_seen_is_not_read_from_the_disk_either(tmp_path):
    (tmp_path / "a.md").write_bytes(b"one")
    folders = {"billing": ProjectFolder(tmp_path, {"a.md": hashlib.sha256(b"one").hexdigest()})}
    with pytest.raises(StoreError):
        await CurrentFiles(Lost(StoreError("Out of reach.")), folders, frozenset({"auth"})).file("billing", "a.md")


async def test_what_is_on_another_machine_is_not_read_from_the_disk_here(tmp_path):
    (tmp_path / "CLAUDE.md").write_bytes(b"of another project")
    record = ProjectRecord("billing", str(tmp_path), files=(FileRecord("CLAUDE.md", "0", 1, 1),))
    folders = {"billing": ProjectFolder.of(record, stored=True)}
    stored = FakeFiles({"billing/CLAUDE.md": "as it was indexed"})
    assert await CurrentFiles(stored, folders, frozenset({"billing"})).file("billing", "CLAUDE.md") == [
        "as it was indexed"
    ]
    with pytest.raises(StoreError):
        await CurrentFiles(Lost(StoreError("Out of reach.")), folders, frozenset({"billing"})).file(
            "billing", "CLAUDE.md"
        )
