from __future__ import annotations

import os
from shutil import rmtree

import pytest

from indexing.discovery import discover
from indexing.repository import Repository, read_commit, read_repository, shared_index, tracked_folders
from tests import repositories
from tests.organisation import write

COMMIT, OTHER = "a" * 40, "b" * 40


def git(folder, **files):
    for name, text in files.items():
        file = folder / name.replace("__", "/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


@pytest.mark.specification("000 §6.3 fields")
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
    git(
        main / "worktrees" / "topic",
        HEAD="ref: refs/heads/topic\n",
        commondir="../..\n",
        gitdir=f"{tmp_path}/topic/.git\n",
    )
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic" / ".git").write_text(f"gitdir: {main}/worktrees/topic\n")
    assert read_repository(tmp_path / "topic") == Repository("acme/billing", OTHER)
    assert read_repository(tmp_path / "main") == Repository("acme/billing", COMMIT)
    assert [read_commit(tmp_path / name) for name in ("topic", "main", "none")] == [OTHER, COMMIT, ""]


@pytest.mark.specification("000 §8.1 item", "000 §6.3 fields")
@pytest.mark.parametrize("layout", [("--index-version", "2"), ("--index-version", "4"), ("--split-index",)])
def test_a_folder_inside_a_repository_has_its_commit_where_it_has_files_of_it(tmp_path, layout):
    origin = '[remote "origin"]\n\turl = https://example.org/acme/all.git\n'
    for name in ("services/auth", "services/billing", "services/ignored", "old-services/ignored"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "app.py").touch()
    repositories.git(tmp_path, "init", "-q")
    repositories.git(tmp_path, "update-index", *layout)
    repositories.git(tmp_path, "add", "services/auth", "services/billing", "old-services")
    git(tmp_path / ".git", HEAD=COMMIT, config=origin)
    (tmp_path / "link").symlink_to(tmp_path / "services/billing")
    assert read_repository(tmp_path / "services/billing") == Repository("", COMMIT)
    assert read_repository(tmp_path / "link") == Repository("", COMMIT)
    assert read_repository(tmp_path / "services/ignored") == Repository()
    assert read_repository(tmp_path) == Repository("acme/all", COMMIT)
    assert read_commit(tmp_path / "services/billing") == COMMIT
    (tmp_path / "services/billing/.git").mkdir()
    assert read_repository(tmp_path / "services/billing") == Repository(), "its own one has no commit"


def test_a_submodule_and_a_file_that_only_looks_like_one(tmp_path):
    git(tmp_path / ".git" / "modules" / "lib", HEAD=COMMIT, config="[core]\n\tworktree = ../../../lib\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert read_repository(tmp_path / "lib").commit == COMMIT
    (tmp_path / "lib" / ".git").write_text("something else")
    assert read_repository(tmp_path / "lib") == Repository()


@pytest.fixture
def theirs(tmp_path):
    """A repository beside the project, with a worktree and a submodule of its own."""
    config = '[remote "origin"]\n\turl = https://example.org/acme/private.git\n'
    top = git(tmp_path / "theirs" / ".git", HEAD=COMMIT, config=config)
    git(top / "worktrees" / "topic", HEAD=COMMIT, commondir="../..\n", gitdir=f"{tmp_path}/topic/.git\n")
    git(top / "modules" / "lib", HEAD=COMMIT, config=f"[core]\n\tworktree = ../../../lib\n{config}")
    (tmp_path / "ours").mkdir()
    return top


@pytest.mark.parametrize("place", ["", "worktrees/topic", "modules/lib"])
def test_another_folders_repository_is_not_looked_into(tmp_path, theirs, place):
    (tmp_path / "ours" / ".git").write_text(f"gitdir: {theirs / place}\n")
    assert read_repository(tmp_path / "ours") == Repository()
    (tmp_path / "ours" / ".git").unlink()
    (tmp_path / "ours" / ".git").symlink_to(theirs / place)
    assert read_repository(tmp_path / "ours") == Repository()


@pytest.mark.parametrize("file", ["HEAD", "config", "commondir", "packed-refs", "refs"])
def test_no_file_of_a_repository_leads_out_of_it(tmp_path, theirs, file):
    ours = git(tmp_path / "ours" / ".git", HEAD="ref: refs/heads/main")
    git(theirs, refs__heads__main=COMMIT, packed_refs=f"{COMMIT} refs/heads/main\n")
    (theirs / "packed_refs").rename(theirs / "packed-refs")
    if file == "commondir":
        (ours / file).write_text(str(theirs))
    else:
        (ours / file).unlink(missing_ok=True)
        (ours / file).symlink_to(theirs / file)
    assert read_repository(tmp_path / "ours") == Repository()


@pytest.mark.parametrize("file", ["", "HEAD", "config", "commondir", "packed-refs", "refs/heads/main", "info/exclude"])
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path, file):
    ours = git(tmp_path / ".git", HEAD="ref: refs/heads/main", info__other="")
    (ours / "refs/heads").mkdir(parents=True)
    if file:
        (ours / file).unlink(missing_ok=True)
        os.mkfifo(ours / file)
    else:
        rmtree(ours)
        os.mkfifo(ours)
    assert read_repository(tmp_path) == Repository()
    assert read_commit(tmp_path) == ""
    assert discover(tmp_path, max_file_bytes=100).commit == ""


@pytest.mark.parametrize("pointer", ["gitdir: .git\n", "gitdir: a\0b\n", "gitdir:\n", f"gitdir: {'x/' * 3000}\n"])
def test_a_pointer_that_leads_nowhere(tmp_path, pointer):
    (tmp_path / ".git").write_text(pointer)
    assert read_repository(tmp_path) == Repository()
    (tmp_path / ".git").unlink()
    (tmp_path / ".git").symlink_to(".git")
    assert read_repository(tmp_path) == Repository()


@pytest.mark.specification("000 §6.3 fields")
@pytest.mark.parametrize(
    ("url", "repo"),
    [
        ("https://github.com/acme/billing.git", "acme/billing"),
        ("https://github.com/acme/billing/", "acme/billing"),
        ("https://me:hunter2@example.org/acme/billing.git", "acme/billing"),
        ("git@github.com:acme/billing.git", "acme/billing"),
        ("ssh://git@example.org:2222/acme/billing", "acme/billing"),
        ("https://gitlab.example.org/group/sub/billing.git", "group/sub/billing"),
        ("git@gitlab.example.org:group/sub/billing.git", "group/sub/billing"),
        ("https://acme@dev.azure.com/acme/shop/_git/billing", "acme/shop/billing"),
        ("https://example.org/acme/billing.git?ref=main", "acme/billing"),
        ('"https://example.org/acme/billing.git#main"', "acme/billing"),
        ('"https://example.org/acme/billing"', "acme/billing"),
        ("https://example.org/acme/billing ; ours", "acme/billing"),
        ("https://example.org/acme/billing.git#ours", "acme/billing"),
        ("HTTPS://example.org/acme/billing.git", "acme/billing"),
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


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_each_folder_that_has_files_and_those_around_it(tmp_path, version):
    write(tmp_path, {"shop": {"a/b/c.py": "1", "a/d.py": "2", "legacy-a/e.py": "3", "f.py": "4", "new/g.py": "5"}})
    repositories.git(tmp_path / "shop", "init", "-q")
    repositories.git(tmp_path / "shop", "update-index", "--index-version", version)
    repositories.git(tmp_path / "shop", "add", "a/b", "legacy-a", "f.py")
    repositories.git(tmp_path / "shop", "add", "--intent-to-add", "new")  # an entry that is extended
    data = (tmp_path / "shop/.git/index").read_bytes()
    assert tracked_folders(data, 20) == {"a", "a/b", "legacy-a", "new"}
    assert shared_index(data, 20) == ""


def test_a_split_one_names_its_shared_one(tmp_path):
    write(tmp_path, {"shop": {"a/b.py": "1"}})
    repositories.git(tmp_path / "shop", "init", "-q")
    repositories.git(tmp_path / "shop", "add", ".")
    repositories.git(tmp_path / "shop", "update-index", "--split-index")
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
