from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import estimate_tokens, expand, identifiers, split_identifier


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("PaymentGateway", "payment gateway"),
        ("processPayment", "process payment"),
        ("process_payment", "process payment"),
        ("order-service", "order service"),
        ("billing.PaymentGateway.charge", "billing payment gateway charge"),
        ("HTTPServer", "http server"),
        ("getHTTPResponseCode", "get http response code"),
        ("parseURLs", "parse urls"),
        ("MAX_RETRIES", "max retries"),
        ("sha256Sum2", "sha 256 sum 2"),
        ("__init__", "init"),
        ("größe_ändern", "grösse ändern"),
        ("plain", "plain"),
        ("", ""),
        ("--", ""),
    ],
)
def test_split_identifier(name, words):
    assert split_identifier(name) == words.split()


def test_identifiers_are_found_as_written_once_and_in_order():
    text = (
        "How does OrderService call `process_payment`? See api.PayNow, order-service and OrderService. Use HTTPServer."
    )
    assert identifiers(text) == ["OrderService", "process_payment", "api.PayNow", "order-service", "HTTPServer"]


@pytest.mark.parametrize(
    "text", ["Plain words. Sentence starts", "e.g. this, i.e. that", "version 3.11 of 12", "HTTP", "a-b", "_"]
)
def test_what_is_no_identifier(text):
    assert identifiers(text) == []


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ("PaymentGateway fails", "paymentgateway payment gateway fails"),
        ("call process_payment()", "call process_payment process payment()"),
        ("the order-service", "the order_service order service"),
        ("api.PayNow", "api_paynow api paynow pay now"),
        ("Nothing here, e.g. 3.11", "Nothing here, e.g. 3.11"),
    ],
)
def test_expand_keeps_the_whole_and_adds_the_parts(text, expanded):
    assert expand(text) == expanded


@pytest.mark.specification("001 §6.1 tokens")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("one", 1),
        ("getUserName", 3),
        ("HTTPServer", 2),
        ("user_id", 3),
        ("a, b", 3),
        ("internationalization", 2),  # twelve letters a part at most
        ("2024", 2),
        ("x());", 3),
        ("顧客表", 3),
        ("x顧", 2),
        ("if x:\n    return\n\n", 5),  # the break between the two lines, however the second is indented
    ],
)
def test_estimate(text, tokens):
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=80))
def test_no_more_tokens_than_characters_and_some_where_something_is_written(text):
    assert 0 <= estimate_tokens(text) <= len(text)
    assert (estimate_tokens(text) > 0) == bool(text.strip())


@given(st.text(st.characters(codec="ascii"), max_size=40), st.text(st.characters(codec="ascii"), max_size=40))
def test_lines_together_cost_no_more_than_a_break_beyond_each_alone(one, other):
    both = estimate_tokens(f"{one}\n{other}")
    assert both - estimate_tokens(one) - estimate_tokens(other) in {0, 1}
