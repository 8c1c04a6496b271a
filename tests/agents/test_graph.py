from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log

import pytest

from agents import GraphAgent, GraphRetrievalAgent, PublishingAgent
from agents.graph import together
from configs.settings import GraphSettings, ScopeSettings
from memory.entities import Scope
from memory.errors import InvalidInputError
from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch
from memory.observations import GraphObservation
from memory.query import TaskContext
from memory.statements import FoundStatement
from tests.agents.shop import (
    BATCH,
    BILLING,
    CUSTOMERS,
    EVERYONE,
    GATEWAY,
    MODELS,
    ORDERS,
    PAYMENTS,
    SERVICE,
    edge,
    entity,
    speaking,
)

HERE = TaskContext(allowed_projects=EVERYONE)


@pytest.fixture
def agent(tmp_path):
    """Makes the agent on a batch and the statements of its relations."""

    def made(batch: GraphBatch = BATCH, **graph: int) -> GraphRetrievalAgent:
        return GraphRetrievalAgent(
            FakeGraphStore(batch),
            replace(GraphSettings(), **graph),
            ScopeSettings(),
            max_observations=10,
            statements=speaking(tmp_path, batch.relationships),
        )

    return made


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


def test_it_is_an_agent_of_both_kinds(agent):
    assert isinstance(agent(), GraphAgent)
    assert isinstance(agent(), PublishingAgent)


class Asked(FakeGraphStore):
    """Keeps how many things it was asked for the relations of."""

    most = 0

    async def edges(self, ids, **options):
        self.most = max(self.most, len(ids))
        return await super().edges(ids, **options)


@pytest.mark.specification("001 §4.2 across projects")
async def test_of_what_a_question_names_forty_things_are_gone_on_with(tmp_path):
    projects = [f"p{n}" for n in range(45)]
    store = Asked(replace(BATCH, entities=[entity(one, "Widget") for one in projects], relationships=[]))
    agent = GraphRetrievalAgent(
        store, GraphSettings(), ScopeSettings(), max_observations=10, statements=speaking(tmp_path, [])
    )
    await agent.retrieve("Who uses `Widget`?", TaskContext(allowed_projects=frozenset(projects)))
    assert store.most == 40


@pytest.mark.specification("001 §2.2 step 3")
@pytest.mark.specification("001 §4.2 traversal", "001 §7.1 GraphRetrievalAgent", "003 §7 graphrag")
async def test_a_connection_is_a_path_and_comes_first(agent):
    found = await agent().retrieve("How does OrderService connect to PaymentGateway?", HERE)
    assert found[0].metadata["path"] == ["orders/OrderService", "orders/PaymentAdapter", "payments/PaymentGateway"]
    assert found[0].confidence == pytest.approx(1.0 * 0.8)  # one hop more than the first
    assert "PaymentAdapter" in [e.name for e in found[0].entities]


@pytest.mark.specification("001 §4.2 traversal")
async def test_a_path_has_so_many_hops_at_most(agent):
    for hops, most in ((1, 1), (2, 2)):
        found = await agent(max_path_hops=hops).retrieve("How does OrderService connect to PaymentGateway?", HERE)
        assert max(o.hop_depth for o in found) == most


@pytest.mark.specification("003 §7 graphrag")
async def test_each_hop_beyond_the_first_takes_a_fifth(agent):
    till = entity("payments", "TillDriver")
    further = [*BATCH.relationships, edge(GATEWAY, "CALLS", till)]
    batch = replace(BATCH, entities=[*BATCH.entities, till], relationships=further)
    found = await agent(batch).retrieve("How does OrderService connect to TillDriver?", HERE)
    assert (found[0].hop_depth, found[0].confidence) == (3, pytest.approx(1.0 * 0.8 * 0.8))


async def test_a_path_is_found_whichever_end_is_named_first(agent):
    found = await agent().retrieve("Does PaymentGateway get called by OrderService?", HERE)
    assert found[0].hop_depth == 2


@pytest.mark.specification("001 §4.2 across projects")
async def test_what_depends_on_a_project_comes_before_the_project(agent):
    found = await agent().retrieve("What depends on payments?", HERE)
    assert found[0].content == "project orders depends on project payments (pyproject.toml:4)."
    assert [o.metadata["kind"] for o in found if o.observation_type == "entity"] == ["project"]


async def test_a_statement_is_as_sure_as_the_share_of_the_question_that_it_holds(agent):
    def idf(holding):
        return log(1 + (6 - holding + 0.5) / (holding + 0.5))  # of the six relations

    found = await agent().retrieve("What depends on payments zyzzyva?", HERE)
    held = idf(1) + idf(3)  # depends is in one of them, payment in three, in two as a part of PaymentAdapter
    assert found[0].confidence == pytest.approx(held / (held + idf(0)), abs=1e-4)


async def test_relations_the_question_speaks_of_are_found_though_it_names_nothing(agent):
    found = await agent().retrieve("which class stores customers", HERE)
    assert {r.type for o in found for r in o.relationships} >= {"STORES_IN"}


@pytest.mark.specification("001 §4.2 traversal")
async def test_two_hops_back(agent):
    found = await agent().retrieve("What calls the class that calls PaymentGateway?", HERE)
    assert [edge.source.name for edge in found[0].relationships] == ["OrderService", "PaymentAdapter"]
    assert found[0].metadata["answers"]
    alone = await agent(max_path_hops=1).retrieve("What calls the class that calls PaymentGateway?", HERE)
    assert max(o.hop_depth for o in alone) == 1


@pytest.mark.specification("001 §4.2 across projects", "001 §4.2 patterns")
async def test_what_each_project_does_is_told_a_project_each(agent):
    found = await agent().retrieve("What patterns do other teams use for customer tables?", HERE)
    stored = [r for o in found for r in o.relationships if r.type == "STORES_IN"]
    assert {(r.project, r.source.name, r.target.name) for r in stored} == {
        (project, "Customer", "customers") for project in ("auth", "billing", "crm")
    }


@pytest.mark.specification("001 §2.3 phase 1")
async def test_the_scope_is_published_before_the_observations(agent):
    published = Published()
    await agent().publish_into("who reads customers", HERE, published)
    assert published.order[0] == "scope"
    assert set(published.scopes[0].names) == {"auth", "billing", "crm"}
    assert len(published.observations) == published.order.count("observation") > 0


@pytest.mark.specification("001 §2.3 phase 1")
async def test_the_scope_of_a_question_that_names_nothing_is_what_it_speaks_of(agent):
    for asked, guessed in (
        ("What patterns do other teams use for customer tables?", False),
        ("What is stored where?", True),
    ):
        published = Published()
        await agent().publish_into(asked, HERE, published)
        assert set(published.scopes[0].names) == {"auth", "billing", "crm"}
        assert published.scopes[0].guessed is guessed


@pytest.mark.specification("001 §1 scope", "001 §4.2 across projects")
async def test_where_more_than_three_bear_the_name_the_scope_is_guessed_and_the_relations_are_told(agent):
    asked = "What patterns do other teams use for customer tables?"
    stores = [
        edge(entity(name, "Customer"), "STORES_IN", entity(name, "customers", "table")) for name in sorted(EVERYONE)
    ]
    many = GraphBatch([end for one in stores for end in (one.source, one.target)], stores)
    assert (await agent(many).scope_of(asked, HERE)).guessed
    assert not (await agent(many).scope_of(asked.replace("customer", "`customers`"), HERE)).guessed
    told = await agent(many).retrieve(asked, HERE)
    assert {one.project for o in told for one in o.relationships} == EVERYONE


@pytest.mark.specification("001 §10 C snippet")
async def test_what_pasted_code_names_makes_no_scope(agent):
    pasted = "similar to this:\n    try:\n        OrderService.place(order)\n    except OSError:\n        raise"
    assert (await agent().scope_of(f"Find code {pasted}", HERE)).names == ()
    assert "payments" in (await agent().scope_of(f"Find code of PaymentGateway {pasted}", HERE)).names
    assert "orders" in (await agent().scope_of("Find code similar to OrderService", HERE)).names


@pytest.mark.specification("001 §1 scope")
async def test_what_depends_on_a_project_that_is_named_is_in_its_scope(agent):
    edges = [edge(ORDERS, "DEPENDS_ON", BILLING), edge(BILLING, "DEPENDS_ON", PAYMENTS), edge(ORDERS, "CALLS", BILLING)]
    scope = await agent(GraphBatch([BILLING, ORDERS, PAYMENTS], edges)).scope_of("What projects use billing?", HERE)
    assert [(one.project, one.confidence) for one in scope.ranked] == [("billing", 0.99), ("orders", 0.5)]
    assert scope.ranked[1].because == "orders DEPENDS_ON billing"


@pytest.mark.specification("001 §2.3 phase 1", "001 §7.1 GraphRetrievalAgent")
async def test_find_scope_needs_names_alone(agent):
    scope = await agent().find_scope(["PaymentGateway"], HERE)
    assert scope.names == ("payments", "orders")
    with pytest.raises(InvalidInputError, match="find_scope has no permission"):
        await agent().find_scope(["PaymentGateway"])
    for none in ("PaymentGateway", [None], None, iter(["PaymentGateway"])):
        with pytest.raises(InvalidInputError, match="The entities are no list of names"):
            await agent().find_scope(none, HERE)


async def test_a_forbidden_project_leaves_no_trace(agent):
    narrow = TaskContext(allowed_projects=frozenset({"orders"}))
    found = await agent().retrieve("How does OrderService connect to PaymentGateway?", narrow)
    assert "payments" not in str(found)
    assert found


async def test_edges_that_only_define_are_no_observations(agent):
    batch = GraphBatch([SERVICE, ORDERS], [edge(ORDERS, "DEFINES", SERVICE)])
    found = await agent(batch).retrieve("OrderService and orders", HERE)
    assert all(not o.relationships for o in found)


async def test_the_limit_holds(agent):
    many = [entity("billing", f"Client{n}") for n in range(30)]
    edges = [edge(client, "CALLS", other) for client, other in pairwise(many)]
    found = await agent(GraphBatch(many, edges)).retrieve("what calls what: class, billing, Client7", HERE)
    assert len(found) == 10


async def test_a_list_is_one_observation_and_is_not_cut(agent):
    many = [entity("billing", f"Client{n}") for n in range(30)]
    target = entity("billing", "BigServer")
    batch = GraphBatch([*many, target], [edge(client, "CALLS", target) for client in many])
    found = await agent(batch, max_locations=2).retrieve("what calls BigServer", HERE)
    assert len(found[0].relationships) == len(found[0].locations) == 30
    assert found[1].observation_type == "entity"


async def test_a_step_of_a_path_is_not_told_again(agent):
    found = await agent().retrieve("Does OrderService call PaymentAdapter?", HERE)
    assert found[0].metadata["path"] == ["orders/OrderService", "orders/PaymentAdapter"]
    ends = (SERVICE.id, "CALLS", "orders/class/orders/paymentadapter.py/PaymentAdapter")
    assert [r.ends for o in found for r in o.relationships].count(ends) == 1


async def test_what_else_proves_a_step_of_a_path_is_told(agent):
    client, server = entity("billing", "BigClient"), entity("billing", "BigServer")
    called = [
        edge(client, "CALLS", server, (5,)),
        replace(edge(client, "CALLS", server, (9,)), path="chart.yaml", id=""),
    ]
    found = await agent(GraphBatch([client, server], called)).retrieve("How does BigClient call BigServer?", HERE)
    assert {at.path for o in found for at in o.locations} >= {edge.path for edge in called}
    assert len({r.id for o in found for r in o.relationships}) == len(called)


async def test_entities_have_room_beside_many_statements(agent):
    many = [entity("billing", f"Client{n}") for n in range(30)]
    edges = [edge(client, "CALLS", other) for client, other in pairwise(many)]
    found = await agent(GraphBatch(many, edges)).retrieve("what do the calls of class Client7 do", HERE)
    assert [o.observation_type for o in found].count("entity") == 1


async def test_a_list_that_is_asked_for_is_all_there_is_of_each_project(agent):
    tables = [entity("billing", f"t{n}", "table") for n in range(45)]
    edges = [edge(BILLING, "OWNS_TABLE", table) for table in tables]
    edges += [edge(MODELS[0], "STORES_IN", CUSTOMERS[0]), edge(SERVICE, "CALLS", GATEWAY)]
    found = await agent(GraphBatch([*BATCH.entities, *tables], edges)).retrieve("List all tables", HERE)
    assert [(o.source_projects, len(o.relationships)) for o in found] == [(["auth"], 1), (["billing"], 40)]
    assert {(o.metadata["listed"], o.metadata["unlisted"]) for o in found} == {("things", 5)}
    among = await agent().retrieve("How are the projects connected?", HERE)
    assert [o.metadata["listed"] for o in among] == ["projects"]
    assert {r.ends[1] for o in among for r in o.relationships} == {"CALLS", "DEPENDS_ON"}


async def test_a_list_of_what_the_graph_has_not_is_a_question_as_any_other(agent):
    found = await agent().retrieve("Which topics does PaymentGateway publish?", HERE)
    assert found
    assert not [o for o in found if "listed" in o.metadata]


async def test_what_two_projects_have_to_do_with_one_another_and_nothing_else(agent):
    found, *names = await agent().retrieve("How are orders and payments connected?", HERE)
    assert (found.metadata["listed"], found.confidence) == ("projects", 1.0)
    assert {one.observation_type for one in names} == {"entity"}
    assert {(r.source.project, r.target.project) for r in found.relationships} == {("orders", "payments")}
    apart = await agent().retrieve("How are billing and payments connected?", HERE)
    assert not [o for o in apart if o.relationships]
    crm, auth = (entity(name, name, "project") for name in ("crm", "auth"))
    steps = [edge(auth, "DEPENDS_ON", BILLING), edge(BILLING, "DEPENDS_ON", crm)]
    batch = GraphBatch([*BATCH.entities, crm, auth], [*BATCH.relationships, *steps])
    over, *_ = await agent(batch).retrieve("How are crm and auth connected?", HERE)
    assert (over.metadata["path"], over.confidence) == (["auth/auth", "billing/billing", "crm/crm"], pytest.approx(0.8))


async def test_named_projects_that_nothing_direct_joins_are_joined_by_paths(agent):
    names = [entity(name, name, "project") for name in ("crm", "shop", "mail", "auth", "desk")]
    crm, shop, mail, auth, _ = names
    steps = [edge(crm, "DEPENDS_ON", shop), edge(shop, "DEPENDS_ON", mail), edge(mail, "DEPENDS_ON", auth)]
    here = TaskContext(allowed_projects=frozenset(one.project for one in names))
    asked = agent(GraphBatch(names, steps))
    direct, further, *rest = await asked.retrieve("How are crm, shop and auth connected?", here)
    assert [r.ends[2].rpartition("/")[2] for r in direct.relationships] == ["shop"]
    assert further.metadata["path"] == ["shop/shop", "mail/mail", "auth/auth"]
    assert {one.observation_type for one in rest} == {"entity"}
    joined, *rest = await asked.retrieve("How are crm, desk and shop connected?", here)
    assert joined.metadata["listed"] == "projects"
    assert {one.observation_type for one in rest} == {"entity"}


def spoken(*edges, coverage=0.5):
    return [FoundStatement(one, coverage) for one in edges]


def ends(lists):
    return [[(one.relation.source.name, one.relation.target.name) for one in own] for own in lists]


A, B, C, D = (entity("billing", name) for name in "ABCD")


def test_statements_that_share_an_end_are_one_list():
    assert ends(together(spoken(edge(A, "CALLS", B), edge(C, "CALLS", B), edge(C, "CALLS", D)))) == [
        [("A", "B"), ("C", "B")],
        [("C", "D")],
    ]


def test_of_two_ends_the_one_that_more_share_is_the_lists():
    found = spoken(edge(A, "CALLS", B), edge(C, "CALLS", B), edge(C, "CALLS", D), edge(C, "CALLS", A))
    assert ends(together(found)) == [[("A", "B"), ("C", "B")], [("C", "D"), ("C", "A")]]


def test_statements_of_other_relations_or_that_hold_less_are_another_list():
    found = [*spoken(edge(A, "CALLS", B), edge(A, "READS", B)), *spoken(edge(A, "CALLS", C), coverage=0.4)]
    assert ends(together(found)) == [[("A", "B")], [("A", "B")], [("A", "C")]]


def test_what_one_project_does_to_another_is_one_list():
    there, other = entity("orders", "X"), entity("orders", "Y")
    between = spoken(edge(A, "CALLS", there), edge(B, "CALLS", other), edge(there, "CALLS", C), edge(A, "READS", other))
    assert ends(together(between)) == [[("A", "X"), ("B", "Y")], [("X", "C")], [("A", "Y")]]


async def test_what_a_named_project_has_to_do_with_others_stands_before_what_it_does_inside(agent):
    project = entity("billing", "billing", kind="project")
    inside = [edge(entity("billing", f"C{n:02}"), "CALLS", entity("billing", f"D{n:02}")) for n in range(60)]
    between = edge(entity("orders", "Till"), "CALLS", entity("billing", "Invoices"))
    things = {end.id: end for one in (*inside, between) for end in (one.source, one.target)}
    found = await agent(GraphBatch([project, *things.values()], [*inside, between])).retrieve(
        "what calls billing", HERE
    )
    assert found[0].metadata["path"] == ["orders/Till", "billing/Invoices"]


def test_a_list_has_no_more_than_forty_and_what_is_over_is_another():
    many = [edge(entity("billing", f"E{n:02}"), "CALLS", B) for n in range(45)]
    lists = together(spoken(*many))
    assert [len(own) for own in lists] == [40, 5]
    assert [one.relation for own in lists for one in own] == many


def test_nothing_spoken_of_is_no_list():
    assert together([]) == []
