from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from agents import HybridSearch, VectorRetrievalAgent
from configs.settings import VectorSettings
from memory.entities import EvidenceFile, Scope
from memory.files import ChunkedFiles, FakeFiles
from memory.observations import Location
from memory.query import TaskContext
from memory.question import read_question
from memory.vector import DENSE_CODE, SPARSE_LEXICAL, Point, VectorQuery
from tests.agents.library import EVERYONE, ROWS, chunk, library

HERE = TaskContext(allowed_projects=EVERYONE)


async def agent(**options) -> VectorRetrievalAgent:
    store, dense, sparse = await library()
    search = HybridSearch(store, dense, sparse, VectorSettings())
    return VectorRetrievalAgent(search, partial(ChunkedFiles, store), **{"max_observations": 10, **options})


@pytest.mark.specification("001 §4.3 output", "001 §7.1 VectorRetrievalAgent")
async def test_a_hit_is_told_with_its_place_and_what_it_is():
    found = await (await agent()).retrieve("millimetres of inches", HERE)
    first = found[0]
    assert (first.source_project, first.source_file, first.observation_type) == ("weather", "rain.py", "code")
    assert first.locations == (Location("weather", "rain.py", 1, 2),)
    assert first.entities_mentioned == ("millimetres",)
    assert first.metadata["corpus"] == "code"
    assert first.embedding_model == "fake-bag-of-words"
    assert len(first.embedding) == 64


async def test_one_file_is_one_observation_and_the_others_lines_are_told():
    found = await (await agent()).retrieve("customers table random uuid key", HERE)
    files = [(o.source_project, o.source_file) for o in found]
    assert len(files) == len(set(files))
    schema = next(o for o in found if o.source_project == "billing" and o.source_file == "docs/schema.md")
    assert schema.metadata["also"] == [{"start_line": 4, "end_line": 5}]


async def test_another_dated_version_of_a_section_is_an_observation_of_its_own():
    rows = [
        ("billing", "keep.md", 1, "docs", "Updated: 2021-11-02\nMessages are kept for a year.", ""),
        ("billing", "keep.md", 4, "docs", "Updated: 2024-04-15\nMessages are kept for a quarter.", ""),
        ("billing", "keep.md", 7, "docs", "Messages are kept for nobody else.", ""),
    ]
    store, dense, sparse = await library(rows)
    search = HybridSearch(store, dense, sparse, VectorSettings())
    searcher = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=10)
    here = TaskContext(allowed_projects=frozenset({"billing"}))
    found = await searcher.retrieve("messages kept for a year, updated when?", here)
    assert [o.locations[0].start_line for o in found] == [1, 4]
    assert [o.metadata.get("also") for o in found] == [[{"start_line": 7, "end_line": 8}], None]


SAME = "def retry(call): return call() or call()"
COPIES = [
    *[(f"team{n}", "retry.py", 1, "code", SAME, "retry") for n in range(4)],
    ("team4", "other.py", 1, "code", "def retry(thing): return thing()", "retry"),
    ("team5", "third.py", 1, "code", "def call(thing): return thing()", "call"),
]
TEAMS = TaskContext(allowed_projects=frozenset(row[0] for row in COPIES))


async def test_equal_texts_are_one_observation_with_the_places_of_all():
    store, dense, sparse = await library(COPIES)
    search = HybridSearch(store, dense, sparse, VectorSettings())
    searcher = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=3)
    found = await searcher.retrieve(SAME, TEAMS)
    assert found[0].locations == tuple(Location(f"team{n}", "retry.py", 1, 2) for n in range(4))
    # the copies take no place of what comes after them
    assert {o.source_file for o in found} == {"retry.py", "other.py", "third.py"}


async def test_what_differs_a_little_is_not_folded():
    rows = [(f"team{n}", "retry.py", 1, "code", f"{SAME} # {n}", "retry") for n in range(4)]
    store, dense, sparse = await library(rows)
    search = HybridSearch(store, dense, sparse, VectorSettings())
    searcher = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=10)
    found = await searcher.retrieve(SAME, TEAMS)
    assert sorted(o.source_project for o in found) == [f"team{n}" for n in range(4)]


async def test_a_copy_that_may_not_be_seen_is_no_place():
    store, dense, sparse = await library(COPIES)
    search = HybridSearch(store, dense, sparse, VectorSettings())
    searcher = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=3)
    [first, *_] = await searcher.retrieve(SAME, TaskContext(allowed_projects=frozenset({"team1", "team2"})))
    assert first.locations == tuple(Location(f"team{n}", "retry.py", 1, 2) for n in (1, 2))


async def test_the_project_in_hand_is_before_its_equals():
    store, dense, sparse = await library(COPIES[:4])
    search = HybridSearch(store, dense, sparse, VectorSettings())
    searcher = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=3)
    [only] = await searcher.retrieve(SAME, replace(TEAMS, project="team2"))
    assert [at.project for at in only.locations] == ["team2", "team0", "team1", "team3"]


async def test_more_a_file_when_asked():
    found = await (await agent(max_per_file=2)).retrieve("customers table uuid", HERE)
    assert [o.source_file for o in found if o.source_project == "billing"].count("docs/schema.md") == 2


@pytest.mark.specification("001 §4.3 context")
async def test_the_text_around_comes_from_the_file():
    found = await (await agent()).retrieve("customers table random uuid key", HERE)
    first = next(o for o in found if o.source_project == "billing" and o.source_file == "docs/schema.md")
    assert first.chunk_context == "…\n\nThe invoices table references customers by uuid.\n"
    alone = next(o for o in found if o.source_project == "auth")
    assert alone.chunk_context is None


@pytest.mark.specification("001 §4.3 context")
async def test_three_lines_before_a_chunk_and_three_behind_it():
    told = ["one\ntwo", "three\nfour", "A quilt.\nIt is sewn.", "seven\neight", "nine\nten"]
    rows = [("billing", "a.md", 1 + 2 * place, "docs", lines, "") for place, lines in enumerate(told)]
    store, dense, sparse = await library(rows)
    search = HybridSearch(store, dense, sparse, VectorSettings())
    found = await VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=1).retrieve("quilt", HERE)
    assert found[0].chunk_context == "two\nthree\nfour\n…\nseven\neight\nnine"


async def test_a_file_that_is_not_what_was_indexed_gives_no_context():
    store, dense, sparse = await library([("billing", "CLAUDE.md", 3, "docs", "A quilt.\nIt is sewn.", "")])
    search = HybridSearch(store, dense, sparse, VectorSettings())
    for lines, around in ((["one", "two"], "one\ntwo\n…"), (["new", "one", "two"], None)):
        now = {"billing/CLAUDE.md": "\n".join([*lines, "A quilt.", "It is sewn."])}
        searcher = VectorRetrievalAgent(search, partial(FakeFiles, now), max_observations=1)
        [found] = await searcher.retrieve("quilt", HERE)
        assert found.chunk_context == around


async def test_points_whose_vectors_are_still_to_come_are_found_by_their_words():
    """Every second one, and all but one: an index whose text was published first."""
    for bare in (ROWS[::2], ROWS[1:]):
        store, dense, sparse = await library()
        await store.upsert([Point(one := chunk(*row), sparse.embed_document(one.text)) for row in bare])
        share = 1 - len(bare) / len(ROWS)
        search = HybridSearch(store, dense, sparse, VectorSettings(), embedded=lambda _, share=share: share)
        searcher = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=10)
        found = await searcher.retrieve("millimetres of inches", HERE)
        first = found[0]
        assert (first.source_project, first.source_file) == ("weather", "rain.py")
        assert (first.embedding is None) == (ROWS[5] in bare) == (first.embedding_model == "")
        assert 0.5 < first.similarity_score <= 1.0
        found = await searcher.retrieve("customers table random uuid key", HERE, Scope(projects=["billing"]))
        assert (found[0].source_project, found[0].source_file) == ("billing", "docs/schema.md")
        assert [o.similarity_score for o in found] == sorted((o.similarity_score for o in found), reverse=True)


async def test_by_a_vector_alone_chunks_are_found_and_not_observations():
    store, dense, sparse = await library()
    searcher = VectorRetrievalAgent(
        HybridSearch(store, dense, sparse, VectorSettings()), partial(ChunkedFiles, store), max_observations=1
    )
    vector = (await dense.embed_queries(["customers table"]))[0].tolist()
    hits = await searcher.nearest(vector, EVERYONE, 3)
    assert [hit.chunk.path for hit in hits[:2]] == ["docs/schema.md", "docs/schema.md"]
    assert len(hits) == 3


async def test_the_limit_holds():
    assert len(await (await agent(max_observations=2)).retrieve("customers table", HERE)) == 2


@pytest.mark.specification("001 §4.3 scope", "001 §7.1 VectorRetrievalAgent")
async def test_the_strength_of_the_scope():
    scope = Scope(["auth"])
    strict = await (await agent(strength="strict")).retrieve("customers table", HERE, scope)
    assert {o.source_project for o in strict} == {"auth"}
    soft = await (await agent()).retrieve("customers table", HERE, scope)
    assert {o.metadata["in_scope"] for o in soft} == {True, False}


async def test_what_is_done_to_a_project_is_looked_for_in_the_others():
    question = replace(read_question("Who uses auth?"), projects=("auth",))
    found = await (await agent()).retrieve(question.text, replace(HERE, question=question))
    assert found
    assert "auth" not in {o.source_project for o in found}
    assert "auth" in {o.source_project for o in await (await agent()).retrieve("Who uses auth?", HERE)}


@pytest.mark.specification("001 §2.3 phase 2", "001 §4.3 scope")
@pytest.mark.parametrize("strength", ["soft", "strict"])
async def test_a_scope_that_is_guessed_changes_nothing(strength):
    searcher, guess = await agent(strength=strength), Scope(["auth"], guessed=True)
    found = await searcher.retrieve("customers table", HERE, guess)
    assert found == await searcher.retrieve("customers table", HERE)
    assert found != await searcher.retrieve("customers table", HERE, Scope(["auth"]))


async def test_evidence_is_told():
    scope = Scope((), files=(EvidenceFile("weather", "rain.py", 1.0, "CALLS rain"),))
    found = await (await agent()).retrieve("customers table", HERE, scope)
    assert [o.metadata["evidence"] for o in found if "evidence" in o.metadata] == ["CALLS rain"]


async def test_nothing_permitted_nothing_found():
    assert await (await agent()).retrieve("customers", TaskContext(allowed_projects=frozenset())) == []


@pytest.mark.specification("001 §1 scope", "001 §2.3 phase 2")
async def test_a_scope_turns_noise_into_relevant_hits():
    told = "The customer table pattern"
    noise = [(f"noise{n}", "a.md", 1, "docs", f"{told} of quilt {n}.", "") for n in range(497)]
    right = [(name, "a.md", 1, "docs", f"{told} of {name}: an identifier.", "") for name in ("auth", "billing", "crm")]
    store, dense, sparse = await library([*noise, *right])
    everyone = TaskContext(allowed_projects=frozenset(row[0] for row in [*noise, *right]))
    search = HybridSearch(store, dense, sparse, VectorSettings())
    strict = VectorRetrievalAgent(search, partial(ChunkedFiles, store), strength="strict", max_observations=10)
    names = {"auth", "billing", "crm"}
    free = await strict.retrieve("customer table patterns", everyone)
    scoped = await strict.retrieve("customer table patterns", everyone, Scope(sorted(names)))
    assert sum(o.source_project in names for o in free) / len(free) <= 0.3
    assert {o.source_project for o in scoped} == names


@pytest.mark.specification("001 §4.3 output")
async def test_documents_code_and_examples_are_told_apart():
    store, dense, sparse = await library()
    [points] = await store.query_batch(
        [VectorQuery("", None, 9, (), (DENSE_CODE, SPARSE_LEXICAL))], permission=frozenset({"weather"})
    )
    rain = next(hit for hit in points if hit.chunk.path == "rain.py")
    await store.upsert([Point(replace(rain.chunk, chunk_kind="example"), rain.sparse, rain.dense)])
    search = HybridSearch(store, dense, sparse, VectorSettings())
    agent = VectorRetrievalAgent(search, partial(ChunkedFiles, store), max_observations=10)
    found = await agent.retrieve("millimetres of inches, customers table, class Customer", HERE)
    types = {(o.source_project, o.source_file): o.observation_type for o in found}
    assert types["weather", "rain.py"] == "example"
    assert types["billing", "docs/schema.md"] == "documentation"
    assert types["billing", "billing/models.py"] == "code"
