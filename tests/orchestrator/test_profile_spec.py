"""Profile `spec` on the example organisation with the real model: what the rows of 001 say of it."""

from __future__ import annotations

import anyio
import pytest

from configs import load_config
from orchestrator import HybridRetrievalOrchestrator
from tests.orchestrator.test_shop import HANDLERS, SCENARIOS

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove

CUSTOMERS = "What patterns do other teams use for customer tables?"
CALLS = "How does OrderService connect to PaymentGateway?"
OURS = "What does our CLAUDE.md say about migrations?"


@pytest.fixture(scope="module")
def answers(shop):
    """The results, by question; the doors' way, which would wait for whoever may join."""

    async def ask():
        settings = load_config("spec")
        async with HybridRetrievalOrchestrator.open(shop, config=settings, wait_for_mays=True) as orchestrator:
            return {query: await orchestrator.retrieve(query) for query in (CUSTOMERS, CALLS, OURS)}

    return anyio.run(ask)


def ends(result):
    return {agent.agent: (agent.status, agent.reason) for agent in result.coverage.agents}


@pytest.mark.specification("001 §1 scope", "001 §2.3 phase 2", "001 §2.3 sequential", "001 §10 A1-2")
@pytest.mark.specification("001 §2.2 step 4", "001 §3.2 CROSS_PROJECT", "001 §8 parallelism")
def test_the_search_stays_in_the_projects_that_the_graph_names(answers):
    result = answers[CUSTOMERS]
    assert (result.scope.mode, result.scope.strength) == ("sequential", "strict")
    assert set(result.scope.scope.names) == {"auth", "billing", "crm"}
    searched = [one for one in result.observations if one.agent == "vector"]
    assert {one.source_project for one in searched} == {"auth", "billing", "crm"}
    assert result.to_dict()["scope"]["widened_by"] == []


@pytest.mark.specification(
    "001 §5.3 entities", "001 §5.3 agreement", "001 §5.3 length", "001 §1 confidence", "001 §2.2 step 4"
)
def test_the_boosts_are_in_the_scores(answers):
    for result in (answers[CUSTOMERS], answers[CALLS]):
        for one in result.observations:
            boosts = 0.1 * min(3, len(one.corroborated_by)) + 0.15 * (
                one.agent == "graph" and bool(one.entities_mentioned)
            )
            penalty = max(0, len(one.content) - 500) / 5000 * 0.1
            assert one.score == pytest.approx(one.confidence + boosts - penalty, abs=2e-6)
    assert any(one.corroborated_by for one in answers[CUSTOMERS].observations)


@pytest.mark.specification("001 §2.1 analyzer", "001 §3.2 RELATIONSHIP", "001 §3.2 ENTITY_LOOKUP", "001 §3.3 local")
@pytest.mark.specification("001 §10 B5")
def test_who_is_not_planned_is_not_started(answers):
    unplanned = ("skipped", "not planned for this kind of question")
    assert ends(answers[CALLS]) == {"local": unplanned, "graph": ("ok", None), "vector": unplanned}
    text = answers[CALLS].answer.text
    assert "[graph:orders/OrderService→orders/PaymentAdapter→payments/PaymentGateway]" in text
    assert "for attempt in range(MAX_ATTEMPTS):" not in text  # which the search would have found


@pytest.mark.specification("001 §10 C3-4")
@pytest.mark.parametrize("project", [None, "notifications"])
def test_ten_similar_places_of_the_search_alone(shop, project):
    async def ask():
        async with HybridRetrievalOrchestrator.open(
            shop, config=load_config("spec"), wait_for_mays=True
        ) as orchestrator:
            return await orchestrator.retrieve(SCENARIOS["C"], {"project": project} if project else {})

    result = anyio.run(ask)
    places = [f"{at.project}:{at.path}" for one in result.observations for at in one.locations[:1]]
    assert {one.agent for one in result.observations} == {"vector"}
    assert len(set(places)) == len(places) == 10
    assert set(HANDLERS) <= set(places)
    if project is None:
        assert sorted(places[:3]) == HANDLERS


@pytest.mark.specification("001 §8 fallback", "001 §2.1 analyzer", "001 §3.2 ENTITY_LOOKUP", "001 §3.3 local")
def test_but_where_what_is_planned_finds_nothing(answers):
    """Local alone is planned, and there is no project in hand."""
    statuses = {agent: status for agent, (status, _) in ends(answers[OURS]).items()}
    assert statuses["local"] == "empty"
    assert "ok" in {statuses["graph"], statuses["vector"]}
