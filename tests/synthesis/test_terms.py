from __future__ import annotations

import pytest

from synthesis.terms import Token, stem, terms, tokens


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
