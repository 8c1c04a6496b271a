"""Two steps in the graph: to what a clause describes, and on to what is asked of it; and paths that join what nothing
direct joins (how they are found: test_graph).
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from agents.linking import link
from agents.statements import path_observation
from agents.ways import joining, two_steps
from memory.graph.fake import FakeGraphStore
from memory.graph.port import GraphBatch
from memory.question import read_question
from tests.agents.shop import BATCH, EVERYONE, MODELS, edge, entity

AUTH_MODEL, BILLING_MODEL, _ = MODELS
HANDLER, IMPORTER = entity("billing", "Handler"), entity("billing", "handlers", "module")
REGISTRATION, DESK = entity("auth", "Registration"), entity("crm", "Desk")
PLACED, SALE = entity("orders", "order.placed", "topic"), entity("orders", "Sale")
USES = [
    edge(HANDLER, "CALLS", BILLING_MODEL),
    edge(IMPORTER, "IMPORTS", BILLING_MODEL),
    edge(REGISTRATION, "CALLS", AUTH_MODEL),
]
EVENTS = [edge(HANDLER, "SUBSCRIBES", PLACED), edge(SALE, "PUBLISHES", PLACED)]
DESK_CALLS = edge(DESK, "CALLS", HANDLER)


@pytest.fixture
def steps():
    async def walked(question, *edges, allowed=EVERYONE):
        ends = [end for one in edges for end in (one.source, one.target)]
        batch = GraphBatch([*BATCH.entities, *ends], [*BATCH.relationships, *edges])
        store, read = FakeGraphStore(batch), read_question(question)
        ways = await two_steps(read.described, await link(read, (), store, allowed), store, allowed)
        return [[f"{one.source.name} {one.type} {one.target.name}" for one in way] for way in ways]

    return walked


@pytest.mark.specification("001 Questions multi-hop")
async def test_what_calls_the_caller(steps):
    assert await steps("What calls the class that calls PaymentGateway?") == [
        ["OrderService CALLS PaymentAdapter", "PaymentAdapter CALLS PaymentGateway"]
    ]


async def test_what_the_caller_of_one_thing_calls_besides(steps):
    assert await steps("What does the class that calls PaymentAdapter call?", edge(SALE, "CALLS", DESK)) == []
    service = next(e for e in BATCH.entities if e.name == "OrderService")
    assert await steps("What does the class that calls PaymentAdapter call?", edge(service, "CALLS", DESK)) == [
        ["OrderService CALLS Desk", "OrderService CALLS PaymentAdapter"]
    ]


@pytest.mark.specification("001 Questions multi-hop")
async def test_of_all_that_bear_the_name_those_with_a_caller(steps):
    found = await steps("What calls the class that uses Customer?", *USES, DESK_CALLS)
    assert found == [["Desk CALLS Handler", "Handler CALLS Customer"]]


async def test_a_service_is_called_where_any_of_its_code_is(steps):
    inside = entity("billing", "Invoices")
    found = await steps("What calls the service that uses Customer?", *USES, edge(DESK, "CALLS", inside))
    assert found == [["Desk CALLS Invoices", "Handler CALLS Customer"]]
    assert await steps("What calls the class that uses Customer?", *USES, edge(DESK, "CALLS", inside)) == []


@pytest.mark.specification("001 Questions multi-hop")
async def test_where_nothing_calls_it_what_publishes_what_it_hears(steps):
    found = await steps("What calls the service that uses Customer?", *USES, *EVENTS)
    assert found == [["Sale PUBLISHES order.placed", "Handler SUBSCRIBES order.placed", "Handler CALLS Customer"]]
    assert await steps("What owns the service that uses Customer?", *USES, *EVENTS) == []


async def test_a_topic_in_between(steps):
    found = await steps("Who publishes the event that Handler consumes?", *EVENTS)
    assert found == [["Sale PUBLISHES order.placed", "Handler SUBSCRIBES order.placed"]]


async def test_what_is_wanted_by_its_kind_comes_alone(steps):
    calls = [DESK_CALLS, edge(entity("crm", "desks", "module"), "CALLS", HANDLER)]
    assert len(await steps("What calls the class that uses Customer?", *USES, *calls)) == 2
    assert await steps("Which modules call the class that uses Customer?", *USES, *calls) == [
        ["desks CALLS Handler", "Handler CALLS Customer"]
    ]


@pytest.mark.specification("001 §4.2 traversal", "001 Questions multi-hop")
async def test_a_thing_that_is_described_by_another_described_thing(steps):
    till = edge(
        next(e for e in BATCH.entities if e.name == "PaymentGateway"), "CALLS", entity("payments", "TillDriver")
    )
    assert await steps("What calls the class that calls the class that calls TillDriver?", till) == [
        ["OrderService CALLS PaymentAdapter", "PaymentAdapter CALLS PaymentGateway", "PaymentGateway CALLS TillDriver"]
    ]
    assert await steps("What calls the class that calls the class that calls PaymentGateway?", till) == []


async def test_no_way_comes_back_to_where_it_was(steps):
    circle = [edge(HANDLER, "CALLS", BILLING_MODEL), edge(DESK, "CALLS", HANDLER), edge(HANDLER, "CALLS", DESK)]
    assert await steps("What calls the class that calls the class that uses Customer?", *circle) == []
    found = await steps(
        "What calls the class that calls the class that uses Customer?", *circle, edge(SALE, "CALLS", DESK)
    )
    assert found == [["Sale CALLS Desk", "Desk CALLS Handler", "Handler CALLS Customer"]]


async def test_a_service_in_between_is_called_where_any_of_its_code_is(steps):
    inside = entity("billing", "Invoices")
    found = await steps(
        "What calls the class that calls the service that uses Customer?",
        *USES,
        edge(DESK, "CALLS", inside),
        edge(SALE, "CALLS", DESK),
    )
    assert found == [["Sale CALLS Desk", "Desk CALLS Invoices", "Handler CALLS Customer"]]


@pytest.mark.specification("001 Questions multi-hop")
async def test_each_service_that_is_described_has_its_own_callers(steps):
    sign_up, registered, audit = entity("web", "SignUp"), entity("auth", "Registered"), entity("crm", "AuditRun")
    outside = [edge(sign_up, "CALLS", HANDLER), edge(audit, "CALLS", registered)]
    found = await steps("What calls the service that uses Customer?", *USES, *outside, allowed=EVERYONE | {"web"})
    assert found == [
        ["SignUp CALLS Handler", "Handler CALLS Customer"],
        ["AuditRun CALLS Registered", "Registration CALLS Customer"],
    ]


@pytest.mark.specification("001 Questions multi-hop")
async def test_a_call_of_one_service_is_not_told_of_its_neighbours_too(steps):
    calls = [edge(entity("billing", "Mailer"), "CALLS", BILLING_MODEL), DESK_CALLS]
    found = await steps("What calls the service that uses Customer?", USES[0], *calls)
    assert found == [["Desk CALLS Handler", "Handler CALLS Customer"]]


async def test_what_may_not_be_seen_leads_nowhere(steps):
    allowed = EVERYONE - {"crm"}
    assert await steps("What calls the class that uses Customer?", *USES, DESK_CALLS, allowed=allowed) == []


async def test_a_project_that_is_named_beside_a_thing_says_whose_it_is(steps):
    here, there = entity("crm", "Handler"), entity("shop", "Handler")
    calls = [edge(DESK, "CALLS", here), edge(SALE, "CALLS", DESK), edge(REGISTRATION, "CALLS", there)]
    calls += [edge(entity("shop", "Visit"), "CALLS", REGISTRATION)]
    projects = [entity("crm", "crm", "project"), entity("shop", "shop", "project")]
    everyone, known = (
        EVERYONE | {"shop"},
        [edge(one, "DEFINES", two) for one, two in zip(projects, (here, there), strict=True)],
    )
    question = "What calls the classes that call Handler"
    assert len(await steps(f"{question}?", *calls, *known, allowed=everyone)) == 2
    assert await steps(f"{question} in crm?", *calls, *known, allowed=everyone) == [
        ["Sale CALLS Desk", "Desk CALLS Handler"]
    ]


async def test_what_calls_the_service_that_calls_another_service(steps):
    vault, toll, basket = (entity(name, name, "project") for name in ("vault", "toll", "basket"))
    holds, charge, buy = entity("vault", "POST /holds", "endpoint"), entity("toll", "charge"), entity("basket", "buy")
    calls = [edge(charge, "CALLS", holds), edge(buy, "CALLS", charge), edge(toll, "DEFINES", charge)]
    everyone = EVERYONE | {"vault", "toll", "basket"}
    found = await steps(
        "Which services call the service that calls vault?",
        *calls,
        edge(vault, "DEFINES", holds),
        edge(basket, "DEFINES", buy),
        allowed=everyone,
    )
    assert found == [["buy CALLS charge", "charge CALLS POST /holds"]]
    inner = edge(entity("toll", "run"), "CALLS", charge)
    assert inner.project == "toll"
    assert found == await steps(
        "Which services call the service that calls vault?",
        *calls,
        inner,
        edge(vault, "DEFINES", holds),
        edge(basket, "DEFINES", buy),
        allowed=everyone,
    )


def path(names):
    things = [entity(name, name, "project") for name in names]
    return path_observation([edge(one, "CALLS", other) for one, other in pairwise(things)], 1.0, "fake", 5)


def test_a_path_stands_where_neither_relations_nor_a_path_before_join_its_projects():
    ways = [path("bac"), path("cd"), path("acd"), path("ef"), path("de")]
    assert joining([path("ab"), path("bc")], ways) == [ways[1], ways[3], ways[4]]
    assert joining([path("ab")], ways[:1]) == ways[:1]
    assert joining([path("ab")], []) == []
