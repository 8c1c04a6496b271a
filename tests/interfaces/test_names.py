"""Names and paths on a graph of three projects."""

from __future__ import annotations

import pytest

from interfaces.names import find, known_of, neighbours, ways_between
from memory.entities import Entity, Relationship
from memory.errors import InvalidInputError
from memory.graph import FakeGraphStore, GraphBatch, as_parts

ALL = frozenset({"orders", "payments", "crm"})
ORDERS = Entity("orders", "project", "orders")
CRM = Entity("crm", "project", "crm")
SERVICE = Entity("OrderService", "class", "orders", "service.py", 3, 9)
PLACE = Entity("OrderService.place", "method", "orders", "service.py", 5, 9)
ADAPTER = Entity("PaymentAdapter", "class", "orders", "adapter.py", 1, 4)
GATEWAY = Entity("PaymentGateway", "class", "payments", "gateway.py", 1, 8)
OTHER = Entity("PaymentGateway", "class", "crm", "gateway.py", 1, 8)


def edge(source, kind, target, line):
    return Relationship(source, kind, target, source.project, source.path, (line,))


EDGES = (
    edge(SERVICE, "DEFINES", PLACE, 5),
    edge(SERVICE, "CALLS", ADAPTER, 6),
    edge(ADAPTER, "CALLS", GATEWAY, 2),
    edge(PLACE, "CALLS", ADAPTER, 7),
    edge(OTHER, "CALLS", SERVICE, 4),
)


@pytest.fixture
async def store():
    one = FakeGraphStore()
    await one.replace(as_parts([GraphBatch((ORDERS, CRM, SERVICE, PLACE, ADAPTER, GATEWAY, OTHER), EDGES)]))
    return one


async def names(store, name, permission=ALL, kinds=()):
    return [(one.entity.label, one.match) for one in await find(name, store, permission, kinds)]


async def test_exact_before_begun_before_similar(store):
    assert await names(store, "orderservice") == [
        ("orders/OrderService", "exact"),
        ("orders/OrderService.place", "begins"),
    ]
    # half of {payment, service} is in each of these: in the order of their letters, 18 of 28, 16 of 26 and 16 of 28 alike
    assert await names(store, "PaymentService", kinds=("class",)) == [
        ("orders/PaymentAdapter", "similar"),
        ("orders/OrderService", "similar"),
        ("crm/PaymentGateway", "similar"),
        ("payments/PaymentGateway", "similar"),
    ]


@pytest.mark.parametrize(
    ("slip", "meant"),
    [("PaymentGatewy", "crm/PaymentGateway"), ("OrderServce", "orders/OrderService")],
)
async def test_a_slip_of_the_pen_comes_before_who_has_half_of_the_parts(store, slip, meant):
    found = await names(store, slip)
    assert found[0] == (meant, "similar")
    assert len(found) > 2


async def test_a_misspelt_name_finds_those_spelt_nearly_so_inside_the_permission_and_kind(store):
    assert (await names(store, "OrdrServce"))[0] == ("orders/OrderService", "similar")
    assert await names(store, "PaymntGatway", frozenset({"crm"})) == [("crm/PaymentGateway", "similar")]
    assert await names(store, "OrdrServce", frozenset({"crm"})) == []
    assert await names(store, "OrdrServcePlace", kinds=("method",)) == [("orders/OrderService.place", "similar")]
    assert await names(store, "Orxyzzyqwv") == []


async def test_inside_the_permission_a_project_and_a_kind(store):
    assert await names(store, "PaymentGateway") == [
        ("crm/PaymentGateway", "exact"),
        ("payments/PaymentGateway", "exact"),
    ]
    assert await names(store, "payments/PaymentGateway") == [("payments/PaymentGateway", "exact")]
    assert await names(store, "PaymentGateway", frozenset({"crm"})) == [("crm/PaymentGateway", "exact")]
    assert await names(store, "OrderService", kinds=("method",)) == [("orders/OrderService.place", "begins")]
    assert await names(store, "?!") == []


async def test_what_is_known_of_a_thing(store):
    known = await known_of(SERVICE, store, ALL, 5)
    assert known.uses == ("class OrderService of orders calls class PaymentAdapter (service.py:6).",)
    assert known.used_by == ("class PaymentGateway of crm calls class OrderService of orders (gateway.py:4).",)
    few = await known_of(ADAPTER, store, ALL, 1)
    assert (len(few.used_by), few.used_by_known, few.uses_known) == (1, 2, 1)
    assert (await known_of(SERVICE, store, frozenset({"orders"}), 5)).used_by_known == 0


async def test_paths_as_asked_and_reversed(store):
    there = await ways_between("OrderService", "payments/PaymentGateway", store, ALL, max_hops=3, most=5)
    assert (there.direction, there.source, there.target) == (
        "as_asked",
        "orders/OrderService",
        "payments/PaymentGateway",
    )
    assert [path.hops for path in there.paths] == [2, 3]
    back = await ways_between("payments/PaymentGateway", "OrderService", store, ALL, max_hops=3, most=1)
    assert (back.direction, back.source, len(back.paths)) == ("reversed", "payments/PaymentGateway", 1)
    none = await ways_between("OrderService", "payments/PaymentGateway", store, ALL, max_hops=1, most=5)
    assert (none.direction, none.paths) == ("none", ())


async def test_what_is_connected_with_a_name_in_other_projects_first(store):
    assert await neighbours("OrderService", store, ALL, 5) == ["crm/PaymentGateway", "orders/PaymentAdapter"]
    assert await neighbours("OrderService", store, ALL, 1) == ["crm/PaymentGateway"]
    assert await neighbours("crm/PaymentGateway", store, frozenset({"crm"}), 5) == []


async def test_two_projects_are_connected_by_what_is_in_them(store):
    way = await ways_between("orders", "crm", store, ALL, max_hops=2, most=5)
    assert (way.direction, way.source, way.target) == ("reversed", "orders/OrderService", "crm/PaymentGateway")


async def test_an_unknown_name_is_an_error_that_names_the_nearest(store):
    with pytest.raises(InvalidInputError) as wrong:
        await ways_between("OrderServ", "crm", store, ALL, max_hops=2, most=5)
    assert wrong.value.hint == "Nearest: orders/OrderService, orders/OrderService.place."
    with pytest.raises(InvalidInputError) as wrong:
        await ways_between("orders", "Zzz", store, ALL, max_hops=2, most=5)
    assert wrong.value.hint == "Look for it with find_entities, or ask with ask_projects."
