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
        "Is there a relationship between orders and payments?",
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
