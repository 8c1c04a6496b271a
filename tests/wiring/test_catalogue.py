from __future__ import annotations

from memory.generation.manifest import Manifest, ProjectRecord
from tests.repositories import git, lighthouse
from wiring.catalogue import ManifestCatalogue


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
