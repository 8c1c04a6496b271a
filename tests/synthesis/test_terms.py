from __future__ import annotations

import pytest

from synthesis.terms import Token, defined, stem, terms, tokens


@pytest.mark.parametrize("name", ["PaymentAdapter", "payment-adapter", "payment_adapter", "payment.adapter"])
def test_a_name_is_its_parts_and_itself_however_it_is_spelt(name):
    assert terms(name) == {"payment", "adapter", "paymentadapter"}


@pytest.mark.parametrize(
    ("one", "other"), [("retries", "retry"), ("retrying", "retry"), ("tables", "table"), ("calls", "called")]
)
def test_endings_are_off(one, other):
    assert stem(one) == stem(other)


def test_stop_words_have_no_term():
    assert tokens("What does the cart do?") == (Token("cart"),)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("public sealed class Till : Base", "till"),
        ("async def pay(amount):", "pay"),
        ("func (s *server) Pay(ctx) error {", "pay"),
        ("CREATE TABLE IF NOT EXISTS carts (", "cart"),
        ("service Checkout {", "checkout"),
    ],
)
def test_definitions(line, name):
    assert defined(line, prose=False) == {name}


def test_a_heading_defines_in_a_document_only():
    assert defined("## Refunds", prose=True) == {"refund"}
    assert defined("## Refunds", prose=False) == defined("return class_", prose=False) == frozenset()
