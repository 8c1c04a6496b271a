"""Trees from clones: the commit's files, the folder's only, without what is left out."""

from __future__ import annotations

import subprocess

from benchmarks.crossrepo.checkout import main, write_tree
from benchmarks.crossrepo.sets import SETS, Repository


def test_the_files_of_the_commit_are_written(tmp_path):
    clone = tmp_path / "clone"
    for file in ("app/main.py", "app/data/large.bin", "docs/index.md"):
        (clone / file).parent.mkdir(parents=True, exist_ok=True)
        (clone / file).write_text(file)
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *identity, *arguments], cwd=clone, check=True)  # noqa: S603, S607 - our own arguments
    (clone / "app/main.py").write_text("changed since")
    repository = Repository("owner/clone", "HEAD", "app/", ("data/",))
    assert write_tree(clone / ".git", repository, tmp_path / "out") == 1
    assert (tmp_path / "out/main.py").read_text() == "app/main.py"


def test_a_missing_clone_is_named(tmp_path, capsys):
    assert main([str(SETS / "1"), str(tmp_path), str(tmp_path / "out")]) == 1
    assert "no clone of mozilla-services/autopush-rs" in capsys.readouterr().err
