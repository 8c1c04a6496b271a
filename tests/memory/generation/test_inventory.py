"""What a folder holds, and what has become of it since."""

from __future__ import annotations

import errno
import os

import pytest

from memory.generation.inventory import Damage, Inventory, checksum_of, unreadable

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
