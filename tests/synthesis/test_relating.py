from __future__ import annotations

import pytest

from synthesis import checked_text
from synthesis.relating import misstated

MARKER = "[graph:orders/OrderService→orders/PaymentAdapter]"


@pytest.mark.parametrize(
    "claim",
    [
        "OrderService calls PaymentAdapter",
        "PaymentAdapter is called by OrderService",
        "PaymentAdapter, which OrderService calls, takes the money",
        "OrderService depends on the adapter",
        "OrderService connects to PaymentGateway through PaymentAdapter",
        "It calls PaymentAdapter",
        "OrderService and PaymentAdapter",
        "OrderService, PaymentAdapter",
    ],
)
def test_told_as_it_is(org, claim):
    assert misstated(claim, org.path, "") is None


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        ("PaymentAdapter calls OrderService", "the relation runs from OrderService to PaymentAdapter"),
        ("OrderService is called by PaymentAdapter", "the relation runs from OrderService to PaymentAdapter"),
        ("PaymentGateway calls OrderService", "the relation runs from OrderService to PaymentGateway"),
        ("OrderService inherits from PaymentAdapter", "the relation is not “inherits”"),
        ("PaymentAdapter is imported by OrderService", "the relation is not “imported”"),
        ("OrderService deletes PaymentAdapter", "the relation is not “deletes”"),
        ("PaymentAdapter is deleted by OrderService", "the relation is not “deleted”"),
        ("OrderService connects to PaymentAdapter through PaymentGateway", "the relations do not run through PaymentGateway"),
    ],
)  # fmt: skip
def test_told_otherwise(org, claim, fault):
    assert misstated(claim, org.path, "") == fault


def test_a_verb_of_the_lines_themselves_tells_nothing_else(org):
    claim = "OrderService imports PaymentAdapter"
    assert misstated(claim, org.path, "from adapter import PaymentAdapter") is None
    assert misstated(claim, (), "") is None
    assert misstated("OrderService deletes PaymentAdapter", org.path, "def delete_all(adapter)") is None


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("OrderService calls Stripe directly.", "the cited lines do not know Stripe"),
        ("OrderService does **not** call PaymentAdapter.", "the cited lines say the opposite of “call”"),
        ("PaymentAdapter calls OrderService.", "the relation runs from OrderService to PaymentAdapter"),
        ("OrderService deletes all customers every night.", "the cited lines say nothing of customer, delet, every"),
    ],
)
async def test_located_and_not_supported(org, claim, reason):
    text, [citation] = await checked_text(f"{claim} {MARKER}", [org.graph(*org.path)], org.files)
    assert (citation.located, citation.supported, citation.verified) == (True, False, False)
    assert citation.reason == reason
    assert text == f"{claim} {MARKER} (not supported)"


async def test_located_and_supported(org):
    text, [citation] = await checked_text(
        f"OrderService calls PaymentAdapter. {MARKER}", [org.graph(*org.path)], org.files
    )
    assert (citation.located, citation.supported, citation.verified, citation.reason) == (True, True, True, None)
    assert text.endswith(MARKER)
