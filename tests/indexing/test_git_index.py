from __future__ import annotations

import pytest

from indexing.git_index import shared_index, tracked_folders
from tests.organisation import write
from tests.repositories import git


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_each_folder_that_has_files_and_those_around_it(tmp_path, version):
    write(tmp_path, {"shop": {"a/b/c.py": "1", "a/d.py": "2", "legacy-a/e.py": "3", "f.py": "4", "new/g.py": "5"}})
    git(tmp_path / "shop", "init", "-q")
    git(tmp_path / "shop", "update-index", "--index-version", version)
    git(tmp_path / "shop", "add", "a/b", "legacy-a", "f.py")
    git(tmp_path / "shop", "add", "--intent-to-add", "new")  # an entry that is extended
    data = (tmp_path / "shop/.git/index").read_bytes()
    assert tracked_folders(data, 20) == {"a", "a/b", "legacy-a", "new"}
    assert shared_index(data, 20) == ""


def test_a_split_one_names_its_shared_one(tmp_path):
    write(tmp_path, {"shop": {"a/b.py": "1"}})
    git(tmp_path / "shop", "init", "-q")
    git(tmp_path / "shop", "add", ".")
    git(tmp_path / "shop", "update-index", "--split-index")
    beside = shared_index((tmp_path / "shop/.git/index").read_bytes(), 20)
    assert tracked_folders((tmp_path / "shop/.git" / beside).read_bytes(), 20) == {"a"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"DIRC",
        b"DIRC\0\0\0\2\0\0\0\7",
        b"DIRC\0\0\0\4\xff\xff\xff\xff" + b"\xff" * 99,
        b"DIRC\0\0\0\7" + b"a/b" * 99,
    ],
)
def test_garbage_has_no_folders(data):
    assert tracked_folders(data, 20) == frozenset()
    assert shared_index(data, 20) == ""
