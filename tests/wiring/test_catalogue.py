from __future__ import annotations

import pytest

from memory.errors import UnknownProjectError
from memory.generation.manifest import Manifest, ProjectRecord
from memory.project_folder import ProjectFolder
from tests.repositories import git, lighthouse
from wiring.catalogue import ManifestCatalogue, files_called, permitted

ALL = frozenset({"auth", "billing", "crm"})


def test_what_is_checked_out_is_looked_up_once_a_second(tmp_path):
    root = lighthouse(tmp_path)
    first, last = git(root, "rev-parse", "v1^{commit}"), git(root, "rev-parse", "v2^{commit}")
    manifest = Manifest("n", "embedded", "model", 64, projects=(ProjectRecord("lighthouse", str(root), commit=first),))
    clock = iter((0.0, 0.9, 1.0))
    catalogue = ManifestCatalogue(manifest, seconds=lambda: next(clock))

    def head() -> str:
        return catalogue.commits(["lighthouse"])["lighthouse"]["head"]

    assert head() == last
    git(root, "checkout", "-q", "v1")
    assert [head(), head()] == [last, first]


def test_a_permission_names_only_what_may_be_seen():
    assert permitted(["auth", "crm", "auth"], ALL) == {"auth", "crm"}
    assert permitted([], ALL) == frozenset()
    with pytest.raises(UnknownProjectError, match=r"No project 'x' here\. Known: auth\.$"):
        permitted(["x", "auth", "y"], ALL)


def test_the_files_that_are_called_so_or_end_so_with_their_folders(tmp_path):
    shop = ProjectFolder(tmp_path, dict.fromkeys(["src/app.py", "App.py", "src/myapp.py"], ""))
    folders = {"shop": shop, "till": ProjectFolder(tmp_path, {"app.py": ""})}
    assert files_called(folders, "app.py", frozenset({"shop", "gone"})) == (("shop", "src/app.py"), ("shop", "App.py"))
    assert files_called(folders, "src/app.py", frozenset(folders)) == (("shop", "src/app.py"),)
    assert files_called(folders, "app.py", frozenset({"till"})) == (("till", "app.py"),)
    assert files_called(folders, "", frozenset()) == ()
