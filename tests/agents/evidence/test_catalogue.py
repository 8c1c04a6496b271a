from __future__ import annotations

import hashlib

import pytest

from agents.evidence import CataloguedProject, EvidenceCatalogue
from agents.evidence.catalogue import UnchangedFiles
from agents.evidence.request import checked_request, settle_request
from memory.errors import InvalidInputError
from memory.observations import Location
from memory.project_folder import ProjectFolder
from tests.agents.evidence.making import EVERYONE, catalogue

KIT = frozenset({"kit"})
PATHS = ["src/kit/tool.py", "src/kit/agent.py", "src/other/agent.py", "README.md", "docs/tools.md"]


def of(*paths, **more):
    """One project `one` with these files, and others."""
    projects = {"one": paths} | more
    return EvidenceCatalogue(
        "g", {name: CataloguedProject(name, dict.fromkeys(files, "code")) for name, files in projects.items()}
    )


def hint(paths, given):
    with pytest.raises(InvalidInputError) as raised:
        of(*paths).resolve([given], frozenset({"one"}))
    return raised.value.message, raised.value.hint


@pytest.mark.specification("000 §10 step 1")
def test_an_unknown_repository_is_an_error_that_lists_the_known():
    catalogue().check_repos(["google/kit", "google/guide"], EVERYONE)
    with pytest.raises(InvalidInputError) as raised:
        catalogue().check_repos(["google/kit", "google/nope"], EVERYONE)
    assert raised.value.message == "No repository 'google/nope' here."
    assert raised.value.hint == "Known: google/guide, google/kit."


def test_what_may_not_be_seen_is_not_known():
    with pytest.raises(InvalidInputError, match=r"Known: google/kit\."):
        catalogue().check_repos(["google/guide"], KIT)
    with pytest.raises(InvalidInputError, match="Known: none"):
        catalogue().check_repos(["google/kit"], frozenset())
    assert catalogue().find("docs/tools.md", KIT) == ()
    with pytest.raises(InvalidInputError) as raised:
        catalogue().resolve(["docs/tools.md"], KIT)
    assert "docs/" not in raised.value.hint


def test_the_projects_of_repositories():
    assert catalogue().of_repos(["google/kit"], EVERYONE) == KIT
    assert catalogue().of_repos((), EVERYONE) == EVERYONE
    assert catalogue().of_repos((), frozenset({"kit", "elsewhere"})) == KIT


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("src/kit/tool.py", "src/kit/tool.py"),
        (" src/kit/tool.py ", "src/kit/tool.py"),
        ("./README.md", "README.md"),
        ("/tool.py", "src/kit/tool.py"),
        ("kit/agent.py", "src/kit/agent.py"),
        ("one/src/kit/tool.py", "src/kit/tool.py"),
        ("one/src/kit/tool.py:12-30", "src/kit/tool.py"),
        ("src/kit/tool.py:7", "src/kit/tool.py"),
        ("agent.py", None),  # of two
        ("ool.py", None),  # no whole name
        ("two/src/kit/tool.py", None),
        ("", None),
    ],
)
@pytest.mark.specification("000 §6.4 policy")
def test_a_path_or_the_only_one_with_this_end_or_as_citations_have_it(given, path):
    assert of(*PATHS).find(given, frozenset({"one"})) == (() if path is None else (("one", path),))


def test_a_path_that_several_projects_have_names_all_and_one_with_its_project_that_alone():
    two = of("README.md", two=["README.md"])
    both = frozenset({"one", "two"})
    assert two.find("README.md", both) == (("one", "README.md"), ("two", "README.md"))
    assert two.find("two/README.md", both) == (("two", "README.md"),)
    assert two.find("two/README.md", frozenset({"one"})) == ()


@pytest.mark.specification("000 §6.4 policy")
def test_the_error_lists_the_nearest():
    message, near = hint(PATHS, "agent.py")
    assert message == "'agent.py' ends 2 indexed paths."
    assert near.startswith("Nearest: src/kit/agent.py, src/other/agent.py")
    message, near = hint(PATHS, "lib/tool.py")
    assert message == "'lib/tool.py' is no indexed path."
    assert near.startswith("Nearest: src/kit/tool.py, ")
    assert len(hint([f"x/{n}/a" for n in range(9)], "a")[1].split(", ")) == 5
    assert hint(["b"], "zzz/qqq")[1] == "Nearest: none."


def test_the_nearest_are_named_in_an_order_of_their_own():
    paths = ["z/kit/agent.py", "a/kit/agent.py", "m/n/tool.py", "b/n/tool.py", "tools.py/other"]
    assert hint(paths, "kit/agent.py")[1].startswith("Nearest: a/kit/agent.py, z/kit/agent.py")
    deep = hint(paths, "some/where/tool.py")[1]  # of this name, whatever folders it was looked for in
    assert deep.startswith("Nearest: b/n/tool.py, m/n/tool.py")


def test_where_the_files_are_not_known_both_corpora_are_possible():
    unknown = EvidenceCatalogue("g", {"kit": CataloguedProject("google/kit")})
    assert not unknown.has_files(KIT)
    assert unknown.corpora(KIT, ()) == {"code", "docs"}


@pytest.mark.specification("000 §8.2 quota")
def test_which_corpora_a_scope_can_yield():
    one = catalogue()
    assert one.corpora(EVERYONE, ()) == {"code", "docs"}
    assert one.corpora(KIT, ()) == {"code"}
    assert one.corpora(EVERYONE, [("guide", "docs/tools.md")]) == {"docs"}
    assert one.corpora(EVERYONE, [("guide", "docs/tools.md"), ("kit", "src/tool.py")]) == {"code", "docs"}


@pytest.fixture
def folders(tmp_path):
    """Project kit with two files as they were indexed, and one that has changed since."""
    texts = {"a.py": "one\ntwo\nthree\n", "b.py": "b\n", "changed.py": "now\n"}
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    recorded = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in texts.items()}
    return {"kit": ProjectFolder(tmp_path, recorded | {"changed.py": "0" * 64, "gone.py": "0" * 64})}


async def test_as_it_was_indexed_or_not_at_all(folders):
    files = UnchangedFiles(folders, frozenset({"kit"}))
    assert await files.file("kit", "a.py") == ["one", "two", "three"]
    for path in ("changed.py", "gone.py", "never.py", "../a.py"):
        assert await files.file("kit", path) is None
    assert await files.file("other", "a.py") is None


async def test_the_permission_holds_for_what_was_read_before(folders):
    read: dict = {}
    assert await UnchangedFiles(folders, frozenset({"kit"}), read).file("kit", "a.py")
    assert await UnchangedFiles(folders, frozenset({"other"}), read).file("kit", "a.py") is None


async def test_a_file_is_read_once_while_it_is_what_was_indexed(folders, tmp_path):
    files = UnchangedFiles(folders, frozenset({"kit"}))
    first = await files.file("kit", "a.py")
    assert await files.file("kit", "a.py") is first
    (tmp_path / "a.py").write_text("another text, and a longer one")
    assert await files.file("kit", "a.py") is None


async def test_what_was_read_is_bounded(folders):
    read = {("kit", str(n)): [""] for n in range(500)}
    await UnchangedFiles(folders, frozenset({"kit"}), read).file("kit", "a.py")
    assert list(read) == [("kit", "a.py")]


async def test_lines(folders):
    files = UnchangedFiles(folders, frozenset({"kit"}))
    assert await files.lines(Location("kit", "a.py", 2, 3)) == ["two", "three"]
    assert await files.lines(Location("kit", "a.py", 3, 4)) is None
    assert await files.lines(Location("kit", "gone.py", 1, 1)) is None


@pytest.mark.specification("000 §9.2 errors")
def test_of_a_collection_that_others_filled_no_repository_or_path_is_known_beforehand():
    foreign = EvidenceCatalogue("g", {"theirs": CataloguedProject("")})
    permission = frozenset({"theirs", "more"})
    foreign.check_repos(["g/k"], permission)
    assert foreign.of_repos(["g/k"], permission) == {"theirs"}
    asked = checked_request("a tool", "CONCEPTUAL", 5, repo_scope=["g/k"], path_scope=["docs/tools.md"])
    settled = settle_request(asked, foreign, permission)
    assert (settled.repo_scope, settled.path_scope, settled.projects) == (("g/k",), ("docs/tools.md",), {"theirs"})


@pytest.mark.specification("000 §7.4 D")
def test_a_collection_without_symbols_is_not_asked_for_one():
    projects = {"theirs": CataloguedProject("")}
    asked = checked_request("FunctionTool parameters", "API_LOOKUP", 5)
    for has_symbols, symbol in ((True, "FunctionTool"), (False, "")):
        foreign = EvidenceCatalogue("g", projects, has_symbols)
        assert settle_request(asked, foreign, frozenset(projects)).symbol == symbol
