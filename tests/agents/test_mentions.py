from __future__ import annotations

import pytest
from agents.slots import SLOT_KINDS

from agents.mentions import find_mentions


def keys_of(question: str, surface: str) -> tuple[str, ...]:
    return next(m.keys for m in find_mentions(question) if m.surface == surface)


def test_identifiers_match_in_any_case():
    found = {m.surface: m for m in find_mentions("How does OrderService call process_payment of order-api or a.b?")}
    assert all(found[name].identifier for name in ("OrderService", "process_payment", "order-api", "a.b"))
    assert found["OrderService"].keys == ("orderservice",)


def test_a_plain_word_counts_only_with_its_capital():
    found = {m.surface: m for m in find_mentions("how late may payments of a Customer be")}
    assert found["Customer"].exact_case == "Customer"
    assert found["payments"].plain
    assert not found["payments"].kinds


def test_where_a_relations_end_is_named_a_plain_word_may_be_a_service_or_a_table():
    found = {m.surface: m for m in find_mentions("what calls checkout, and how late may payments be")}
    assert found["checkout"].kinds == SLOT_KINDS
    assert found["checkout"].plain
    assert not found["payments"].kinds


def test_a_neighbour_says_what_a_plain_word_is():
    found = {m.surface: m for m in find_mentions("patterns for customer tables and the quote service")}
    assert found["customer"].kinds == ("table",)
    assert found["customer"].keys == ("customer", "customers")
    assert found["quote"].kinds == ("service", "project")


def test_a_kind_word_before_counts_for_a_capital_only():
    found = {m.surface: m for m in find_mentions("the class Customer and tables of customers")}
    assert found["Customer"].kinds == ("class",)
    assert found["of"].kinds == ()


def test_groups_of_words_are_spelt_in_one():
    assert keys_of("the payment gateway of ours", "payment gateway") == (
        "paymentgateway",
        "payment-gateway",
        "payment_gateway",
        "payment.gateway",
        "payment gateway",
    )


def test_a_title_may_have_small_words_inside():
    assert keys_of("Which tables does Bank of Anthos have", "Bank of Anthos")[-1] == "bank of anthos"
    assert "Bank of" not in {m.surface for m in find_mentions("Which tables does Bank of Anthos have")}


def test_quoted_phrases_and_backticks():
    found = {m.surface: m for m in find_mentions('what is "order service" and `charge`')}
    assert found["order service"].keys == ("order service", "orderservice", "order-service", "order_service")
    assert "charge" in found


@pytest.mark.parametrize(
    ("word", "stem"), [("categories", "category"), ("classes", "classe"), ("address", "address"), ("bus", "bus")]
)
def test_the_singular_of_a_kind_is_simple(word: str, stem: str):
    assert stem in keys_of(f"{word} tables", word)


def test_nothing_in_nothing_out():
    assert list(find_mentions("")) == []
