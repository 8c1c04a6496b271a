from __future__ import annotations

import os
import stat

import pytest

from memory.disk import is_private, make_folder, make_private, private_opener


def mode(path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.mark.specification("003 §9 storage")
def test_a_new_folder_and_a_new_file_are_their_owners_alone(tmp_path):
    make_folder(tmp_path / "a/b")
    with open(tmp_path / "a/b/c", "w", opener=private_opener) as file:
        file.write("x")
    assert (mode(tmp_path / "a/b"), mode(tmp_path / "a/b/c")) == (0o700, 0o600)
    assert is_private(tmp_path / "a/b")


@pytest.mark.specification("003 §9 storage")
def test_what_others_could_read_is_closed_to_them(tmp_path):
    (tmp_path / "data/deep").mkdir(parents=True)
    (tmp_path / "data/deep/file").write_text("x")
    (tmp_path / "elsewhere").write_text("y")
    (tmp_path / "data/link").symlink_to(tmp_path / "elsewhere")
    for path, loose in (("data", 0o755), ("data/deep", 0o777), ("data/deep/file", 0o664), ("elsewhere", 0o644)):
        (tmp_path / path).chmod(loose)
    assert not is_private(tmp_path / "data")
    make_private(tmp_path / "data")
    closed = [mode(tmp_path / path) for path in ("data", "data/deep", "data/deep/file", "elsewhere")]
    assert closed == [0o700, 0o700, 0o600, 0o644]


@pytest.mark.specification("003 §9 storage")
def test_a_folder_behind_a_link_is_its_owners_alone(tmp_path):
    (tmp_path / "kept/deep").mkdir(parents=True)
    (tmp_path / "kept").chmod(0o777)
    (tmp_path / "data").symlink_to("kept")
    make_folder(tmp_path / "data")
    assert mode(tmp_path / "kept") == 0o700
    (tmp_path / "kept").chmod(0o755)
    (tmp_path / "kept/deep").chmod(0o755)
    make_private(tmp_path / "data")
    assert [mode(tmp_path / path) for path in ("kept", "kept/deep")] == [0o700, 0o700]


def test_what_is_stricter_already_stays(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "file").chmod(0o400)
    make_private(tmp_path)
    assert mode(tmp_path / "file") == 0o400


def test_a_link_in_the_place_of_a_file_is_not_written_through(tmp_path):
    (tmp_path / "target").write_text("kept")
    (tmp_path / "link").symlink_to("target")
    try:
        os.close(private_opener(str(tmp_path / "link"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC))
    except OSError:
        assert (tmp_path / "target").read_text() == "kept"
    else:
        raise AssertionError
