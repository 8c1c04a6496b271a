"""001's Python runs as it is printed; what is no Python (signatures without bodies, `...` after names) says so."""

from __future__ import annotations

import inspect
import re
from copy import deepcopy
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from typing import Any, Literal, get_args, get_type_hints

import pytest

import orchestrator
from agents import GraphRetrievalAgent, LocalRetrievalAgent, VectorRetrievalAgent
from configs import HybridRetrievalConfig, load_config
from facades import parallel
from facades.parallel import NormalizedObservation, QueryClassification, SpecifiedAnalyzer
from memory import entities, observations
from memory.embedders import FakeDenseEmbedder
from memory.errors import InvalidInputError
from memory.query import RetrievalPath
from memory.question import QueryType
from memory.shared import SharedWorkingMemory
from merging import ResultMerger
from orchestrator import AgentRole, AgentSpec, HybridRetrievalOrchestrator, MultiAgentOrchestrator, OrchestrationMode
from synthesis import SynthesisAgent
from tests.organisation import CONFIG, opened
from tests.printed_code import blocks, run

PRINTED = blocks("001")
FACADE = {name: getattr(parallel, name) for name in parallel.__all__} | {"re": re, "Any": Any, "Literal": Literal}
SHAPES = {"dataclass": dataclass, "field": field, "Literal": Literal, "Any": Any, "Enum": Enum, "QueryType": QueryType}


def seen(content, source="vector:qdrant", confidence=0.5, embedding=None, **fields_):
    return NormalizedObservation(
        content, source, "billing", confidence, "code", semantic_embedding=embedding, **fields_
    )


@pytest.mark.specification("001 §3.3 as printed")
@pytest.mark.parametrize(
    ("query", "kind", "paths", "scopes"),
    [
        ("How does OrderService connect to PaymentGateway?", QueryType.RELATIONSHIP, {"graph", "local"}, False),
        ("Find code similar to this error handling pattern", QueryType.SIMILARITY, {"vector", "local"}, False),
        ("What patterns do other teams use?", QueryType.CROSS_PROJECT, {"local", "graph", "vector"}, True),
    ],
)
async def test_the_classifier(query, kind, paths, scopes):
    classify = (await run(PRINTED["3.3 Classification Heuristics"], FACADE))["classify_query"]
    made = classify(query, {})
    assert (made.query_type, {path.value for path in made.paths}, made.graph_scopes_vector) == (kind, paths, scopes)
    settled = SpecifiedAnalyzer(classify).classify(query)
    assert (settled.query_type, settled.paths) == (kind, tuple(made.paths))
    assert settled.entities == tuple(made.detected_entities)


@pytest.mark.specification("001 §3.3 as printed")
async def test_the_classifier_answers_a_question(organisation):
    classify = (await run(PRINTED["3.3 Classification Heuristics"], FACADE))["classify_query"]
    async with opened(organisation, analyzer=SpecifiedAnalyzer(classify)) as asked:
        result = await asked.retrieve("How does MooringDesk connect to Beacon?")
    assert result.classification.query_types == (QueryType.RELATIONSHIP,)
    assert "lighthouse" in {o.source_project for o in result.observations}


def test_our_classification_in_the_documents_form():
    made = parallel.classify_query("How does OrderService connect to PaymentGateway?", {})
    assert made.query_type is QueryType.RELATIONSHIP
    assert made.detected_entities == ["OrderService", "PaymentGateway"]
    made.add_path(RetrievalPath.GRAPH)
    assert made.paths == [RetrievalPath.GRAPH]
    assert QueryClassification("what").settled().query_types


@pytest.mark.specification("001 §5.2 as printed")
async def test_deduplication():
    printed = (await run(PRINTED["5.2 Deduplication Strategy"], FACADE))["deduplicate_observations"]
    kept = await printed([seen("a b c", confidence=0.9, embedding=[1.0, 0.0]),
                          seen("a b d", "local:a.py", 0.4, [0.99, 0.1]), seen("z", embedding=[0.0, 1.0])])  # fmt: skip
    assert [(one.content, round(one.confidence, 6)) for one in kept] == [("a b c", 1.0), ("z", 0.5)]
    assert kept[0].metadata["corroborated_by"] == ["local:a.py"]


@pytest.mark.specification("001 §5.2 as printed", "001 §5.4 as printed")
async def test_ours_are_awaited_and_say_who_corroborates():
    kept = await parallel.deduplicate_observations(
        [seen("a b c", confidence=0.9, embedding=[1.0, 0.0]), seen("a b d", "local:a.py", 0.4, [0.99, 0.1])]
    )
    assert [one.metadata["corroborated_by"] for one in kept] == [["local:billing"], ["vector:billing"]]
    assert [one.confidence for one in kept] == [0.9, 0.4]
    same = await parallel.deduplicate_observations([seen("a b c", confidence=0.9), seen("a b c", "local:a.py", 0.4)])
    assert [(one.content, one.confidence) for one in same] == [("a b c", 0.9)]
    assert await parallel.resolve_conflicts(kept) == kept


@pytest.mark.specification("001 §5.3 as printed")
async def test_ranking_is_ours():
    printed = (await run(PRINTED["5.3 Ranking Algorithm"], FACADE))["rank_observations"]
    given = [
        seen("first", confidence=0.6),
        seen("second", "local:a.py", 0.57),
        seen("third", "graph:kglite", 0.51, entities_mentioned=["Order"]),
        seen("fourth", confidence=0.45, metadata={"corroborated_by": ["local:a", "graph:b"]}),
        seen("x" * 5500, confidence=0.62),
    ]
    assert printed(given) == parallel.rank_observations(given)
    assert [one.content[:6] for one in printed(given)] == ["second", "third", "fourth", "first", "xxxxxx"]
    equals = [seen(content) for content in "zyxwv"]
    assert printed(equals) == parallel.rank_observations(equals) == equals


@pytest.mark.specification("001 §5.3 as printed", "001 §5.3 agreement")
async def test_what_more_than_three_corroborate_is_ranked_as_if_three_did():
    printed = (await run(PRINTED["5.3 Ranking Algorithm"], FACADE))["rank_observations"]
    given = [seen("sure", confidence=0.95), seen("copied", metadata={"corroborated_by": list("abcde")})]  # .5 + .1 · 5
    assert [one.content for one in printed(given)] == ["copied", "sure"]
    assert [one.content for one in parallel.rank_observations(given)] == ["sure", "copied"]


async def test_two_that_say_the_same_are_two():
    twins = [seen("same", confidence=0.3), seen("same", confidence=0.9)]
    assert [one.confidence for one in parallel.rank_observations(twins)] == [0.9, 0.3]
    assert [one.confidence for one in await parallel.resolve_conflicts(twins)] == [0.3, 0.9]
    assert [one.confidence for one in await parallel.deduplicate_observations(twins)] == [0.9]


@pytest.mark.specification("001 §5.4 as printed")
async def test_conflicts():
    printed = (await run(PRINTED["5.4 Conflict Resolution"], FACADE | SHAPES))["resolve_conflicts"]

    def key(kind, source):
        return seen(f"CREATE TABLE customers (id {kind} PRIMARY KEY);", source, metadata={"source_file": "schema.sql"})

    by_the_graph = [key("uuid", "vector:qdrant"), key("bigint", "local:schema.sql"), key("text", "graph:neo4j")]
    for resolve in (parallel.resolve_conflicts, printed):
        resolved = await resolve([deepcopy(one) for one in by_the_graph])
        assert [one.metadata["preferred_source"] for one in resolved] == ["graph:neo4j"] * 3
    given = [key("uuid", "vector:qdrant"), key("bigint", "local:schema.sql")]
    assert [conflict.conflict_type for conflict in parallel.detect_conflicts(given)] == ["factual"]
    ours = await parallel.resolve_conflicts(given)
    assert all(one.metadata["conflict_detected"] for one in ours)
    assert not any("conflict_detected" in one.metadata for one in given)
    await printed(given)
    assert [one.metadata["preferred_source"] for one in given] == ["vector:qdrant", "vector:qdrant"]


@pytest.mark.specification("001 §5.4 as printed")
async def test_conflicts_of_times():
    printed = (await run(PRINTED["5.4 Conflict Resolution"], FACADE | SHAPES))["resolve_conflicts"]

    def state(content, source, when):
        about = {"source_file": "docs/limits.md", "section": "Retries", "last_updated": when}
        return seen(content, source, 0.8, metadata=about)

    given = [state("Three retries.", "vector:qdrant", 1.0), state("Five retries.", "local:limits.md", 2.0)]
    assert [conflict.conflict_type for conflict in parallel.detect_conflicts(given)] == ["temporal"]
    for resolve in (parallel.resolve_conflicts, printed):
        resolved = await resolve([deepcopy(one) for one in given])
        assert [one.confidence for one in resolved] == [0.4, 0.8]
        assert [one.metadata.get("superseded_by") for one in resolved] == ["local:limits.md", None]


@pytest.mark.specification("001 §5.4 as printed")
async def test_a_conflict_has_the_documents_fields_and_one_strategy_more():
    printed = (await run(PRINTED["5.4 Conflict Resolution"], FACADE | SHAPES))["Conflict"]
    theirs, ours = get_type_hints(printed), get_type_hints(parallel.Conflict)
    assert list(theirs) == list(ours) == [one.name for one in fields(parallel.Conflict)]
    assert get_args(theirs["conflict_type"]) == get_args(ours["conflict_type"])
    assert set(get_args(ours["resolution_strategy"])) - set(get_args(theirs["resolution_strategy"])) == {
        "source_priority"
    }


@pytest.mark.specification("001 §6.1 as printed", "001 §6.2 as printed")
async def test_context_and_prompt():
    printed = (await run(PRINTED["6.1 Context Building"], FACADE))["build_synthesis_context"]
    ranked = [seen("from the search"), seen("of ours", "local:CLAUDE.md")]
    for build in (printed, parallel.build_synthesis_context):
        context = build("what", ranked)
        assert context.index("FROM YOUR PROJECT:") < context.index("of ours") < context.index("FROM SIMILAR DOCUMENTS:")
    prompt = (await run(PRINTED["6.2 Synthesis Prompt"], {}))["SYNTHESIS_PROMPT"]
    for text in (prompt, parallel.SYNTHESIS_PROMPT):
        asked = text.format(query="what?", context="what was found")
        assert (asked.count("what?"), asked.count("what was found")) == (1, 1)


async def test_one_project_is_not_taken_for_its_letters(organisation):
    with pytest.raises(InvalidInputError, match="allowed_projects is one text"):
        async with parallel.open_agents(organisation, config=CONFIG, allowed_projects="harbour"):
            pass


@pytest.mark.specification("001 §2.3 as printed", "001 §7.1 GraphRetrievalAgent")
async def test_the_two_phases(organisation):
    async with parallel.open_agents(organisation, config=CONFIG, embedder=FakeDenseEmbedder()) as agents:
        names = {"graph_agent": agents.graph, "vector_agent": agents.vector, "query": "Who calls Beacon?"}
        found = await run(PRINTED["2.3 Graph-Scoped Vector Search"], names)
        assert found["graph_results"].projects[0] == "lighthouse"
        assert {one.source_project for one in found["vector_results"]} <= set(found["graph_results"].projects)
        assert found["vector_results"]
        only = await agents.vector.search("signal", filter={"project": "lighthouse"})
        assert {one.source_project for one in only} == {"lighthouse"}
        assert (await agents.graph.find_scope(["Beacon"])).names[0] == "lighthouse"
        assert await agents.graph.retrieve("Who calls Beacon?")


@pytest.mark.specification("001 §3.1 as printed")
async def test_the_types_of_questions():
    printed = (await run(PRINTED["3.1 Query Types and Routing"], SHAPES))["QueryType"]
    assert {one.name: one.value for one in printed} == {one.name: one.value for one in QueryType}


SHAPED = {
    "4.1 LocalAgent": observations.LocalObservation,
    "4.2 GraphAgent": observations.GraphObservation,
    "4.3 VectorAgent": observations.VectorObservation,
    "5.1 Observation Normalization": observations.NormalizedObservation,
    "8. Configuration": HybridRetrievalConfig,
    "9. Metrics and Observability": orchestrator.HybridRetrievalMetrics,
}
OWN = {"max_observations_per_agent": 15, "max_total_observations": 35}
"""Defaults of ours (0092); profile `spec` has the printed ones."""


@pytest.mark.specification("001 §4.3 as printed", "001 §5.1 as printed", "001 §8 as printed", "001 §9 as printed")
@pytest.mark.parametrize(("heading", "ours"), SHAPED.items(), ids=lambda one: getattr(one, "__name__", ""))
async def test_shapes(heading, ours):
    names = SHAPES | {"Entity": entities.Entity, "Relationship": entities.Relationship}
    printed = (await run(PRINTED[heading], names))[ours.__name__]
    mine = {one.name: one for one in fields(ours)}
    for one in fields(printed):
        assert one.name in mine
        if one.default is not MISSING:
            assert mine[one.name].default == OWN.get(one.name, one.default)
            assert one.name not in OWN or getattr(load_config("spec"), one.name) == one.default
        if one.default_factory is not MISSING:
            assert mine[one.name].default_factory() == one.default_factory()


CLASSES = {
    "HybridRetrievalOrchestrator": HybridRetrievalOrchestrator,
    "QueryAnalyzer": orchestrator.QueryAnalyzer,
    "LocalRetrievalAgent": LocalRetrievalAgent,
    "GraphRetrievalAgent": GraphRetrievalAgent,
    "VectorRetrievalAgent": VectorRetrievalAgent,
    "ResultMerger": ResultMerger,
    "SynthesisAgent": SynthesisAgent,
}


@pytest.mark.specification("001 §7.1 as printed")
async def test_the_classes_are_signatures_without_bodies():
    code = PRINTED["7.1 Core Classes"]
    with pytest.raises(SyntaxError):
        await run(code, {})
    with_bodies = re.sub(r"^(    (?:async )?def .*)$", r"\1: ...", code, flags=re.MULTILINE)
    printed = await run(f"from __future__ import annotations\n{with_bodies}", {})
    assert [name for name, one in printed.items() if inspect.isclass(one)] == list(CLASSES)
    for name, ours in CLASSES.items():
        for method, signature in vars(printed[name]).items():
            if inspect.isfunction(signature):
                wanted = list(inspect.signature(signature).parameters)
                given = list(inspect.signature(getattr(ours, method)).parameters)
                assert given[: len(wanted)] == wanted, f"{name}.{method}"
                assert inspect.iscoroutinefunction(getattr(ours, method)) is inspect.iscoroutinefunction(signature)


@pytest.mark.specification("001 §7.2 as printed")
async def test_the_infrastructure_but_for_its_three_dots():
    code = PRINTED["7.2 Integration with Existing Infrastructure"]
    with pytest.raises(SyntaxError):
        await run(code, {})
    names = {
        "MultiAgentOrchestrator": MultiAgentOrchestrator,
        "OrchestrationMode": OrchestrationMode,
        "AgentSpec": AgentSpec,
        "AgentRole": AgentRole,
        "SharedWorkingMemory": SharedWorkingMemory,
    }
    made = await run(code.replace(", ...)", ")"), names)
    [entry] = made["shared_memory"].snapshot()
    assert (entry.source_agent_id, entry.attention_weight, entry.is_belief_candidate) == ("graph", 0.9, True)
    assert set((await made["orchestrator"].run("nobody is there")).outcomes) == {"local", "graph", "vector"}


def test_cosines():
    assert parallel.cosine_similarity([1.0, 1.0], [1.0, 0.0]) == 0.707107
    assert parallel.cosine_similarity(None, [1.0]) == parallel.cosine_similarity([0.0], [1.0]) == 0.0
    assert parallel.cosine_similarity([1.0, 0.0], [1.0, 0.0, 0.0]) == 0.0
