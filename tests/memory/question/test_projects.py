"""Projects in any spelling, and the limits that a question sets itself."""

from __future__ import annotations

import pytest

from memory.question import named_projects, only_projects, read_question

ALL = frozenset({"auth", "billing", "crm", "in-house", "bank-of-anthos", "bank"})


@pytest.mark.parametrize("name", ["Bank of Anthos", "bank-of-anthos", "bankofanthos", "BankOfAnthos", "bank_of_anthos"])
def test_any_spelling_names_a_project(name):
    assert named_projects(f"What does the {name} frontend call?", ALL) == ("bank-of-anthos",)


def test_a_spelling_that_several_share_names_the_one_that_is_written_so():
    both = {"order-service", "orderservice"}
    assert named_projects("what is the order service", both) == ()
    assert named_projects("what is orderservice", both) == ("orderservice",)


def test_what_may_not_be_seen_is_not_named():
    assert named_projects("billing and auth", {"auth"}) == ("auth",)


@pytest.mark.parametrize(
    ("query", "projects"),
    [
        ("only in billing", {"billing"}),
        ("What uses customers, only in Billing and auth?", {"auth", "billing"}),
        ("only show code from crm", {"crm"}),
        ("Who uses it, only within in-house.", {"in-house"}),
        ("Which frontends are there, only in Bank of Anthos?", {"bank-of-anthos"}),
        ("Is billing the only service that retries?", set()),
        ("only in nowhere", set()),
        ("What uses customers in billing?", set()),
    ],
)
def test_the_projects_a_question_limits_itself_to(query, projects):
    assert only_projects(read_question(query), ALL) == projects


def test_the_corpus_a_question_limits_itself_to():
    assert read_question("only show code from crm").only_kind == "code"
    assert read_question("show only the documentation").only_kind == "docs"
    assert read_question("only in crm").only_kind == ""
