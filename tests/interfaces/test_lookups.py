"""Look-ups as documents, on the graph of three projects."""

from __future__ import annotations

from interfaces.lookups import path_document
from tests.interfaces.test_names import ALL, store  # noqa: F401 - the fixture

GATEWAY = "payments/PaymentGateway"


async def test_without_a_path_the_longer_one_is_named(store):  # noqa: F811 - as above
    apart = await path_document("OrderService", GATEWAY, store, ALL, {}, max_hops=1)
    assert apart["notes"] == [
        "No path of at most 1 relations leads from 'OrderService' to 'payments/PaymentGateway', nor back.",
        "One of 2 does: orders/OrderService → orders/PaymentAdapter → payments/PaymentGateway. Ask with max_hops=2.",
    ]


async def test_without_any_path_what_each_end_is_connected_with(store):  # noqa: F811 - as above
    alone = await path_document("crm", "OrderService.place", store, ALL, {})
    assert alone["notes"] == [
        "No path of at most 3 relations leads from 'crm' to 'OrderService.place', nor back.",
        "No relation of 'crm' itself is known.",
        "Connected with 'OrderService.place': orders/PaymentAdapter.",
    ]
