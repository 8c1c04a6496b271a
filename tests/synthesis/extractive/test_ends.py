from __future__ import annotations

import pytest

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.ends import asked_ends, asks_difference


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("How does frontend connect to redis?", ("frontend", "redis")),
        ("How does the order service talk to `PaymentGateway`?", ("order", "PaymentGateway")),
        ("how are billing and crm related to mail", ("billing and crm", "mail")),
        ("What is the path from A-1 to B.two?", ("A-1", "B.two")),
        ("What is the relationship between Runner and SessionService?", ("Runner", "SessionService")),
        ("How does the order service in shop-orders talk to payment?", ("order", "payment")),
        ("How does the payment service call the cart service in shop?", ("payment", "cart")),
        ("How does it connect?", None),
        ("How does what we all wrote last year connect to mail?", None),
    ],
)
def test_the_two_ends(question, ends):
    assert asked_ends(question) == ends


def test_what_asks_for_a_difference():
    assert asks_difference("What is the difference between A and B?")
    assert asks_difference("A vs B")
    assert not asks_difference("How does A connect to B?")


async def test_an_end_that_nobody_knows_is_said_and_not_passed_over(org):
    asked = org.asked("How does PaymentAdapter connect to LedgerBook?", QueryType.RELATIONSHIP)
    answer = await ExtractiveAnswerer().answer(
        asked.query, [org.graph(*org.path)], classification=asked, files=org.files
    )
    lead, *known = answer.text.split("\n")
    assert lead == (
        "No relation between PaymentAdapter and LedgerBook is known. What is known of PaymentAdapter, from orders:"
    )
    assert known
    assert all("PaymentAdapter" in line for line in known)


async def test_texts_that_speak_of_a_known_and_an_unknown_end_come_first(org):
    org.texts["bus/docs/a.md"] = "# Bus\n\nPaymentAdapter writes each payment into the LedgerBook at night.\n"
    asked = org.asked("How does PaymentAdapter connect to LedgerBook?", QueryType.RELATIONSHIP)
    observations = [org.graph(*org.path), org.seen("bus/docs/a.md")]
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    assert answer.text.split("\n")[1] == (
        "- bus: PaymentAdapter writes each payment into the LedgerBook at night. [vector:bus/docs/a.md:3-3]"
    )


async def test_a_difference_is_told_by_what_each_of_the_two_is(org):
    known = [
        org.known(org.entity("PaymentGateway", "payments/payments/gateway.py")),
        org.known(org.entity("PaymentAdapter", "orders/orders/adapter.py")),
    ]
    query = "What is the difference between PaymentGateway and PaymentAdapter?"
    asked = org.asked(query, QueryType.RELATIONSHIP)
    answer = await ExtractiveAnswerer().answer(query, known, classification=asked, files=org.files)
    one, two = answer.text.split("\n")
    assert one.startswith("PaymentGateway is a class in payments (payments/gateway.py:1). Talks to the tills.")
    assert two.startswith("PaymentAdapter is a class in orders (orders/adapter.py:1). Keeps the outside world outside.")
