"""`CURRENT` is read as it was written, or not at all."""

from __future__ import annotations

import os

import pytest

from memory.errors import DamagedIndexError
from memory.generation.current import Pointer, numbers_in


@pytest.mark.parametrize("pointer", [Pointer(1, "00000000"), Pointer(12, "0a1b2c3d")])
def test_it_comes_back(tmp_path, pointer):
    (tmp_path / "CURRENT").write_text(pointer.line())
    assert Pointer.read(tmp_path) == pointer


def test_before_the_first_generation_there_is_none(tmp_path):
    assert Pointer.read(tmp_path) is None
    (tmp_path / "generations/.stage-7").mkdir(parents=True)
    assert Pointer.read(tmp_path) is None
    (tmp_path / "generations/3").mkdir()
    assert numbers_in(tmp_path) == [3]
    with pytest.raises(DamagedIndexError, match="CURRENT is missing"):
        Pointer.read(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "12\n",
        "12 0a1b2c3d",
        "12 0a1b2c3\n",
        "12\n0a1b2c3d\n",
        "0\n",
        "-1\n",
        "x\n",
        "12 0A1B2C3D\n",
        "\xff\n",
    ],
)
def test_half_a_line_or_another_is_damage(tmp_path, text):
    (tmp_path / "CURRENT").write_text(text, encoding="latin-1")
    with pytest.raises(DamagedIndexError, match="does not name a generation"):
        Pointer.read(tmp_path)


@pytest.mark.parametrize("put", [os.mkfifo, os.mkdir, lambda place: place.symlink_to("/dev/zero")])
def test_what_is_no_file_is_not_waited_for(tmp_path, put):
    put(tmp_path / "CURRENT")
    with pytest.raises(DamagedIndexError, match="does not name a generation"):
        Pointer.read(tmp_path)
