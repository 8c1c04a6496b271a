"""A plain word is a name only where a relation's end is named."""

from __future__ import annotations

import pytest

from agents.slots import named_ends


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("What is checkout?", {"checkout"}),
        ("What calls checkout?", {"checkout"}),
        ("Which services depend on the ledger?", {"ledger"}),
        ("How does checkout connect to payment?", {"checkout", "payment"}),
        ("Which database does history read, and which other services use it?", {"history", "it"}),
        ("What is the path between cart and checkout?", {"cart", "checkout"}),
        ("How does an order get from cart to checkout?", {"cart", "checkout"}),
        ("What does our ledger do?", {"ledger"}),
        ("Who consumes the messages that the till publishes?", {"till"}),
        ("Which tables are owned by shipping?", {"shipping"}),
        ("Which endpoints does cart offer?", {"cart"}),
        ("How does cart notify people?", {"cart"}),
        ("How does cart call payment in web-shop?", {"cart", "payment"}),
        ("Which environment variables does payment in robot-shop read?", {"payment"}),
    ],
)
def test_ends(question: str, ends: set[str]):
    assert named_ends(question) == ends


@pytest.mark.parametrize(
    "question",
    [
        "How do teams handle retries?",
        "What patterns do other teams use for customer tables?",
        "Which projects store the shopping cart in Redis?",
        "Where do we open the file that is read first?",
        "What is the default timeout?",
        "What happens to a request that is called twice and that also reads?",
    ],
)
def test_in_other_places_a_word_is_a_word(question: str):
    assert not named_ends(question) - {"teams"}
