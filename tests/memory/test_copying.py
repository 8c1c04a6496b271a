from __future__ import annotations

import os
import threading

import pytest

from memory.copying import _copy_ranges, copy_file, copy_tree

MEGABYTE = 1 << 20


def sparse(path):
    """Data at 0 and at 64 MB, holes between and to 100 MB."""
    with path.open("wb") as file:
        file.write(b"head")
        file.seek(64 * MEGABYTE)
        file.write(b"middle")
        file.truncate(100 * MEGABYTE)


def blocks(path):
    return path.stat().st_blocks * 512


def test_holes_stay_holes(tmp_path):
    sparse(tmp_path / "a")
    if blocks(tmp_path / "a") > MEGABYTE:
        pytest.skip("this file system keeps no holes")
    copy_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").stat().st_size == 100 * MEGABYTE
    assert blocks(tmp_path / "b") < MEGABYTE
    with (tmp_path / "b").open("rb") as copy:
        assert copy.read(4) == b"head"
        copy.seek(64 * MEGABYTE)
        assert copy.read(7) == b"middle\0"


def test_zeros_that_are_stored_become_a_hole(tmp_path):
    content = b"head" + bytes(4 * MEGABYTE) + b"tail"
    (tmp_path / "a").write_bytes(content)
    copy_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == content
    assert blocks(tmp_path / "b") < MEGABYTE or blocks(tmp_path / "b") == blocks(
        tmp_path / "a"
    )  # where it is a reference to the other


@pytest.mark.parametrize("content", [b"", b"x", os.urandom(3 * MEGABYTE + 17)])
def test_content_is_equal(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    copy_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == content


def test_what_was_in_the_target_is_gone(tmp_path):
    (tmp_path / "a").write_bytes(b"new")
    (tmp_path / "b").write_bytes(b"much longer and old")
    copy_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"new"


def test_what_is_appended_meanwhile_is_left(tmp_path):
    (tmp_path / "a").write_bytes(b"old and what came after it was measured")
    with (tmp_path / "a").open("rb") as reading, (tmp_path / "b").open("wb") as writing:
        _copy_ranges(reading.fileno(), writing.fileno(), length=3)
    assert (tmp_path / "b").read_bytes() == b"old"


def test_a_tree_with_its_folders(tmp_path):
    (tmp_path / "a" / "segments" / "0").mkdir(parents=True)
    (tmp_path / "a" / "empty").mkdir()
    (tmp_path / "a" / "config.json").write_text("{}")
    (tmp_path / "a" / "segments" / "0" / "data").write_bytes(b"1")
    copy_tree(tmp_path / "a", tmp_path / "b")
    found = sorted(p.relative_to(tmp_path / "b").as_posix() for p in (tmp_path / "b").rglob("*"))
    assert found == ["config.json", "empty", "segments", "segments/0", "segments/0/data"]


def test_a_file_that_vanishes_is_no_error(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "kept").write_text("1")
    (tmp_path / "a" / "gone").symlink_to(tmp_path / "nowhere")  # listed, and not there when it is opened
    copy_tree(tmp_path / "a", tmp_path / "b")
    assert [p.name for p in (tmp_path / "b").iterdir()] == ["kept"]


def test_a_file_replaced_while_it_is_copied_arrives_whole(tmp_path):
    source = tmp_path / "a"
    source.mkdir()
    (source / "segment.json").write_text("0" * 1000)
    ending = threading.Event()

    def rewrite():
        n = 0
        while not ending.is_set():
            n += 1
            beside = source / ".segment.json.new"
            beside.write_text(str(n % 10) * 1000)
            beside.replace(source / "segment.json")

    writer = threading.Thread(target=rewrite)
    writer.start()
    try:
        for n in range(50):
            copy_tree(source, tmp_path / f"b{n}")
            text = (tmp_path / f"b{n}" / "segment.json").read_text()
            assert text == text[0] * 1000
    finally:
        ending.set()
        writer.join()


def test_no_source_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        copy_file(tmp_path / "a", tmp_path / "b")
