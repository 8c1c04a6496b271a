"""Parts of one's own, what is refused before a question is asked, and where the mode is resolved (docs/design.md#scope)."""

from __future__ import annotations

import pytest

from configs import HybridRetrievalConfig, ScopeSettings
from memory.entities import EvidenceFile, Scope, ScopedProject
from memory.errors import InvalidInputError
from memory.observations import LocalObservation
from memory.query import PathRole
from orchestrator import AgentSpec, HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found
from orchestrator.specs import PLANS, agent_specs, resolve_mode

QUESTION = "Which orders wait for their payment?"
TICKET = LocalObservation("ORD-12: orders wait for their payment for days.", "ORD-12", None, 0.9, "fact")


@pytest.mark.specification(
    "001 §8 parallelism",
    "001 §2.3 parallel + re-search",
    "001 §2.3 sequential",
    "001 §1 scope",
    "001 §2.3 phase 2",
    "001 §2.3 steered",
    "001 §3.3 cross-project",
)
@pytest.mark.parametrize(
    ("config", "in_process", "mode"),
    [
        (HybridRetrievalConfig(), True, "none"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="auto")), True, "sequential"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="auto")), False, "parallel_research"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="full_parallel")), True, "full_parallel"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="parallel_research")), True, "parallel_research"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="parallel_research", strength="strict")), True, "sequential"),
        (HybridRetrievalConfig(scope=ScopeSettings(mode="auto", strength="strict")), False, "sequential"),
        (HybridRetrievalConfig(parallel_execution=False), False, "sequential"),
        (HybridRetrievalConfig(parallel_execution=False, scope=ScopeSettings(mode="full_parallel")), True, "none"),
        (HybridRetrievalConfig(graph_scopes_vector=False, parallel_execution=False), True, "none"),
    ],
)
def test_the_mode_that_holds(config, in_process, mode):
    assert resolve_mode(config, graph_in_process=in_process) == mode


def test_a_scope_is_handed_on_with_all_it_holds():
    given = Scope([ScopedProject("a", 0.9), ScopedProject("b", 0.1)], (EvidenceFile("a", "x.py"),), ("Customer",))
    assert PLANS["sequential"].usable(given) == given
    sure = PLANS["sequential"].usable(given, 0.9)
    assert (sure.names, sure.files, sure.linked) == (("a",), given.files, ("Customer",))
    unsure = PLANS["sequential"].usable(given, 0.95)
    assert (unsure.names, unsure.files, unsure.linked) == ((), given.files, ("Customer",))


@pytest.mark.specification("001 §2.3 sequential", "001 §2.3 parallel + re-search", "001 §2.3 full parallel")
def test_which_requests_each_mode_sends():
    assert {mode: (plan.probe, plan.scoped) for mode, plan in PLANS.items()} == {
        "parallel_research": (True, True),
        "sequential": (False, True),
        "full_parallel": (True, False),
        "none": (True, False),
    }


def test_nothing_to_hand_on_is_no_scope():
    assert PLANS["sequential"].usable(Scope([ScopedProject("a", 0.1)]), 0.2) is None
    assert PLANS["sequential"].usable(None) is None


def orchestrator(**parts):
    return HybridRetrievalOrchestrator(**{"wait_for_mays": True, **parts})


async def test_a_fourth_agent_is_asked_for_every_question_and_named():
    jira = FakeAgent([TICKET])
    result = await orchestrator(vector=FakeAgent([found("Payments wait.")]), agents={"jira": jira}).retrieve(QUESTION)
    assert {agent.agent: agent.status for agent in result.coverage.agents}["jira"] == "ok"
    assert "jira" in {one.agent for one in result.observations}
    assert jira.asked


async def test_its_role_and_time_are_its_specs():
    late = AgentSpec("", agent=FakeAgent([TICKET], seconds=5), path_role=PathRole.MUST, timeout_ms=10)
    result = await orchestrator(vector=FakeAgent([found("Payments wait.")]), agents={"jira": late}).retrieve(QUESTION)
    [jira] = [agent for agent in result.coverage.agents if agent.agent == "jira"]
    assert (jira.role, jira.status) == (PathRole.MUST, "timeout")
    assert result.status == "partial"
    assert any("what jira knows (jira was not there in time)" in line for line in result.missing)


async def test_its_weight_moves_its_findings():
    def first(weight):
        spec = AgentSpec("jira", agent=FakeAgent([found("Payments of orders wait.", "tickets")]), weight=weight)
        return orchestrator(vector=FakeAgent([found("Orders wait for payment.")]), agents={"jira": spec})

    heavy = await first(5.0).retrieve(QUESTION)
    light = await first(0.1).retrieve(QUESTION)
    assert heavy.observations[0].agent == "jira"
    assert light.observations[0].agent == "vector"


async def test_where_only_it_answers_the_question_is_answered():
    result = await orchestrator(vector=FakeAgent(error=OSError("down")), agents={"jira": FakeAgent([TICKET])}).retrieve(
        QUESTION
    )
    assert not result.coverage.all_failed
    assert result.observations


class TakesOne:
    async def retrieve(self, question):
        return []


class PublishesTwo:
    async def publish_into(self, query, context):
        pass


class Publishes:
    async def publish_into(self, query, context, publish):
        pass


def test_an_agent_that_publishes_as_it_goes_needs_no_other_way_to_be_asked():
    assert agent_specs({"jira": Publishes()})[0].id == "jira"


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"vector": "a text"}, "vector is a value of type str, which has no `retrieve`"),
        ({"agents": {"jira": object()}}, r"agents\['jira'\] is a value of type object"),
        ({"agents": {"jira": FakeAgent}}, r"agents\['jira'\] is the class FakeAgent"),
        ({"agents": {"jira": AgentSpec("jira")}}, "has no agent"),
        ({"agents": {"jira": AgentSpec("jira", agent=FakeAgent(), weight=-1)}}, "weight is -1"),
        ({"agents": {"jira": AgentSpec("jira", agent=FakeAgent(), role="x")}}, "role is 'x'"),
        ({"agents": {"jira": AgentSpec("jira", agent=FakeAgent(), weight="a")}}, "weight is 'a'"),
        ({"agents": {"jira": AgentSpec("jira", agent=FakeAgent(), timeout_ms="5")}}, "timeout_ms is '5'"),
        ({"agents": {"jira": AgentSpec("jira", agent=FakeAgent(), timeout_ms=-1)}}, "timeout_ms is -1"),
        ({"agents": {"jira": AgentSpec("jira", agent=FakeAgent(), path_role="x")}}, "Give one of PathRole.MUST"),
        ({"agents": {"jira": TakesOne()}}, r"retrieve can't be called with a question and a context"),
        ({"agents": {"jira": PublishesTwo()}}, r"publish_into can't be called with a question, a context and what it"),
        ({"agents": {"graph": FakeAgent()}}, "can't be called 'graph'"),
        ({"agents": {" ": FakeAgent()}}, "can't be called ' '"),
        ({"analyzer": object()}, "analyzer is a value of type object, which has no `classify`"),
        ({"merger": 3}, "which has no `merge`"),
        ({"synthesis": []}, "which has no `synthesize`"),
        ({"reranker": {}}, "which has no `model`, `rerank`"),
        ({"agents": [FakeAgent()]}, "agents is a value of type list. Give each a name"),
    ],
)
def test_a_wrong_part_is_refused_when_it_is_given(parts, says):
    with pytest.raises(InvalidInputError, match=says):
        HybridRetrievalOrchestrator(**parts)
