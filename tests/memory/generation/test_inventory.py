"""The checksum of a file's blocks, by hand, and that holes are worth what zeros are."""

from __future__ import annotations

import errno
import os
import zlib

import pytest

from memory.generation.inventory import Damage, FileChecksum, Inventory, checksum_of, state_of, unreadable

BLOCK = 16 * 1024


def written(path, *pieces):
    """A file of pieces at their places, holes between."""
    with path.open("wb") as file:
        for at, data in pieces:
            file.seek(at)
            file.write(data)
    return path


def test_each_block_counts_with_its_place(tmp_path):
    file = written(tmp_path / "f", (0, b"a" * BLOCK + bytes(BLOCK) + b"b"))
    first = zlib.crc32(b"a" * BLOCK, zlib.crc32((0).to_bytes(8, "big")))
    both = zlib.crc32(b"b", zlib.crc32((2 * BLOCK).to_bytes(8, "big"), first))
    assert state_of(file) == FileChecksum(2 * BLOCK + 1, both, 0)
    assert state_of(file).held == 2 * BLOCK + 1


def test_nothing_and_nothing_but_a_hole(tmp_path):
    assert state_of(written(tmp_path / "empty")) == FileChecksum(0, 0, 0)
    os.truncate(written(tmp_path / "hole"), 10 * BLOCK)
    assert state_of(tmp_path / "hole") == FileChecksum(10 * BLOCK, 0, 0)


PIECES = [(4096, b"x" * 5000), (3 * BLOCK - 1, b"yz"), (7 * BLOCK + 8192, b"w" * 100), (40 * BLOCK, b"end")]


@pytest.mark.parametrize("until", range(1, len(PIECES) + 1))
def test_a_copy_without_holes_is_the_same(tmp_path, until):
    sparse = written(tmp_path / "sparse", *PIECES[:until])
    dense = tmp_path / "dense"
    dense.write_bytes(sparse.read_bytes())
    assert state_of(dense) == state_of(sparse)


@pytest.mark.parametrize("at", [0, 4096, 9095, 2 * BLOCK, 3 * BLOCK, 20 * BLOCK + 7, 40 * BLOCK + 2])
def test_a_bit_anywhere_is_seen_in_a_hole_too(tmp_path, at):
    file = written(tmp_path / "f", *PIECES)
    before = state_of(file)
    with file.open("r+b") as opened:
        opened.seek(at)
        byte = opened.read(1)[0]
        opened.seek(at)
        opened.write(bytes([byte ^ 1]))
    assert state_of(file).checksum != before.checksum


def test_what_moved_is_seen(tmp_path):
    here, there = (
        written(tmp_path / name, (at, b"data"), (9 * BLOCK, b"end")) for name, at in (("a", 0), ("b", BLOCK))
    )
    assert state_of(here).checksum != state_of(there).checksum


def test_what_is_no_file_has_no_state(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert [state_of(path) for path in (tmp_path / "none", tmp_path, tmp_path / "pipe")] == [None, None, None]


def test_a_document_counts_by_its_values(tmp_path):
    texts = (
        '{"a": 1, "b": {"c": 2, "d": 3}}',
        '{"b":{"d":3,"c":2},"a":1}',
        '{"b":{"d":3,"c":2},"a":4}',
        '{"b":',
        "\x00\xff",
    )
    sums = []
    for text in texts:
        (tmp_path / "f.json").write_text(text, encoding="latin-1")
        sums.append(state_of(tmp_path / "f.json", by_value=True).checksum)
    assert sums[0] == sums[1]
    assert len(set(sums)) == 4


FILES = {
    "manifest.json": "{}",
    "vectors/a": "a" * 100,
    "vectors/b": "b" * 10,
    "facts/c": "c",
    "lock": "",
    "files.json": "x",
}


def fill(folder, files=FILES):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path / "1")


@pytest.fixture
def inventory(folder):
    return Inventory.of(folder)


def test_it_lists_every_file_but_itself_and_the_lock(inventory):
    assert list(inventory.files) == ["facts/c", "manifest.json", "vectors/a", "vectors/b"]
    text = inventory.to_json().encode()
    assert Inventory.from_json(text) == inventory
    assert len(checksum_of(text)) == 8


def test_what_is_as_it_was_has_no_damage(folder, inventory):
    (folder / "vectors/.temporary").write_text("of an engine")
    assert list(inventory.damages(folder)) == []


def replace_by_folder(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda file: file.unlink(), "is missing"),
        (replace_by_folder, "is no file any more"),
        (lambda file: file.write_text("a" * 99), "has 99 bytes, not the 100 that were written"),
        (lambda file: file.write_text("a" * 99 + "b"), "does not hold what was written to it"),
    ],
)
def test_each_kind_of_damage_is_named(folder, inventory, spoil, problem):
    spoil(folder / "vectors/a")
    assert list(inventory.damages(folder)) == [Damage("vectors/a", problem)]


def test_only_so_much_is_read_the_smallest_first_and_every_size_is_looked_at(folder, inventory):
    (folder / "vectors/a").write_text("x" * 100)
    (folder / "vectors/b").write_text("x" * 10)
    b, a = (Damage(f"vectors/{name}", "does not hold what was written to it") for name in "ba")
    assert list(inventory.damages(folder, most=12)) == []  # the manifest, the facts
    assert list(inventory.damages(folder, most=13)) == [b]
    assert list(inventory.damages(folder, most=113)) == [b, a]
    (folder / "vectors/a").write_text("x")
    assert list(inventory.damages(folder, most=0)) == [
        Damage("vectors/a", "has 1 bytes, not the 100 that were written")
    ]


def test_folders_are_passed_over(folder, inventory):
    (folder / "facts/c").unlink()
    assert list(inventory.damages(folder, without={"facts"})) == []


def test_a_file_under_a_second_name_is_what_it_was_when_it_was_written(folder, inventory, tmp_path):
    later = fill(tmp_path / "2", {"vectors/b": "new"})
    os.link(folder / "vectors/a", later / "vectors/a")
    (later / "vectors/a").write_text("z" * 100)  # in both
    found = Inventory.of(later, folder, inventory)
    assert found.files["vectors/a"] == inventory.files["vectors/a"]
    assert found.files["vectors/b"] != inventory.files["vectors/b"]
    assert [damage.path for damage in found.damages(later)] == ["vectors/a"]


def test_a_permission_is_no_damage():
    with pytest.raises(PermissionError):
        unreadable(PermissionError(errno.EACCES, "Permission denied"))
    assert unreadable(OSError(errno.EIO, "Input/output error")) == "can't be read: Input/output error"
