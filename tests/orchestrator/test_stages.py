from __future__ import annotations

from functools import partial

import pytest

from memory.query import TaskContext
from memory.question import read_question
from orchestrator.analysis import QueryAnalyzer
from orchestrator.stages import classified, projects_there_are, reworded, unmet_limit


def test_misspelt_words_are_put_right_before_the_question_is_read():
    context = TaskContext(allowed_projects=frozenset({"shop"}))
    read = partial(
        reworded, partial(classified, QueryAnalyzer()), "What is PaymentGatway, and PaymentGatway2?", context
    )
    classification, notes = read(lambda _question, _projects: {"PaymentGatway": "PaymentGateway"})
    assert classification.question.text == "What is PaymentGateway, and PaymentGatway2?"
    assert notes == ('"PaymentGatway" was read as "PaymentGateway"',)
    for find in (None, lambda _question, _projects: {}):
        classification, notes = read(find)
        assert (classification.question.text, notes) == ("What is PaymentGatway, and PaymentGatway2?", ())


@pytest.mark.parametrize(
    ("permission", "project", "asked"),
    [
        ({"shop", "till"}, "till", "What is till?"),
        ({"shop", "till"}, "crm", "What is shop and till?"),
        ({"shop"}, None, "What is shop?"),
        ({"a", "b", "c", "d", "e", "f"}, None, "What does this repo do?"),
    ],
)
def test_this_project_is_the_one_in_hand_or_all_where_they_are_few(permission, project, asked):
    context = TaskContext(allowed_projects=frozenset(permission), project=project)
    classification, notes = reworded(partial(classified, QueryAnalyzer()), "What does this repo do?", context, None)
    assert classification.question.text == asked
    assert notes == ((f'read as "{asked}"',) if asked.startswith("What is") else ())


@pytest.mark.parametrize(
    ("query", "notes"),
    [
        ("only show code from payments: how is a charge made?", 1),  # not indexed, or not for this permission
        ("Only show code from billing: how is a charge made?", 0),
        ("Which charges are only made in batches?", 0),  # says when, not where to look
        ("How is a charge made?", 0),
    ],
)
def test_a_limit_that_limits_nothing_is_noted(query, notes):
    context = TaskContext().allowing({"billing"})
    assert len(unmet_limit(read_question(query), context)) == notes


@pytest.mark.parametrize(
    ("query", "names", "note"),
    [
        ("What services are there?", ["b", "a"], ("2 projects are indexed: a, b",)),
        ("list all projects", ["a"], ("1 project is indexed: a",)),
        ("list all projects", [f"p{n:02}" for n in range(52)], None),
        ("list all projects", [], ()),
        ("Which services call b?", ["a", "b"], ()),
    ],
)
def test_who_asks_which_projects_there_are_hears_of_all_that_may_be_seen(query, names, note):
    found = projects_there_are(read_question(query), TaskContext(allowed_projects=frozenset(names)))
    if note is None:
        assert found[0].startswith("52 projects are indexed: p00, p01, ")
        assert found[0].endswith("p48, p49 and 2 more")
    else:
        assert found == note
