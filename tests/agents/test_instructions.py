from __future__ import annotations

import hashlib
from collections import Counter
from functools import partial
from pathlib import Path

import anyio
import pytest

from agents.instructions import Included, Instructions
from memory.files import FakeFiles
from memory.generation import FileRecord, ProjectRecord
from memory.project_folder import ProjectFolder


def project(root: Path, files: dict[str, str], recorded: dict[str, str] | None = None) -> Instructions:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return Instructions({"shop": ProjectFolder(root, recorded if recorded is not None else dict.fromkeys(files, ""))})


@pytest.mark.specification("001 §4.1 instructions")
def test_instruction_files_of_the_root_and_of_sub_folders(tmp_path):
    instructions = project(tmp_path, {"CLAUDE.md": "", "api/AGENTS.md": "", "README.md": ""})
    assert instructions.files("shop") == ("CLAUDE.md", "api/AGENTS.md")
    assert instructions.files("nowhere") == ()


@pytest.mark.specification("001 §4.1 instructions")
async def test_includes_are_relative_to_the_file_that_says_them(tmp_path):
    files = {
        "api/CLAUDE.md": "@rules.md and (@../docs/style.md)",
        "api/rules.md": "@more.md",
        "api/more.md": "",
        "docs/style.md": "",
    }
    included = await project(tmp_path, files).included("shop", "api/CLAUDE.md")
    assert included == Included(("api/CLAUDE.md", "api/rules.md", "docs/style.md", "api/more.md"))


@pytest.mark.specification("001 §4.1 instructions")
async def test_a_path_without_an_ending_is_included_where_there_is_such_a_file(tmp_path):
    files = {"CLAUDE.md": "See @README, @docs/guide and @alice, not @../team.", "README": "", "docs/guide": ""}
    included = await project(tmp_path, files).included("shop", "CLAUDE.md")
    assert included == Included(("CLAUDE.md", "README", "docs/guide"))


async def test_code_and_addresses_include_nothing(tmp_path):
    text = "mail me@home.org, `@docs/a.md`\n\n```\n@docs/b.md\n```\n"
    assert await project(tmp_path, {"CLAUDE.md": text}).included("shop", "CLAUDE.md") == Included(("CLAUDE.md",))


async def test_a_cycle_is_said_and_followed_once(tmp_path):
    included = await project(tmp_path, {"CLAUDE.md": "@a.md", "a.md": "@CLAUDE.md @a.md"}).included("shop", "CLAUDE.md")
    assert included.paths == ("CLAUDE.md", "a.md")
    assert included.notes == ("a.md includes CLAUDE.md, which includes it", "a.md includes a.md, which includes it")


class Counting(ProjectFolder):
    """Counts how often each file is read."""

    def __init__(self, root, recorded):
        super().__init__(root, recorded)
        self.reads = Counter()

    def read(self, path):
        self.reads[path] += 1
        return super().read(path)


async def test_files_that_include_each_other_are_read_once(tmp_path):
    names = [f"r{number}.md" for number in range(12)]
    for name in names:
        (tmp_path / name).write_text(" ".join(f"@{other}" for other in names))
    folder = Counting(tmp_path, dict.fromkeys(names, ""))
    included = await Instructions({"shop": folder}).included("shop", "r0.md")
    assert included.paths == tuple(names)
    assert folder.reads == dict.fromkeys(names, 1)
    assert "r1.md includes r0.md, which includes it" in included.notes


async def test_more_than_a_hundred_files_are_said_to_be_left_out(tmp_path):
    files = {"CLAUDE.md": " ".join(f"@r{number}.md" for number in range(200))}
    files |= {f"r{number}.md": "" for number in range(200)}
    included = await project(tmp_path, files).included("shop", "CLAUDE.md")
    assert len(included.paths) == 100
    assert included.notes == ("CLAUDE.md includes more than 100 files: r99.md and others are left out",)


async def test_a_deadline_ends_the_reading(tmp_path):
    folder = project(tmp_path, {"CLAUDE.md": "@a.md", "a.md": ""})
    with anyio.move_on_after(0) as scope:
        await folder.included("shop", "CLAUDE.md")
    assert scope.cancelled_caught


async def test_what_is_missing_or_outside_is_said_and_not_read(tmp_path):
    (tmp_path / "secret.md").write_text("mine")
    root = tmp_path / "shop"
    root.mkdir()
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "notes.md").write_text("left out by .gitignore")
    text = "@gone.md @../secret.md @link.md @notes.md"
    included = await project(root, {"CLAUDE.md": text}).included("shop", "CLAUDE.md")
    assert included.paths == ("CLAUDE.md",)
    assert included.notes == (
        "CLAUDE.md includes ../secret.md, which is outside the project",
        "CLAUDE.md includes gone.md, which is not there",
        "CLAUDE.md includes link.md, which is not there",
        "CLAUDE.md includes notes.md, which is not indexed",
    )


async def test_where_the_folder_is_elsewhere_what_was_indexed_is_read(tmp_path):
    (tmp_path / "CLAUDE.md").write_text("@others.md")  # of another folder at the same path
    indexed = (FileRecord("CLAUDE.md", "", 1, 1), FileRecord("rules.md", "", 1, 1))
    folder = ProjectFolder.of(ProjectRecord("shop", str(tmp_path), files=indexed), stored=True)
    files = {"shop/CLAUDE.md": "@rules.md @gone.md", "shop/rules.md": "", "other/gone.md": ""}
    included = await Instructions({"shop": folder}, partial(FakeFiles, files)).included("shop", "CLAUDE.md")
    assert included == Included(("CLAUDE.md", "rules.md"), ("CLAUDE.md includes gone.md, which is not there",))


async def test_a_file_that_is_gone_includes_nothing(tmp_path):
    assert await project(tmp_path, {}).included("shop", "CLAUDE.md") == Included((), ("CLAUDE.md can't be read",))
    assert await project(tmp_path, {}).included("nowhere", "CLAUDE.md") == Included(("CLAUDE.md",))


def test_only_what_has_changed_is_read(tmp_path):
    text = "intro\n\n# Rules\n\n## Style\n\nShort.\n\n"
    same = {"CLAUDE.md": hashlib.sha256(text.encode()).hexdigest()}
    assert project(tmp_path, {"CLAUDE.md": text}, same).changed("shop") == {}
    [sections] = project(tmp_path, {"CLAUDE.md": text}).changed("shop").values()
    assert [(s.title, s.start_line, s.end_line, s.text) for s in sections] == [
        ("", 1, 1, "intro"),
        ("Style", 5, 7, "## Style\n\nShort."),
    ]
    assert project(tmp_path, {}).changed("nowhere") == {}


@pytest.mark.specification("001 §1 local")
def test_one_that_is_gone_empty_or_no_text_has_no_sections(tmp_path):
    assert project(tmp_path, {}, {"CLAUDE.md": ""}).changed("shop") == {"CLAUDE.md": []}
    assert project(tmp_path, {"CLAUDE.md": "\n"}).changed("shop") == {"CLAUDE.md": []}
    (tmp_path / "CLAUDE.md").write_bytes(b"\xff")
    assert project(tmp_path, {}, {"CLAUDE.md": ""}).changed("shop") == {"CLAUDE.md": []}
    assert project(tmp_path, {"AGENTS.md": "# New\n"}, {"CLAUDE.md": ""}).changed("shop") == {"CLAUDE.md": []}
    assert project(tmp_path / "elsewhere", {}, {"CLAUDE.md": ""}).changed("shop") == {}


@pytest.mark.specification("001 §4.1 instructions")
async def test_includes_stop_at_the_fifth_level(tmp_path):
    files = {"CLAUDE.md": "@l1.md", **{f"l{n}.md": f"@l{n + 1}.md" for n in range(1, 8)}}
    assert (await project(tmp_path, files).included("shop", "CLAUDE.md")).paths == (
        "CLAUDE.md",
        *(f"l{n}.md" for n in range(1, 6)),
    )
