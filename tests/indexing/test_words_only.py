"""Without a model an index has its words and its relations, is answered from those, and gets its vectors when there is one."""

from __future__ import annotations

import pytest

from agents.evidence import EvidenceRequest
from indexing import IndexRequest
from memory.embedders import FakeSource, WordsOnly
from memory.errors import NoModelError
from tests.organisation import CONFIG, ask, index, indexer, opened, plain, points, write
from wiring.evidence import open_evidence
from wiring.models import Models

NONE = WordsOnly(FakeSource().model, FakeSource().dimension)


@pytest.fixture
def anyio_backend():
    return "asyncio"  # stores work in threads, which virtual time does not wait for


@pytest.fixture
def org(tmp_path):
    return write(tmp_path / "org")


@pytest.fixture
async def data(tmp_path, org):
    report = await indexer(tmp_path / "data", source=NONE).run(IndexRequest([org], each=True), holder="x")
    assert (report.generation, report.embedded) == (1, 0.0)
    return tmp_path / "data"


async def test_the_index_has_no_vector(data):
    found = await points(data)
    assert found
    assert all(not point["dense"] and point["sparse"].indices for point in found)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("How does MooringDesk connect to Beacon?", "harbour/mooring.py"),
        ("What does our CLAUDE.md say about a pilot?", "CLAUDE.md"),
    ],
)
async def test_questions_are_answered_and_the_answer_says_what_it_lacks(data, question, place):
    async with opened(data, embedder=Models(NONE, NONE)) as orchestrator:
        result = await orchestrator.retrieve(question, {"project": "harbour"})
    assert result.status == "answered"
    assert place in str(result.to_dict()["citations"])
    assert all(citation.verified for citation in result.answer.citations)
    [lack] = result.answer.missing
    assert "by words and relations alone" in lack
    assert result.coverage.embedded == 0


async def test_an_index_that_has_its_vectors_is_asked_without_a_model_too(tmp_path, org):
    await index(tmp_path / "full", org, each=True)
    async with opened(tmp_path / "full", embedder=Models(NONE, NONE)) as orchestrator:
        result = await orchestrator.retrieve("Who gives ships their berth?", {"project": "harbour"})
    assert result.status == "answered"
    assert result.coverage.embedded == 0


async def test_evidence_is_found_by_words(data):
    async with open_evidence(data, config=CONFIG, dense=Models(NONE, NONE)) as retriever:
        pack = await retriever.retrieve(EvidenceRequest("MooringDesk"), frozenset({"harbour"}))
    assert pack.evidence[0].chunk.path == "harbour/mooring.py"


async def test_nothing_waits_for_a_model_a_second_time(data, org):
    report = await indexer(data, source=NONE).run(IndexRequest([org], each=True), holder="x")
    assert report.unchanged
    assert report.embedded == 0


async def test_when_there_is_a_model_the_vectors_follow(data, org, tmp_path):
    report = await index(data, org, each=True)
    assert (report.generation, report.embedded) == (2, 1.0)
    await index(tmp_path / "fresh", org, each=True)
    assert sorted(points_ := map(str, await points(data))) == sorted(map(str, await points(tmp_path / "fresh"))), (
        points_
    )
    question = "What are the rules of a mooring?"
    assert plain(await ask(data, question)) == plain(await ask(tmp_path / "fresh", question))


def test_no_model_is_loaded_and_says_what_to_install():
    with pytest.raises(NoModelError, match=r"hybrid-retrieval\[offline\]"):
        NONE.load()
