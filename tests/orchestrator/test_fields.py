"""Every field of 001 §8, seen from a question: what changes when it is set."""

from __future__ import annotations

import math

import anyio
import pytest

from configs import HybridRetrievalConfig, ScopeSettings
from memory.entities import Scope
from memory.observations import VectorObservation
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found
from synthesis import Answer

QUESTION = "How do other teams handle Customer retries?"
SEQUENCES = ["alpha one", "bravo two", "charlie three", "delta four", "echo five"]


async def ask(query=QUESTION, *, parts, **fields):
    """The result, and the seconds it took in virtual time."""
    began = anyio.current_time()
    config = HybridRetrievalConfig(**fields)
    async with HybridRetrievalOrchestrator(config=config, wait_for_mays=True, **parts) as orchestrator:
        return await orchestrator.retrieve(query), anyio.current_time() - began


def several(prefix):
    return FakeAgent([found(f"{prefix}{words}", confidence=0.9 - n / 10) for n, words in enumerate(SEQUENCES)])


@pytest.mark.specification("001 §8 enablement")
@pytest.mark.parametrize("name", ["local", "graph", "vector"])
async def test_an_agent_is_switched_off(name):
    agents = {agent: several(agent[0]) for agent in ("local", "graph", "vector")}
    result, _ = await ask(parts=agents, **{f"enable_{name}": False})
    statuses = {agent.agent: (agent.status, agent.reason) for agent in result.coverage.agents}
    assert statuses.pop(name) == ("skipped", f"switched off by enable_{name}")
    assert set(statuses.values()) == {("ok", None)}
    assert [agent for agent, one in agents.items() if not one.asked] == [name]


@pytest.mark.specification("001 §8 parallelism", "001 §1 parallel", "001 §1 coverage", "001 §2.2 step 3")
@pytest.mark.parametrize(("parallel", "seconds"), [(True, 1), (False, 3)])
async def test_agents_work_at_the_same_time_or_one_after_the_other(parallel, seconds):
    agents = {agent: FakeAgent([found(f"{agent} retries")], seconds=1) for agent in ("local", "graph", "vector")}
    result, took = await ask(parts=agents, parallel_execution=parallel)
    assert (took, len(result.observations)) == (pytest.approx(seconds), 3)


@pytest.mark.specification("001 §8 parallelism")
@pytest.mark.parametrize(("scopes", "handed"), [(True, ("billing",)), (False, None)])
async def test_the_graph_scopes_the_search_or_not(scopes, handed):
    searching = FakeAgent([found("Retries end.")])
    parts = {"graph": FakeGraphAgent(scope=Scope(["billing"])), "vector": searching}
    result, _ = await ask(parts=parts, graph_scopes_vector=scopes, scope=ScopeSettings(mode="auto"))
    last = searching.scopes[-1]
    assert (last.names if last else None) == handed
    assert result.classification.graph_scopes_vector is scopes


@pytest.mark.specification("001 §8 parallelism", "001 §2.3 sequential")
@pytest.mark.parametrize(("query", "handed"), [(QUESTION, [("billing",)]), ("What calls Customer?", [None])])
async def test_one_after_the_other_the_search_has_the_scope_where_the_matrix_lets_it(query, handed):
    searching = FakeAgent([found("Customer retries end.")])
    parts = {"graph": FakeGraphAgent(scope=Scope(["billing"])), "vector": searching}
    await ask(query, parts=parts, parallel_execution=False)
    assert [scope and scope.names for scope in searching.scopes] == handed


@pytest.mark.specification("001 §8 limits")
async def test_so_many_an_agent_and_so_many_in_all():
    parts = {"graph": several("g-"), "vector": several("v-")}
    result, _ = await ask(parts=parts, max_observations_per_agent=2)
    assert sorted(o.content for o in result.observations) == [
        "g-alpha one",
        "g-bravo two",
        "v-alpha one",
        "v-bravo two",
    ]
    result, _ = await ask(parts=parts, max_total_observations=3)
    assert len(result.observations) == 3


@pytest.mark.specification("001 §8 limits")
async def test_so_many_tokens_of_context():
    class Writes:
        async def answer(self, query, observations, budget=0):
            return Answer(f"At most {budget}.", answerer="model")

    result, _ = await ask(parts={"vector": several(""), "synthesis": Writes()}, max_context_tokens=123)
    assert result.answer.text == "At most 123."


@pytest.mark.specification("001 §8 deduplication", "001 §6.2 conflicts")
@pytest.mark.parametrize(("threshold", "agreeing"), [(0.96, 2), (0.97, 0)])
async def test_how_alike_two_must_be_to_agree(threshold, agreeing):
    alike = [  # 3 · 4 + 4 · 3 = 24, ÷ (5 · 5) = .96
        VectorObservation(text, f"{text}.md", project, 0.8, None, "code", embedding=vector, embedding_model="m")
        for text, project, vector in (("retries end", "billing", [3.0, 4.0]), ("they stop", "auth", [4.0, 3.0]))
    ]
    result, _ = await ask(parts={"vector": FakeAgent(alike)}, similarity_threshold=threshold)
    assert len(result.observations) == 2  # what is alike is two places
    assert sum(bool(one.corroborated_by) for one in result.observations) == agreeing


@pytest.mark.specification("001 §8 timeouts")
async def test_an_agents_time_and_the_questions():
    parts = {"graph": FakeAgent(seconds=math.inf), "vector": FakeAgent([found("Customer retries end after three.")])}
    result, took = await ask(parts=parts, agent_timeout_ms=700)
    assert (result.status, took) == ("partial", pytest.approx(0.7))
    result, took = await ask(parts=parts, agent_timeout_ms=60_000, total_timeout_ms=1000)
    assert (result.status, took) == ("partial", pytest.approx(0.9))  # a tenth is kept for merging and answering


@pytest.mark.specification("001 §8 fallback", "001 §3.3 local")
@pytest.mark.parametrize(
    ("fields", "statuses"),
    [
        ({}, {"local": "empty", "graph": "timeout", "vector": "ok"}),
        ({"fallback_order": ["vector", "local"]}, {"local": "skipped", "graph": "timeout", "vector": "ok"}),
        ({"fallback_on_timeout": False}, {"local": "skipped", "graph": "timeout", "vector": "skipped"}),
    ],
)
async def test_who_is_asked_when_the_planned_agent_is_late(fields, statuses):
    parts = {"local": FakeAgent(), "graph": FakeAgent(seconds=math.inf), "vector": several("")}
    fields = {"scope": ScopeSettings(unplanned="never"), "agent_timeout_ms": 1000, **fields}
    result, _ = await ask("What calls the retries?", parts=parts, **fields)
    assert {agent.agent: agent.status for agent in result.coverage.agents} == statuses


@pytest.mark.specification("001 §8 fallback", "001 §3.3 local")
async def test_local_is_asked_first_when_the_planned_agent_finds_nothing():
    parts = {"local": several(""), "graph": FakeAgent(), "vector": several("")}
    result, _ = await ask("What calls the retries?", parts=parts, scope=ScopeSettings(unplanned="never"))
    statuses = {agent.agent: agent.status for agent in result.coverage.agents}
    assert statuses == {"local": "ok", "graph": "empty", "vector": "skipped"}
