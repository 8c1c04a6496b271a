from __future__ import annotations

from dataclasses import replace

import pytest

from agents import GraphAgent, GraphRetrievalAgent, PublishingAgent
from configs.settings import GraphSettings, ScopeSettings
from memory.entities import Scope
from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch
from memory.observations import GraphObservation
from memory.query import TaskContext
from tests.agents.shop import BATCH, CUSTOMERS, EVERYONE, MODELS, ORDERS, SERVICE, edge, entity

HERE = TaskContext(allowed_projects=EVERYONE)


def agent(batch: GraphBatch = BATCH, **graph: int) -> GraphRetrievalAgent:
    return GraphRetrievalAgent(
        FakeGraphStore(batch), replace(GraphSettings(), **graph), ScopeSettings(), max_observations=10
    )


class Published:
    def __init__(self) -> None:
        self.order: list[str] = []
        self.scopes: list[Scope] = []
        self.observations: list[GraphObservation] = []

    async def __call__(self, observation) -> None:
        self.order.append("observation")
        self.observations.append(observation)

    def scope(self, scope: Scope) -> None:
        self.order.append("scope")
        self.scopes.append(scope)


def test_it_is_an_agent_of_both_kinds():
    assert isinstance(agent(), GraphAgent)
    assert isinstance(agent(), PublishingAgent)


@pytest.mark.specification("001 §4.2 traversal", "001 §7.1 GraphRetrievalAgent")
async def test_a_connection_is_a_path_and_comes_first():
    found = await agent().retrieve("How does OrderService connect to PaymentGateway?", HERE)
    assert found[0].metadata["path"] == ["orders/OrderService", "orders/PaymentAdapter", "payments/PaymentGateway"]
    assert found[0].confidence == pytest.approx(1.0 * 0.8)  # one hop more than the first
    assert "PaymentAdapter" in [e.name for e in found[0].entities]


async def test_a_path_is_found_whichever_end_is_named_first():
    found = await agent().retrieve("Does PaymentGateway get called by OrderService?", HERE)
    assert found[0].hop_depth == 2


@pytest.mark.specification("001 §4.2 across projects")
async def test_what_depends_on_a_project_comes_before_the_project():
    found = await agent().retrieve("What depends on payments?", HERE)
    assert found[0].content == "orders depends on payments (pyproject.toml:4)."
    assert found[0].confidence == 1.0


async def test_a_verb_nobody_stored_falls_back_to_any_relation():
    found = await agent().retrieve("Who publishes customers tables?", HERE)
    assert any(r.type == "STORES_IN" for o in found for r in o.relationships)


@pytest.mark.specification("001 §4.2 traversal")
async def test_two_hops_back():
    found = await agent().retrieve("What calls the class that calls PaymentGateway?", HERE)
    assert {o.relationships[0].source.name for o in found if o.relationships} == {"PaymentAdapter", "OrderService"}
    assert [o.confidence for o in found if o.relationships] == [
        1.0,
        pytest.approx(0.8 * 0.99),
    ]  # the second hop is less sure


@pytest.mark.specification("001 §4.2 across projects", "001 §4.2 patterns")
async def test_tables_are_told_a_project_each():
    found = await agent().retrieve("What patterns do other teams use for customer tables?", HERE)
    assert {o.source_projects[0] for o in found if o.observation_type == "entity"} == {"auth", "billing", "crm"}


@pytest.mark.specification("001 §2.3 phase 1")
async def test_the_scope_is_published_before_the_observations():
    published = Published()
    await agent().publish_into("customer tables", HERE, published)
    assert published.order[0] == "scope"
    assert set(published.scopes[0].names) == {"auth", "billing", "crm"}
    assert len(published.observations) == published.order.count("observation") > 0


@pytest.mark.specification("001 §2.3 phase 1", "001 §7.1 GraphRetrievalAgent")
async def test_find_scope_needs_names_alone():
    scope = await agent().find_scope(["PaymentGateway"], HERE)
    assert scope.names == ("payments", "orders")
    assert ("payments", "docs/gateway.md") in {(f.project, f.path) for f in scope.files}
    assert (await agent().find_scope(["PaymentGateway"])).ranked == ()


async def test_a_forbidden_project_leaves_no_trace():
    narrow = TaskContext(allowed_projects=frozenset({"orders"}))
    found = await agent().retrieve("How does OrderService connect to PaymentGateway?", narrow)
    assert "payments" not in str(found)
    assert found


async def test_edges_that_only_define_are_no_observations():
    batch = GraphBatch([SERVICE, ORDERS], [edge(ORDERS, "DEFINES", SERVICE)])
    found = await agent(batch).retrieve("OrderService and orders", HERE)
    assert all(not o.relationships for o in found)


async def test_the_limit_holds():
    many = [entity("billing", f"Client{n}") for n in range(30)]
    target = entity("billing", "BigServer")
    found = await agent(GraphBatch([*many, target], [edge(m, "CALLS", target) for m in many])).retrieve(
        "what calls BigServer", HERE
    )
    assert len(found) == 10


async def test_walking_stops_where_nothing_follows():
    batch = GraphBatch([MODELS[0], CUSTOMERS[0]], [edge(MODELS[0], "STORES_IN", CUSTOMERS[0])])
    found = await agent(batch).retrieve("What uses the class that uses `customers`?", HERE)
    assert [r.type for o in found for r in o.relationships] == ["STORES_IN"]


async def test_what_a_thing_is_may_stand_in_a_readme():
    async def files(question):
        published = Published()
        await agent().publish_into(question, HERE, published)
        return {file.path: file.opening for file in published.scopes[0].files}

    assert (await files("What is payments?"))["README.md"] is True
    assert "README.md" not in await files("What depends on payments?")
