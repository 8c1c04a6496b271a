"""What counts as a name, how each word is written, and which of them are paths."""

from __future__ import annotations

import pytest

from memory.question import read_question


def names(query):
    return [(word.text, word.kind) for word in read_question(query).names]


@pytest.mark.specification("001 §3.3 entities")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What is CustomerService?", [("CustomerService", "identifier")]),
        ("What uses customer_accounts?", [("customer_accounts", "identifier")]),
        ("Where is tenacity.retry used?", [("tenacity.retry", "identifier")]),
        ("Where is std::vector used?", [("std::vector", "identifier")]),
        ("See src/shop_api/app.py", [("src/shop_api/app.py", "identifier")]),
        ("What does `charge(amount)` do?", [("charge", "identifier")]),
        ("What depends on payment-gateway?", [("payment-gateway", "hyphenated")]),
        ('Who wrote "the retry policy"?', [("the retry policy", "quoted")]),
        ("dead-beef 2024-05-01 3f2a9c1e-7d44-11ee-9b1c", [("dead-beef", "hyphenated")]),
        ("Who wrote \u201cretry policy\u201d?", [("retry policy", "quoted")]),
        ("Who wrote 'retry policy' and 'OrderSaga'?", [("retry policy", "quoted"), ("OrderSaga", "identifier")]),
        ("Which projects use Redis or Kafka?", [("Redis", "capitalised"), ("Kafka", "capitalised")]),
        ("How does X connect to Y?", [("X", "capitalised"), ("Y", "capitalised")]),
        ("Do I need A or B?", [("B", "capitalised")]),
        ("SMS, how is it sent?", [("SMS", "capitalised")]),
        ("Who runs Neo4j or K8s?", [("Neo4j", "capitalised"), ("K8s", "capitalised")]),
        ("Redis vs. Kafka, e.g. Pulsar", [("Kafka", "capitalised"), ("Pulsar", "capitalised")]),
        ("Who uses `log4j` and `/orders`?", [("log4j", "identifier"), ("/orders", "identifier")]),
        ("How so? Where is it? It's Bob's.", [("Bob", "capitalised")]),
        ("Retries in Python 3.11, e.g. and/or i.e. 12-10", [("Python", "capitalised")]),
        ("OrderSaga and OrderSaga", [("OrderSaga", "identifier")]),
        ("WHAT DOES ORDERSERVICE DO WITH ORDER_ID?", [("ORDER_ID", "identifier")]),
        ("WHO CALLS ORDERSERVICE?", []),
        ("API", [("API", "capitalised")]),
        ("See https://example.org/Some.Path now", []),
        ('`` and ""', []),
    ],
)
def test_names(query, expected):
    assert names(query) == expected


def test_what_is_joined_is_no_ordinary_word_and_no_mention():
    question = read_question("why and/or at 3am")
    assert [word.text for word in question.words if word.is_name] == ["and/or", "3am"]
    assert question.mentions == ()


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("see src/main.py:12, .env and docs/a.md.", ("src/main.py", ".env", "docs/a.md")),
        ("what workflows.md:3-5 and src/main.py:1-4 say", ("workflows.md", "src/main.py")),
        ("see CLAUDE.md and docker-compose", ("CLAUDE.md",)),
        ("what is in go.mod and requirements-dev.in, and who opts.in", ("go.mod", "requirements-dev.in")),
        ("POST /orders of https://example.org/x.py, e.g. Order.total", ("/orders",)),
    ],
)
def test_paths(query, paths):
    assert read_question(query).paths == paths


def test_sentences_in_quotes_and_pasted_lines_are_messages_and_names_are_none():
    asked = 'Why "Dependency failed!" and `no stock of 17 left` in "run workflow"?\n```\nERROR: pump is dry\n```'
    assert read_question(asked).messages == ("Dependency failed!", "no stock of 17 left", "ERROR: pump is dry")


def test_what_is_in_front_of_a_colon_is_a_message_too():
    asked = "why `pump did not answer: {503, ...}` and `http://pump:80 is not there` and `no pump: dry`?"
    assert read_question(asked).messages == (
        "pump did not answer: {503, ...}",
        "http://pump:80 is not there",
        "no pump: dry",
        "pump did not answer",
    )
