from __future__ import annotations

import hashlib

import pytest

from indexing.images import is_picture, read_picture
from indexing.reading import Skipped
from tests.memory.embedders.test_images import picture


@pytest.mark.parametrize("name", ["a.png", "b/C.JPG", "d.jpeg", "e.WebP"])
def test_pictures_by_name(name):
    assert is_picture(name)


@pytest.mark.parametrize("name", ["a.svg", "a.gif", "png", "a.png.md"])
def test_others(name):
    assert not is_picture(name)


def test_a_whole_picture_has_a_state(tmp_path):
    data = picture("red")
    (tmp_path / "a.png").write_bytes(data)
    state = read_picture(tmp_path / "a.png")
    assert (state.hash, state.size) == (hashlib.sha256(data).hexdigest(), len(data))


@pytest.mark.parametrize(
    ("data", "limit", "reason"),
    [
        (b"no picture", 1000, "undecodable"),
        (picture("red")[:50], 1000, "undecodable"),
        (picture("red"), 10, "too_large"),
    ],
)
def test_what_is_left_out(tmp_path, data, limit, reason):
    (tmp_path / "a.png").write_bytes(data)
    assert read_picture(tmp_path / "a.png", max_file_bytes=limit) == Skipped(reason)


def test_what_is_gone(tmp_path):
    assert read_picture(tmp_path / "a.png") == Skipped("unreadable")
