"""What an agent reports is whole, of bounded size, and can be written down; whatever is not so is refused or mended."""

from __future__ import annotations

import json
import math
from collections import UserList
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from memory.entities import Entity, Evidence, EvidenceFile, Relationship, Scope, ScopedProject
from memory.errors import InvalidAnswerError
from memory.observations import GraphObservation, LocalObservation, Location, VectorObservation
from memory.text.output import json_ready
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.checking import MOST_CHARS, checked, checked_scope, encodable
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found

HALF = "\ud83d"
QUESTION = "How do other teams handle retries for customer tables?"
TEXT = "Retries for customer tables back off three times."


def hit(content="x", **fields):
    given = {"source_file": "f", "source_project": "p", "similarity_score": 0.5, "chunk_context": None}
    return VectorObservation(content, observation_type="code", **{**given, **fields})


def edge(**fields):
    return Relationship(Entity("A"), "CALLS", Entity("B"), **fields)


def graph(content="x", **fields):
    given = {"entities": [], "relationships": [], "source_projects": []}
    return GraphObservation(content, hop_depth=1, confidence=0.5, observation_type="entity", **{**given, **fields})


WITH_HALVES = {
    "content": hit(HALF + "x"),
    "file": hit(source_file=f"bad{HALF}.md"),
    "project": hit(source_project=HALF),
    "context": hit(chunk_context=HALF),
    "location": hit(locations=(Location("p", HALF, 1, 2),)),
    "mentioned": hit(entities_mentioned=("sound", HALF)),
    "mentioned in a list of another kind": hit(entities_mentioned=UserList([HALF])),
    "metadata": hit(metadata={"a": [{"b": (HALF,)}]}),
    "a key": hit(metadata={HALF: 1}),
    "a set": hit(metadata={"a": {HALF}}),
    "an error": hit(metadata={"a": ValueError(HALF)}),
    "a dataclass": hit(metadata={"a": Location(HALF, "f", 1, 1)}),
    "model": hit(embedding=[0.1, 0.2], embedding_model=HALF),
    "section": LocalObservation("x", "f", HALF, 0.5, "fact"),
    "entity": graph(entities=[Entity("A"), Entity(HALF)]),
    "summary": graph(entities=(Entity("A", summary=HALF),)),
    "projects": graph(source_projects=[HALF]),
    "relation": graph(relationships=[edge(path=HALF)]),
    "an end of a relation": graph(relationships=[replace(edge(), target=Entity(HALF))]),
    "evidence": graph(relationships=[edge(evidence=(Evidence("r", "p", "f", 1, HALF),))]),
}


@pytest.mark.parametrize("given", WITH_HALVES.values(), ids=WITH_HALVES)
def test_half_a_surrogate_pair_is_replaced_wherever_it_stands(given):
    observation, rating = checked(given)
    assert "\ufffd" in repr(observation)
    assert HALF not in f"{observation}"
    assert "\\ud83d" not in repr(observation)
    assert (type(observation), rating) == (type(given), 0.5)
    json.dumps(json_ready(observation.metadata), ensure_ascii=False).encode()


@pytest.mark.parametrize("given", WITH_HALVES.values(), ids=WITH_HALVES)
async def test_it_never_leaves_a_question(given):
    given = replace(given, content=given.content.replace("x", TEXT))
    one = HybridRetrievalOrchestrator(vector=FakeAgent([given, found(TEXT)]))
    result = await one.retrieve(QUESTION)
    json.dumps(result.to_dict(), ensure_ascii=False).encode()
    assert result.coverage.agents[2].status == "ok"


async def test_half_a_pair_in_an_error_or_a_scope_never_leaves_a_question():
    scope = Scope(["p" + HALF], (EvidenceFile("p", HALF),), (HALF,))
    one = HybridRetrievalOrchestrator(
        local=FakeAgent(error=OSError(HALF)), vector=FakeAgent([found(TEXT)]), graph=FakeGraphAgent(scope=scope)
    )
    result = await one.retrieve(QUESTION)
    json.dumps(result.to_dict(), ensure_ascii=False).encode()
    assert result.coverage.agents[0].reason == "OSError: \ufffd"


async def test_no_control_character_of_an_agent_stands_in_an_answer():
    given = LocalObservation(f"{TEXT}\x1b[31m", "retries\x1b.md", "T\x1b", 0.9, "fact")
    result = await HybridRetrievalOrchestrator(local=FakeAgent([given])).retrieve(QUESTION)
    assert TEXT in result.answer.text
    assert "\x1b" not in result.answer.text


def test_what_is_whole_is_left_as_it_is():
    for given in (hit("🚢 größer"), graph(entities=[Entity("Größe")]), hit(metadata={"a": date(2025, 1, 1)})):
        assert checked(given)[0] is given
    assert encodable("🚢") == "🚢"


def test_a_long_text_is_cut():
    assert len(checked(hit("word " * 2_000_000))[0].content) <= MOST_CHARS
    assert checked(hit(" " * 50_000 + "x"))[0].content == "x"
    assert checked(hit("y" * MOST_CHARS))[0].content == "y" * MOST_CHARS


def nested(depth):
    inner: list = []
    for _ in range(depth):
        inner = [inner]
    return inner


def round_in_itself():
    inner: dict = {}
    inner["again"] = inner
    return inner


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (hit(source_file="f" * 200_000), "more than 100000 characters beside its content"),
        (hit(metadata={"a": "x" * 200_000}), "more than 100000 characters beside its content"),
        (hit(entities_mentioned=["x"] * 1_001), "entities_mentioned: 1001 are more than 1000"),
        (hit(locations=(Location("p", "f", 1, 1),) * 1_001), "locations: 1001 are more than 1000"),
        (graph(entities=[Entity("A")] * 1_001), "entities: 1001 are more than 1000"),
        (graph(relationships=[edge(lines=(1,) * 1_001)]), "relationships: 1001 are more than 1000"),
        (hit(embedding=np.zeros(65_537)), "embedding: 65537 numbers are more than 65536"),
        (hit(metadata={"a": list(range(1_001))}), "metadata: more than 1000 values"),
        (hit(metadata={"a": [[1] * 999] * 2}), "metadata: more than 1000 values"),
        (hit(metadata={"a": np.zeros(2_000)}), "metadata: more than 1000 values"),
        (hit(metadata={"a": nested(5_000)}), "metadata: nested deeper than 20"),
        (hit(metadata=round_in_itself()), "metadata: nested deeper than 20"),
        (hit(metadata={"a": 10**5_000}), "metadata: something there is no whole number"),
        (hit(locations=(Location("p", "f", 10**5_000, 1),)), "locations: something there is no whole number"),
        (hit(locations=(Location("p", "f", "1", 1),)), "locations: something there is no whole number"),
        (hit(locations=(Location("p", None, 1, 1),)), "something there is no text"),
        (graph(entities=[Entity(7)]), "something there is no text"),
        (graph(relationships=[replace(edge(), source=None, id="e")]), "relationships: something there is no Entity"),
        (graph(relationships=[edge(evidence=("x",))]), "relationships: something there is no Evidence"),
    ],
)
def test_what_is_too_large_or_rotten_is_refused(given, said):
    with pytest.raises(InvalidAnswerError) as refused:
        checked(given)
    assert refused.value.message == said


def test_a_scope():
    sound = Scope([ScopedProject("billing", 0.9, "größer")], (EvidenceFile("billing", "a.py"),), ("Customer",))
    assert checked_scope(sound) is sound
    mended = checked_scope(Scope([ScopedProject(HALF, 0.9)], (EvidenceFile(HALF, "a"),), (HALF,)))
    assert (mended.names, mended.ranked[0].confidence) == (("\ufffd",), 0.9)
    assert (mended.files[0].project, mended.linked) == ("\ufffd", ("\ufffd",))


def test_a_project_that_a_scope_names_twice_counts_once_as_it_is_named_first():
    twice = Scope([ScopedProject("billing", 0.9), "auth", ScopedProject("billing", 0.5)])
    assert checked_scope(twice).ranked == (ScopedProject("billing", 0.9), ScopedProject("auth"))


@pytest.mark.parametrize("confidence", ["x", None, True, math.nan, math.inf, -1, 1.5])
def test_a_confidence_is_a_number_from_0_to_1(confidence):
    with pytest.raises(InvalidAnswerError, match="projects: a confidence there is no number from 0 to 1"):
        checked_scope(Scope([ScopedProject("billing", confidence)]))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("billing", "a value of type str is not a Scope"),
        (Scope([ScopedProject(7)]), "something there is no text"),
        (Scope(["p"] * 1_001), "projects: 1001 are more than 1000"),
        (Scope(["p"], ("a.py",)), "files: something there is no EvidenceFile"),
        (Scope(["p"], (), "Customer"), "linked: is no list"),
        (Scope(["p" * 200_000]), "a scope of more than 100000 characters"),
    ],
)
def test_a_scope_that_is_none(given, said):
    with pytest.raises(InvalidAnswerError) as refused:
        checked_scope(given)
    assert refused.value.message == said
