"""What a question lists, from the statements and from the graph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.listing import listing
from memory.graph.fake import FakeGraphStore
from memory.question.listed import Listed
from memory.statements import FoundStatement
from tests.agents.shop import BATCH, BILLING, CUSTOMERS, EVERYONE, GATEWAY, MODELS, ORDERS, SERVICE, edge, entity

PAY = entity("payments", "POST /pay", "endpoint", path="openapi.yaml")
REMOTE = entity("orders", "POST /pay", "remote_endpoint")
DESK = entity("payments", "payments", "project", path="openapi.yaml")
EDGES = [
    replace(edge(DESK, "EXPOSES", PAY), path="openapi.yaml"),
    replace(edge(DESK, "EXPOSES", PAY), path="web.py", id="code"),
    edge(GATEWAY, "CALLS", PAY),
    edge(SERVICE, "INVOKES", REMOTE),
    *(edge(model, "STORES_IN", table) for model, table in zip(MODELS, CUSTOMERS, strict=True)),
    edge(BILLING, "OWNS_TABLE", CUSTOMERS[1]),
    replace(edge(ORDERS, "EXPOSES", entity("orders", "GET /test", "endpoint")), path="tests/test_web.py"),
]
TABLES = Listed("table", ("OWNS_TABLE", "STORES_IN"))


@pytest.fixture
def lists():
    """What is listed, by source, type and target; the words that were searched, and within which projects."""

    async def made(listed, allowed=EVERYONE):
        searched = []

        def find(word, permission, limit):
            searched.append((word, permission))
            own = [one for one in EDGES if {one.source.project, one.target.project} <= permission]
            return [FoundStatement(one, 1.0) for one in own][:limit]

        groups = await listing(listed, find, FakeGraphStore(BATCH), allowed)
        return [[(e.source.name, e.type, e.target.name, e.path) for e in own] for own in groups], searched

    return made


async def test_a_thing_is_listed_once_by_the_relation_that_says_most(lists):
    found, searched = await lists(TABLES)
    assert found == [
        [("Customer", "STORES_IN", "customers", "auth/customer.py")],
        [("billing", "OWNS_TABLE", "customers", "pyproject.toml")],
        [("Customer", "STORES_IN", "customers", "crm/customer.py")],
    ]
    assert searched == [("table", EVERYONE)]


async def test_code_stands_for_what_a_description_has_too_and_tests_for_nothing(lists):
    found, _ = await lists(Listed("endpoint", ("EXPOSES",)))
    assert found == [[("payments", "EXPOSES", "POST /pay", "web.py")]]


async def test_of_projects_that_are_named_their_own_alone_also_what_leads_elsewhere(lists):
    found, searched = await lists(Listed("endpoint", ("CALLS", "INVOKES"), ("orders",)))
    assert found == [[("OrderService", "INVOKES", "POST /pay", "orders/orderservice.py")]]
    assert searched == [("endpoint", frozenset({"orders"})), ("endpoint", EVERYONE)]


async def test_what_projects_have_to_do_with_one_another(lists):
    among = Listed("project", (), among=True)
    found, searched = await lists(among)
    assert found == [
        [
            ("PaymentAdapter", "CALLS", "PaymentGateway", "orders/paymentadapter.py"),
            ("orders", "DEPENDS_ON", "payments", "pyproject.toml"),
        ]
    ]
    assert searched == []
    assert await lists(replace(among, types=("DEPENDS_ON",))) == ([found[0][1:]], [])
    assert await lists(among, EVERYONE - {"payments"}) == ([], [])


async def test_what_the_others_do_to_a_project_and_of_what_depends_on_it_the_declaration(lists):
    of_payments = Listed("project", ("CALLS", "INVOKES"), ("payments",), among=True)
    call = ("PaymentAdapter", "CALLS", "PaymentGateway", "orders/paymentadapter.py")
    declared = ("orders", "DEPENDS_ON", "payments", "pyproject.toml")
    assert await lists(of_payments) == ([[call]], [])
    assert await lists(replace(of_payments, types=("DEPENDS_ON",))) == ([[declared]], [])
    assert await lists(replace(of_payments, projects=("orders",))) == ([], [])
    assert await lists(of_payments, EVERYONE - {"payments"}) == ([], [])
    assert await lists(of_payments, EVERYONE - {"orders"}) == ([], [])


async def test_what_two_projects_do_to_one_another(lists):
    two = Listed("project", (), ("payments", "orders"), among=True)
    call = ("PaymentAdapter", "CALLS", "PaymentGateway", "orders/paymentadapter.py")
    declared = ("orders", "DEPENDS_ON", "payments", "pyproject.toml")
    assert await lists(two) == ([[call, declared]], [])
    assert await lists(replace(two, types=("DEPENDS_ON",))) == ([[declared]], [])
    assert await lists(replace(two, projects=("payments", "crm"))) == ([], [])
    assert await lists(two, EVERYONE - {"payments"}) == ([], [])
