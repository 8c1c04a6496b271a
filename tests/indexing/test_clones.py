"""What a list of sources may say, and what git fetches of it."""

from __future__ import annotations

import pytest

from indexing import IndexRequest
from indexing.clones import Clone, Listed, fetch, read_list
from indexing.repository import read_repository
from memory.disk import is_private
from memory.errors import InvalidInputError, UnavailableError
from tests.organisation import ask, index, indexer, recorded
from tests.repositories import git, lighthouse

QUESTION = "What does the Beacon do at night?"


@pytest.fixture
def repository(tmp_path):
    return lighthouse(tmp_path / "remote")


def listing(tmp_path, text):
    file = tmp_path / "sources.yaml"
    file.write_text(text)
    return file


def test_the_rows_of_a_list(tmp_path):
    file = listing(
        tmp_path,
        "- {name: shop, url: 'https://git.example.org/team/shop.git', ref: v2}\n"
        "- {name: cart, url: 'git@git.example.org:team/cart.git'}\n"
        "- {path: ../cellar}\n"
        "- {name: old, path: wine, ref: main}\n",
    )
    assert read_list(file) == [
        Listed("shop", url="https://git.example.org/team/shop.git", ref="v2"),
        Listed("cart", url="git@git.example.org:team/cart.git"),
        Listed("cellar", path=tmp_path.parent / "cellar"),
        Listed("old", url=str(tmp_path / "wine"), ref="main"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "can't be read"),
        ("a: b", "lists no projects"),
        ("[]", "lists no projects"),
        ("- a", "Project 1 of .* is no mapping of texts"),
        ("- {name: 3, path: a}", "has a name that is no text"),
        ("- {path: a}\n- {path: b, branch: c}", "Project 2 of .* has branch, which means nothing"),
        ("- {name: a}", "has to have one of url and path"),
        ("- {name: a, path: a, url: b}", "has to have one of url and path"),
        ("- {url: b}", "has no name that a folder could have: ''"),
        ("- {name: ../a, url: b}", "has no name that a folder could have"),
        ("- {name: a, path: b}", "is called a, its folder b"),
        ('- {name: a, url: b, ref: "x\\0"}', "has an option or a NUL in place of an address"),
        ("- {name: a, url: 'https://u:S/S@h/a.git'}", "has an address with .* or with a password"),
        ("- {name: a, url: 'https://h/a.git#S'}", "has an address with a query or a `#`"),
        ("- {name: a, url: 'u:S@h:a.git'}", "has an address with .* or with a password"),
        ("- {name: a, url: b, ref: }", "has a ref that is no text"),
        ("- {name: a, url: 'https://h/a.git?access_token=S'}", "has an address with a query"),
        ("- {name: a, url: b}\n- {name: a, url: c}", "lists a more than once"),
        ("- {name: a, url: b, ref: --upload-pack=x}", "has an option or a NUL in place of an address"),
    ],
)
def test_what_a_list_may_not_say(tmp_path, text, problem):
    with pytest.raises(InvalidInputError, match=problem):
        read_list(listing(tmp_path, text))


def test_a_list_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInputError, match="can't be read"):
        read_list(tmp_path / "sources.yaml")


def test_a_branch_a_tag_a_commit_and_the_same_again(tmp_path, repository):
    folder = tmp_path / "clones/lighthouse"
    first = git(repository, "rev-parse", "v1^{commit}")
    second = git(repository, "rev-parse", "HEAD")
    wanted = {"main": second, "v1": first, "HEAD": second, first: first}
    for ref, commit in wanted.items():
        assert fetch(Clone(f"file://{repository}", ref, str(folder))) == commit
    assert "is dark" in (folder / "README.md").read_text()
    assert is_private(folder)
    repository.rename(tmp_path / "moved")
    assert fetch(Clone(f"file://{repository}", first, str(folder))) == first  # it is there
    with pytest.raises(UnavailableError, match=r"main of file://.* can't be fetched: "):
        fetch(Clone(f"file://{repository}", "main", str(folder)))


def test_what_was_lost_of_a_pinned_commit_is_there_again(tmp_path, repository):
    first = git(repository, "rev-parse", "v1^{commit}")
    clone = Clone(str(repository), first, str(tmp_path / "clones/lighthouse"))
    fetch(clone)
    readme = tmp_path / "clones/lighthouse/README.md"
    said = readme.read_text()
    readme.unlink()
    (readme.parent / ".git/index.lock").touch()
    assert fetch(clone) == first
    assert readme.read_text() == said


@pytest.mark.parametrize("left", ["index.lock", "config.lock", "HEAD.lock", "HEAD"])
def test_what_a_killed_git_left_is_no_hindrance(tmp_path, repository, left):
    clone = Clone(str(repository), "v1", str(tmp_path / "clones/lighthouse"))
    fetch(clone)
    (tmp_path / "clones/lighthouse/.git" / left).write_bytes(b"")
    assert fetch(Clone(clone.url, "v2", clone.folder)) == git(repository, "rev-parse", "HEAD")


def test_a_file_in_a_clones_place(tmp_path, repository):
    (tmp_path / "lighthouse").write_text("mine")
    with pytest.raises(UnavailableError, match=r"lighthouse can't be made: File exists\. Remove what is in its place"):
        fetch(Clone(str(repository), "v1", str(tmp_path / "lighthouse")))


@pytest.mark.parametrize("named", [True, False])
def test_another_repository_is_left_alone(tmp_path, repository, monkeypatch, named):
    """As in a hook, where git names the user's; and where the data folder is within it."""
    mine = lighthouse(tmp_path / "mine")
    (mine / "README.md").write_text("hours of work")
    if named:
        names = {"GIT_DIR": mine / ".git", "GIT_WORK_TREE": mine, "GIT_INDEX_FILE": mine / ".git/index"}
        for name, value in names.items():
            monkeypatch.setenv(name, str(value))
    folder = mine / "index/clones/other"
    for ref in ("v1", "v2", "v1"):
        fetch(Clone(str(repository), ref, str(folder)))
    if named:
        (folder / ".git/HEAD").write_text("")
        fetch(Clone(str(repository), "v1", str(folder)))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    assert "is dark" in (folder / "README.md").read_text()
    assert (mine / "README.md").read_text() == "hours of work"
    assert git(mine, "rev-parse", "--abbrev-ref", "HEAD") == "main"
    assert git(mine, "status", "--porcelain", "--untracked-files=no") == "M README.md"


def test_a_password_is_neither_kept_nor_shown(tmp_path, repository):
    folder = tmp_path / "clones/lighthouse"
    fetch(Clone(str(repository), "v1", str(folder)))
    with pytest.raises(UnavailableError) as caught:
        fetch(Clone("ftp://me:hunter2@git.example.org/team/lighthouse.git", "main", str(folder)))
    assert "ftp://git.example.org/team/lighthouse.git" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in (folder / ".git/config").read_text()
    assert read_repository(folder).repo == "team/lighthouse"


async def test_listed_projects_are_indexed_and_fetched_again(tmp_path, repository):
    data = tmp_path / "data"
    rows = [Listed("harbour", path=tmp_path / "remote/harbour"), Listed("lighthouse", url=str(repository), ref="v1")]
    report = await indexer(data).run(IndexRequest(listed=rows), holder="a test")
    assert [(project.record.name, project.record.commit != "") for project in report.projects] == [
        ("harbour", False),
        ("lighthouse", True),
    ]
    assert "dark" in (await ask(data, QUESTION))["answer"]["text"]
    assert (await indexer(data).run(IndexRequest(listed=rows), holder="a test")).unchanged
    rows[1] = Listed("lighthouse", url=str(repository))
    assert not (await indexer(data).run(IndexRequest(listed=rows), holder="a test")).unchanged
    assert "signals" in (await ask(data, QUESTION))["answer"]["text"]
    assert (await index(data)).unchanged  # what is indexed, as it is
    assert [row["name"] for row in recorded(data)] == ["harbour", "lighthouse"]
    assert [clone.name for clone in (data / "clones").iterdir()] == ["lighthouse"]
    await index(data, remove=["lighthouse"])
    assert list((data / "clones").iterdir()) == []


async def test_a_repository_or_a_folder_that_cannot_be_had_costs_the_others_nothing(tmp_path, repository):
    data = tmp_path / "data"
    good = [Listed("harbour", path=tmp_path / "remote/harbour"), Listed("lighthouse", url=str(repository), ref="v1")]
    bad = [Listed("pier", url=str(tmp_path / "nowhere")), Listed("mole", path=tmp_path / "gone")]
    report = await indexer(data).run(IndexRequest(listed=[bad[0], *good, bad[1]]), holder="a test")
    assert [row["name"] for row in recorded(data)] == ["harbour", "lighthouse"]
    assert list(report.unreached) == ["mole", "pier"]
    assert "can't be fetched" in report.unreached["pier"]
    assert report.to_dict(1)["unreached"][0] == {
        "project": "mole",
        "because": f"There is no folder {tmp_path / 'gone'}.",
    }
    away = [good[0], Listed("lighthouse", url=str(tmp_path / "nowhere"))]
    again = await indexer(data).run(IndexRequest(listed=away), holder="a test")
    assert (again.unchanged, list(again.unreached)) == (True, ["lighthouse"])
    assert [row["name"] for row in recorded(data)] == ["harbour", "lighthouse"]
    with pytest.raises(UnavailableError, match="can't be fetched"):
        await indexer(data).run(IndexRequest(listed=[bad[0]]), holder="a test")
