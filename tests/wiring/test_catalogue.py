from __future__ import annotations

import pytest

from memory.errors import UnknownProjectError
from memory.generation.manifest import Manifest, ProjectRecord
from tests.repositories import git, lighthouse
from wiring.catalogue import ManifestCatalogue, permitted

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
