from __future__ import annotations

import pytest

from indexing.repository import Repository, read_commit, read_repository

COMMIT, OTHER = "a" * 40, "b" * 40


def git(folder, **files):
    for name, text in files.items():
        file = folder / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_no_repository(tmp_path):
    assert read_repository(tmp_path) == Repository("", "")


def test_a_branch(tmp_path):
    git(tmp_path / ".git", HEAD="ref: refs/heads/main\n", refs__heads__main=f"{COMMIT}\n")
    assert read_repository(tmp_path).commit == COMMIT


def test_a_detached_head_and_a_longer_hash(tmp_path):
    git(tmp_path / ".git", HEAD=f"{'c' * 64}\n")
    assert read_repository(tmp_path).commit == "c" * 64


def test_packed_refs(tmp_path):
    packed = (
        f"# pack-refs with: peeled fully-peeled sorted\n{OTHER} refs/heads/main-2\n{COMMIT} refs/heads/main\n^{OTHER}\n"
    )
    (tmp_path / ".git").mkdir()
    git(tmp_path / ".git", HEAD="ref: refs/heads/main\n")
    assert read_repository(tmp_path).commit == "", "a branch without a commit"
    (tmp_path / ".git" / "packed-refs").write_text(packed)
    assert read_repository(tmp_path).commit == COMMIT
    git(tmp_path / ".git", refs__heads__main=OTHER)
    assert read_repository(tmp_path).commit == OTHER, "the loose ref is the newer"


@pytest.mark.parametrize(
    "head", ["", "nonsense", "ref: refs/../../secret", "ref: /etc/passwd", "ref: refs/heads/.invalid"]
)
def test_a_head_that_says_nothing(tmp_path, head):
    git(tmp_path / ".git", HEAD=head)
    git(tmp_path, secret=COMMIT)
    assert read_repository(tmp_path).commit == ""


def test_a_worktree(tmp_path):
    main = git(
        tmp_path / "main" / ".git",
        HEAD="ref: refs/heads/main\n",
        refs__heads__main=COMMIT,
        refs__heads__topic=OTHER,
        config='[remote "origin"]\n\turl = https://example.org/acme/billing.git\n',
    )
    git(main / "worktrees" / "topic", HEAD="ref: refs/heads/topic\n", commondir="../..\n")
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic" / ".git").write_text(f"gitdir: {main}/worktrees/topic\n")
    assert read_repository(tmp_path / "topic") == Repository("acme/billing", OTHER)
    assert read_repository(tmp_path / "main") == Repository("acme/billing", COMMIT)
    assert [read_commit(tmp_path / name) for name in ("topic", "main", "none")] == [OTHER, COMMIT, ""]


def test_a_submodule_and_a_file_that_only_looks_like_one(tmp_path):
    git(tmp_path / ".git" / "modules" / "lib", HEAD=COMMIT)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert read_repository(tmp_path / "lib").commit == COMMIT
    (tmp_path / "lib" / ".git").write_text("something else")
    assert read_repository(tmp_path / "lib") == Repository()


@pytest.mark.parametrize(
    ("url", "repo"),
    [
        ("https://github.com/acme/billing.git", "acme/billing"),
        ("https://github.com/acme/billing/", "acme/billing"),
        ("https://me:hunter2@example.org/acme/billing.git", "acme/billing"),
        ("git@github.com:acme/billing.git", "acme/billing"),
        ("ssh://git@example.org:2222/acme/billing", "acme/billing"),
        ("https://gitlab.example.org/group/sub/billing.git", "sub/billing"),
        ("/srv/git/billing.git", ""),
        ("../billing", ""),
        ("C:/srv/billing", ""),
        ("https://example.org/billing.git", ""),
    ],
)
def test_owner_and_name_of_origin(tmp_path, url, repo):
    config = f'[core]\n\tbare = false\n[remote "fork"]\n\turl = git@x.org:me/fork.git\n[remote "origin"]\n\turl = {url}\n\tfetch = +refs\n[branch "main"]\n'
    git(tmp_path / ".git", config=config)
    assert read_repository(tmp_path).repo == repo


def test_another_remotes_address_is_not_origins(tmp_path):
    git(
        tmp_path / ".git", config='[remote "origin"]\n\tfetch = +refs\n[remote "fork"]\n\turl = git@x.org:me/fork.git\n'
    )
    assert read_repository(tmp_path).repo == ""
