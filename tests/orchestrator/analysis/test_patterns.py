"""The wordings of 001 §3.1 and §3.3, as they stand there; more of them are in `test_analyzer`."""

from __future__ import annotations

import pytest

from memory.query import QueryType
from orchestrator.analysis.patterns import match_types


def types(question):
    return [match.query_type for match in match_types(question)]


@pytest.mark.specification("001 §3.1 types")
@pytest.mark.parametrize(
    ("example", "kind"),
    [
        ("What is CustomerService?", QueryType.ENTITY_LOOKUP),
        ("How does X connect to Y?", QueryType.RELATIONSHIP),
        ("Find code similar to this", QueryType.SIMILARITY),
        ("How do teams handle X?", QueryType.PATTERN),
        ("What other projects use X?", QueryType.CROSS_PROJECT),
        ("What does our CLAUDE.md say?", QueryType.LOCAL_ONLY),
        ("What calls the service that uses Customer?", QueryType.MULTI_HOP),
    ],
)
def test_the_example_of_each_type(example, kind):
    assert kind in types(example)


@pytest.mark.specification("001 §3.3 relationship")
@pytest.mark.parametrize(
    "question",
    [
        "How does the till connect to the bank?",
        "What calls charge?",
        "What uses charge?",
        "Which part depends on charge?",
        "Which environment variables does the till read?",
        "Which tables does billing own?",
        "Is there a relationship between orders and payments?",
        "How does the till call the bank?",
        "Does the till service of web-shop call the bank?",
        "What does the till call in web-shop?",
        "Which endpoints does the till call in web-shop?",
        "How does billing notify its customers?",
        "Which services of web-shop use MongoDB?",
        "Which services publish to RabbitMQ?",
        "Which services in the shop subscribe to order.placed?",
    ],
)
def test_relationship_wordings(question):
    assert QueryType.RELATIONSHIP in types(question)
    assert QueryType.SIMILARITY not in types(question)


@pytest.mark.specification("001 §3.3 similarity")
@pytest.mark.parametrize(
    "question", ["Code similar to charge", "Code like this", "Give examples of retries", "Find code that retries"]
)
def test_similarity_wordings(question):
    assert types(question) == [QueryType.SIMILARITY]


@pytest.mark.specification("001 §3.3 cross-project")
@pytest.mark.parametrize(
    "question",
    [
        "Retries of other teams",
        "Retries in other projects",
        "Retries of another kind in other services",
        "Retries across the whole company",
        "Retries across the org",
        "Retries across our enterprise",
        "How do billing and auth handle retries?",
        "Patterns for retries",
        "A pattern for retries",
    ],
)
def test_cross_project_wordings(question):
    assert QueryType.CROSS_PROJECT in types(question)


def test_what_says_none_of_it_has_no_type():
    assert types("retries") == []


@pytest.mark.parametrize(
    "question",
    [
        "How does the client handle a failed call in the pool?",
        "How do teams call their services?",
        "How do I reach the desk?",
        "How does one publish a package?",
    ],
)
def test_what_is_no_relation(question):
    assert QueryType.RELATIONSHIP not in types(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who consumes the events that the till publishes?",
        "Which service sends a mail when an invoice is late, and from which template?",
    ],
)
def test_two_steps_are_multi_hop(question):
    assert QueryType.MULTI_HOP in types(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which services are in web-shop?",
        "What services does web-shop consist of?",
        "Which environment variables exist in web-shop?",
        "List the topics of web-shop",
        "Show me all tables",
    ],
)
def test_what_there_is_of_a_kind_is_looked_up(question):
    assert types(question) == [QueryType.ENTITY_LOOKUP]
