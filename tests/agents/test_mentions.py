from __future__ import annotations

import pytest

from agents.mentions import Mention, find_mentions
from memory.question import read_question


def by_surface(question: str) -> dict[str, Mention]:
    return {m.surface: m for m in find_mentions(read_question(question))}


def test_what_is_written_as_no_word_is_is_an_identifier():
    found = by_surface("How does OrderService call process_payment of order-api or a.bc, and HTTPClient2x?")
    names = ("OrderService", "process_payment", "order-api", "a.bc", "HTTPClient2x")
    assert all(found[name].identifier for name in names)
    assert found["process_payment"].keys == ("process_payment",)
    assert found["OrderService"].keys == ("orderservice", "orderservices")
    assert not found["call"].identifier


def test_a_word_is_a_word_in_any_case():
    found = by_surface("how late may payments of a Customer be")
    assert all(found[word].is_word for word in ("late", "payments", "Customer"))
    assert found["Customer"].keys == ("customer", "customers")
    assert found["payments"].keys == ("payments", "payment")


def test_stop_words_name_nothing():
    assert by_surface("what is it and where are they").keys() == set()


def test_groups_of_words_are_spelt_in_one():
    assert by_surface("the payment gateway of ours")["payment gateway"].keys == (
        "paymentgateway",
        "payment-gateway",
        "payment_gateway",
        "payment.gateway",
        "payment gateway",
    )
    assert not by_surface("the payment gateway of ours")["payment gateway"].is_word


def test_a_group_has_up_to_three_words_and_small_ones_inside_only():
    found = by_surface("Which tables does Bank of Anthos have")
    assert "Bank of Anthos" in found
    assert not {"Bank of", "of Anthos", "does Bank"} & found.keys()
    assert max(len(surface.split()) for surface in found) == 3


def test_an_identifier_inside_a_group_ends_it():
    assert "call order-api" not in by_surface("call order-api now")


def test_single_words_come_first_and_in_order():
    surfaces = [m.surface for m in find_mentions(read_question("payment gateway retries"))]
    assert surfaces == [
        "payment",
        "gateway",
        "retries",
        "payment gateway",
        "gateway retries",
        "payment gateway retries",
    ]


def test_quoted_phrases_and_backticks_are_identifiers_in_any_spelling():
    found = by_surface('what is "order service" and `charge`')
    assert found["order service"].keys == (
        "order service",
        "orderservice",
        "order-service",
        "order_service",
        "order.service",
    )
    assert found["order service"].identifier
    assert found["charge"].identifier


@pytest.mark.parametrize("question", ["", "?!", "``", "the of and"])
def test_nothing_in_nothing_out(question):
    assert list(find_mentions(read_question(question))) == []
