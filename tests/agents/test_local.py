from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from agents import HybridSearch, LocalRetrievalAgent
from agents.local import named_files
from configs.settings import VectorSettings
from memory.project_folder import ProjectFolder
from memory.query import RecentItem, TaskContext
from memory.question import read_question
from tests.agents.library import EVERYONE, ROWS, library

NOWHERE = Path("/nowhere")
FOLDERS = {p: ProjectFolder(NOWHERE, {row[1]: "" for row in ROWS if row[0] == p}) for p in EVERYONE}
HERE = TaskContext(project="billing", allowed_projects=EVERYONE)


async def agent(folders=None, **options) -> LocalRetrievalAgent:
    search = HybridSearch(*await library(), VectorSettings())
    return LocalRetrievalAgent(search, folders or FOLDERS, **{"max_observations": 10, "floor": 0.2, **options})


@pytest.mark.specification("001 §4.1 instructions", "001 §7.1 LocalRetrievalAgent")
async def test_a_file_the_question_names_comes_first():
    found = await (await agent()).retrieve("What does our CLAUDE.md say about migrations and customers?", HERE)
    assert found[0].source_file == "CLAUDE.md"
    assert found[0].observation_type == "instruction"
    assert found[0].content == "Every migration needs two reviewers before noon."
    assert found[0].relevance_score >= 0.5


@pytest.mark.specification("001 §4.1 index", "001 §4.1 output", "001 §1 local")
async def test_it_never_leaves_the_project_in_hand():
    found = await (await agent()).retrieve("customers table key", HERE)
    assert {o.project for o in found} == {"billing"}
    assert {o.observation_type for o in found} <= {"instruction", "fact", "pattern"}
    assert {"fact", "pattern"} <= {o.observation_type for o in found}


@pytest.mark.specification("001 §4.1 index")
async def test_beside_larger_projects_the_project_is_searched_alone():
    store, *models = await library()

    class Crowded(HybridSearch):
        async def search(self, question, permission, **options):
            found = await super().search(question, permission, **options)
            return [one for one in found if one.chunk.project != "billing"] if len(permission) > 1 else found

    agent = LocalRetrievalAgent(Crowded(store, *models, VectorSettings()), FOLDERS, max_observations=10, floor=0.2)
    found = await agent.retrieve("customers table key", HERE)
    assert {o.project for o in found} == {"billing"}


async def test_what_is_beside_the_question_is_left_out():
    assert await (await agent(floor=0.9)).retrieve("rainfall in inches", HERE) == []


async def test_no_project_in_hand_or_a_forbidden_one_finds_nothing():
    nowhere = TaskContext(allowed_projects=EVERYONE)
    forbidden = TaskContext(project="billing", allowed_projects=frozenset({"auth"}))
    assert await (await agent()).retrieve("customers", nowhere) == []
    assert await (await agent()).retrieve("customers", forbidden) == []


@pytest.mark.specification("001 §5.1 source")
@pytest.mark.specification("001 §4.1 recent", "001 §4.1 output")
async def test_recent_context_counts_by_the_words_it_shares():
    recent = (RecentItem("We renamed customers to accounts.", "chat"), RecentItem("Lunch is at noon."), RecentItem(" "))
    here = TaskContext(allowed_projects=EVERYONE, recent=recent)
    found = await (await agent()).retrieve("what happened with customers", here)
    assert [(o.source_file, o.section, o.observation_type) for o in found] == [("recent", "chat", "context")]
    assert found[0].relevance_score == round(1 / 2, 6)  # customers, of happened and customers
    assert found[0].embedding is None


@pytest.mark.specification("001 §4.1 recent")
async def test_recent_context_that_says_more_comes_before_sections():
    said = "The customers table has a random uuid key."
    here = replace(HERE, recent=(RecentItem(said), RecentItem("A customers dinner.")))
    searcher = await agent(max_observations=2)
    assert said in [one.content for one in await searcher.retrieve("customers table random uuid key", here)]


async def test_a_question_without_words_has_no_recent_context():
    here = TaskContext(allowed_projects=EVERYONE, recent=(RecentItem("anything"),))
    assert await (await agent()).retrieve("? !", here) == []


async def test_the_limit_holds():
    assert len(await (await agent(max_observations=1)).retrieve("customers table", HERE)) == 1


def test_named_files():
    paths = ["CLAUDE.md", "docs/a.md", "docker-compose.yaml", "main.py", "src/main.py"]
    assert named_files(read_question("what does claude.md say"), paths) == ("CLAUDE.md",)
    assert named_files(read_question("which port in docker-compose?"), paths) == ("docker-compose.yaml",)
    assert named_files(read_question("see docs/a.md and src/main.py"), paths) == ("docs/a.md", "src/main.py")
    assert named_files(read_question("the main thing"), paths) == ()


def billing(root: Path, files: dict[str, str], *, indexed: dict[str, str] | None = None) -> dict[str, ProjectFolder]:
    """The project on disk, and what was indexed of it (the same, where nothing else is said)."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    recorded = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in (indexed or files).items()}
    return {"billing": ProjectFolder(root, recorded)}


@pytest.mark.specification("001 §5.1 source")
@pytest.mark.specification("001 §1 local")
async def test_an_instruction_file_that_has_changed_is_read_as_it_is(tmp_path):
    now = "# Rules\n\n## Migrations\n\nEvery migration needs three reviewers.\n\n## Style\n\nShort lines, we say.\n"
    folders = billing(tmp_path, {"CLAUDE.md": now}, indexed={"CLAUDE.md": "old"})
    found = await (await agent(folders)).retrieve("What does our CLAUDE.md say about migration reviewers?", HERE)
    assert found[0].content == "## Migrations\n\nEvery migration needs three reviewers."
    assert (found[0].section, found[0].locations[0].start_line, found[0].locations[0].end_line) == ("Migrations", 3, 5)
    assert found[0].embedding is None  # of the text that is there now
    assert found[0].metadata["fresh"]
    assert not any("two reviewers" in o.content for o in found)
    assert not any("Short lines" in o.content for o in found)
    all_of_it = await (await agent(folders)).retrieve("What does our CLAUDE.md say?", HERE)
    assert {o.section for o in all_of_it} == {"Migrations", "Style"}


@pytest.mark.specification("001 §1 local")
@pytest.mark.parametrize("asked", ["say about code review?", "say about zirconium?"])
async def test_what_a_named_file_says_now_is_told_in_other_forms_and_in_other_words(tmp_path, asked):
    folders = billing(
        tmp_path, {"CLAUDE.md": "# Rules\n\n## Reviews\n\nBy nine persons.\n"}, indexed={"CLAUDE.md": "old"}
    )
    found = await (await agent(folders)).retrieve(f"What does our CLAUDE.md {asked}", HERE)
    assert "By nine persons." in found[0].content


@pytest.mark.specification("001 §1 local")
async def test_a_changed_section_is_no_less_sure_than_what_was_indexed_under_its_heading(tmp_path):
    asked = "Every migration needs two reviewers before noon"
    [indexed] = [o for o in await (await agent()).retrieve(asked, HERE) if o.source_file == "CLAUDE.md"]
    now = "## Schema\n\nA migration is free.\n\n## Noon\n\nA migration is free.\n"
    found = await (await agent(billing(tmp_path, {"CLAUDE.md": now}, indexed={"CLAUDE.md": "old"}))).retrieve(
        asked, HERE
    )
    rated = {o.section: o.relevance_score for o in found if o.source_file == "CLAUDE.md"}
    assert rated["Schema"] == indexed.relevance_score > rated["Noon"]


@pytest.mark.specification("001 §1 local")
@pytest.mark.parametrize("now", [None, "", "# Rules\n"])
async def test_of_an_instruction_file_that_was_deleted_or_emptied_nothing_is_observed(tmp_path, now):
    folders = billing(tmp_path, {"CLAUDE.md": now or ""}, indexed={"CLAUDE.md": "old"})
    if now is None:
        (tmp_path / "CLAUDE.md").unlink()
    ours, asked = await agent(folders), "What does our CLAUDE.md say about migrations?"
    assert any(o.source_file == "CLAUDE.md" for o in await (await agent()).retrieve(asked, HERE))
    assert not any(o.source_file == "CLAUDE.md" for o in await ours.retrieve(asked, HERE))
    assert await ours.retrieve("customers table key", HERE)  # other files stand as they were indexed


@pytest.mark.specification("001 §4.1 instructions")
async def test_what_an_instruction_file_includes_counts_as_named(tmp_path):
    folders = billing(tmp_path, {"CLAUDE.md": "See @docs/schema.md and @docs/gone.md\n", "docs/schema.md": "x"})
    found = await (await agent(folders, floor=0.4)).retrieve("What does our CLAUDE.md say about invoices?", HERE)
    assert any(o.source_file == "docs/schema.md" for o in found)
    assert found[0].metadata["notes"] == ["CLAUDE.md includes docs/gone.md, which is not there"]
