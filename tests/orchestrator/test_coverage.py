"""Status and what is missing, from outcomes alone (docs/design.md#status)."""

from __future__ import annotations

from dataclasses import fields

import anyio
import pytest

from configs import HybridRetrievalConfig
from memory.entities import Scope
from memory.observations import LocalObservation, VectorObservation
from memory.query import PathRole
from memory.question import QueryType
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.analysis import classify_query
from orchestrator.coverage import Coverage, HybridRetrievalMetrics
from orchestrator.running import AgentOutcome
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found
from synthesis import Answer

MUST, MAY = PathRole.MUST, PathRole.MAY
SIMILARITY = classify_query("Find code similar to this")  # plans vector alone


def covered(**ends):
    return Coverage.of([AgentOutcome(name, role, status) for name, (role, status) in ends.items()], SIMILARITY)


@pytest.mark.parametrize(
    ("vector", "graph", "status", "complete", "all_failed"),
    [
        ("ok", "ok", "answered", True, False),
        ("ok", "error", "answered", False, False),
        ("ok", "skipped", "answered", True, False),
        ("timeout", "ok", "partial", False, True),
        ("empty", "error", "answered", False, False),
        ("skipped", "error", "answered", False, True),
    ],
)
def test_status(vector, graph, status, complete, all_failed):
    coverage = covered(graph=(MAY, graph), vector=(MUST, vector))
    assert (coverage.status(found=True), coverage.complete, coverage.all_failed) == (status, complete, all_failed)
    assert coverage.status(found=False) == "not_found"


def test_missing_says_what_and_why():
    outcomes = [AgentOutcome("vector", MUST, "timeout", 3), AgentOutcome("wiki", MAY, "error")]
    assert Coverage.of(outcomes, SIMILARITY).missing == (
        "what a search through all projects' files would find (vector was not there in time), but for what it had reported before",
        "what wiki knows (wiki failed)",
    )


def test_a_must_that_a_setting_leaves_out_is_missing_and_a_may_is_not():
    off = [AgentOutcome(name, role, "skipped", reason=f"switched off by enable_{name}") for name, role in
           (("graph", MUST), ("local", MAY))]  # fmt: skip
    assert Coverage.of([*off, AgentOutcome("vector", MUST, "skipped", reason="not planned")], SIMILARITY).missing == (
        "the relations between the projects (graph is needed and was left out)",
    )


def test_vectors_that_are_still_to_come_are_told_and_make_nothing_partial():
    coverage = Coverage.of([AgentOutcome("vector", MUST, "ok", 3)], SIMILARITY, embedded=0.256)
    assert coverage.missing == ("what only its meaning tells of the text that waits for its vectors (26% has them)",)
    assert (coverage.status(found=True), coverage.complete, coverage.to_dict()["embedded"]) == ("answered", True, 0.256)


QUESTION = "How do other teams handle Customer retries?"
SPECIFIED = [
    *("total_time_ms", "local_time_ms", "graph_time_ms", "vector_time_ms", "merge_time_ms", "synthesis_time_ms"),
    *("local_observations", "graph_observations", "vector_observations", "after_dedup"),
    *("source_agreement", "conflicts_detected", "conflicts_resolved"),
    *("query_types_matched", "entities_found", "projects_searched"),
]


class Writes:
    """An answerer that takes 30 ms."""

    async def answer(self, query, observations, **given):
        await anyio.sleep(0.03)
        return Answer("Three times.", answerer="model")


async def metrics(config=None, context=None, **parts):
    """In virtual time, which is exact."""
    async with HybridRetrievalOrchestrator(config=config, wait_for_mays=True, **parts) as orchestrator:
        return (await orchestrator.retrieve(QUESTION, context)).metrics


def seen(content, path, vector=None):
    return VectorObservation(content, path, "billing", 0.8, None, "code", embedding=vector, embedding_model="m")


@pytest.mark.specification("001 §9 timing", "001 §9 observations", "001 §9 quality", "001 §9 coverage")
def test_the_specifications_fields_come_first():
    assert [field.name for field in fields(HybridRetrievalMetrics)][:16] == SPECIFIED
    assert list(HybridRetrievalMetrics().to_dict())[:16] == SPECIFIED


@pytest.mark.specification("001 §9 timing")
async def test_times_are_milliseconds():
    config = HybridRetrievalConfig().with_scope(mode="full_parallel")
    told = await metrics(
        config,
        local=FakeAgent(seconds=0.02),
        graph=FakeGraphAgent(seconds=0.05),
        vector=FakeAgent([found("Retries end.")], seconds=0.08),
        synthesis=Writes(),
    )
    times = [getattr(told, name) for name in SPECIFIED[:6]]
    assert times == pytest.approx([110, 20, 50, 80, 0, 30])  # 80 for the slowest and 30 for the answer


@pytest.mark.specification("001 §9 timing")
async def test_an_agent_that_is_not_there_took_no_time():
    assert (await metrics(vector=FakeAgent([found("Retries end.")]))).graph_time_ms == 0.0


@pytest.mark.specification("001 §9 observations")
async def test_observations_are_counted_by_agent_and_without_duplicates():
    told = await metrics(
        local=FakeAgent([LocalObservation("Back off.", "a.md", None, 0.5, "fact", "billing")]),
        graph=FakeAgent([found("Retries end.")]),
        vector=FakeAgent([seen("Retries  end.", "b.md"), seen("Retries begin.", "c.md")]),
    )
    assert (told.local_observations, told.graph_observations, told.vector_observations) == (1, 1, 2)
    assert told.after_dedup == 3  # "Retries end." twice


async def test_what_is_not_shown_is_told_with_the_stage_that_dropped_it():
    told = await metrics(
        vector=FakeAgent([seen("Retries end.", "a.md")]),
        local=FakeAgent([LocalObservation("Retries  end.", "b.md", None, 0.9, "fact", "billing")]),
    )
    [gone] = told.dropped
    assert told.to_dict()["dropped"] == [
        {"id": gone.id, "agent": "vector", "stage": "deduplicate", "into": gone.into, "location": None}
    ]
    assert "trace" not in told.to_dict()


@pytest.mark.specification("001 §9 quality", "001 §6.2 conflicts")
async def test_agreement_is_a_share_and_conflicts_for_the_user_are_not_resolved():
    says = [seen("CREATE TABLE t (id UUID)", "a.sql"), seen("CREATE TABLE t (id INT)", "b.sql")]
    agree = LocalObservation(
        "Wait and try again.", "d.md", None, 0.4, "fact", "billing", embedding=[1.0, 0.0], embedding_model="m"
    )
    parts = {
        "vector": FakeAgent([*says, seen("Retries back off.", "c.md", [1.0, 0.0])]),
        "local": FakeAgent([agree]),
    }
    told = await metrics(**parts)
    assert told.source_agreement == pytest.approx(2 / 4)  # two of four corroborate each other: vector and local
    assert (told.conflicts_detected, told.conflicts_resolved) == (1, 1)
    asked = await metrics(HybridRetrievalConfig(conflict_strategy={"factual": "ask_user"}), **parts)
    assert (asked.conflicts_detected, asked.conflicts_resolved) == (1, 0)


@pytest.mark.specification("001 §9 coverage")
async def test_what_was_matched_found_and_searched():
    graph = FakeGraphAgent([found("Retries end.")], scope=Scope(["billing"], linked=("RetryPolicy",)))
    told = await metrics(context={"allowed_projects": ["billing", "auth"]}, graph=graph, vector=FakeAgent())
    assert set(told.query_types_matched) == {QueryType.CROSS_PROJECT, QueryType.PATTERN}
    assert told.entities_found == ("Customer", "RetryPolicy")
    assert told.projects_searched == ("auth", "billing")


@pytest.mark.specification("001 §9 coverage")
@pytest.mark.parametrize(("came_back", "projects"), [([], ()), ([found("Retries end.", "auth")], ("auth",))])
async def test_without_a_permission_searched_is_what_came_back(came_back, projects):
    assert (await metrics(vector=FakeAgent(came_back))).projects_searched == projects
