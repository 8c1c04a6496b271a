"""Types by the nearest examples, with the arithmetic written out."""

from __future__ import annotations

import math

import pytest

from memory.query import QueryType
from memory.question import read_question
from memory.question.nearest import Examples, shipped_examples

WHAT, WHO = QueryType.ENTITY_LOOKUP, QueryType.RELATIONSHIP


def test_the_vote_is_the_squared_cosine_of_the_nearest():
    examples = Examples({WHAT: ["what is it"], WHO: ["who is it"]})
    first, second = examples.votes(read_question("what is it"))
    # features of "what is it": what, is, it, ^ what, what is, is it, it $; two examples share is, it, is it, it $
    both, one = math.log(1 + 2 / 2) ** 2, math.log(1 + 2 / 1) ** 2
    length = 4 * both + 3 * one  # squared, and the same for each
    likeness = 4 * both / length  # of "who is it"; that of the question itself is 1
    assert (first.query_type, second.query_type) == (WHAT, WHO)
    assert first.share == pytest.approx(1 / (1 + likeness**2), abs=1e-4)
    assert second.share == pytest.approx(likeness**2 / (1 + likeness**2), abs=1e-4)
    assert first.example == "what is it"


def test_names_and_rare_words_are_one_mark():
    examples = Examples({WHAT: ["what is OrderSaga"], WHO: ["why"]})
    asked = ["what is PaymentGateway", "what is payment-gateway", "what is a_b", "what is zyzzyva", "what is the_a b_c"]
    for question in asked:
        [vote] = examples.votes(read_question(question))
        assert (vote.query_type, vote.share) == (WHAT, 1.0)


def test_only_the_nearest_vote():
    questions = {WHAT: ["what is it"], WHO: ["who is it"]}
    assert [v.query_type for v in Examples(questions, nearest=2).votes(read_question("what is it"))] == [WHAT, WHO]
    assert [v.query_type for v in Examples(questions, nearest=1).votes(read_question("what is it"))] == [WHAT]


def test_an_example_of_two_types_votes_for_both():
    votes = Examples({WHAT: ["how is it"], WHO: ["how is it"]}).votes(read_question("how is it"))
    assert [(vote.query_type, vote.share) for vote in votes] == [(WHAT, 0.5), (WHO, 0.5)]


def test_names_alone_have_no_vote():
    assert Examples({WHAT: ["what is it"]}).votes(read_question("foo_bar")) == ()


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
def test_the_example_of_each_type_leads_to_it(example, kind):
    assert shipped_examples().votes(read_question(example))[0].query_type is kind


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How does the till connect to the bank?", {QueryType.RELATIONSHIP}),
        ("What calls charge?", {QueryType.RELATIONSHIP}),
        ("What uses charge?", {QueryType.RELATIONSHIP}),
        ("Which part depends on charge?", {QueryType.RELATIONSHIP}),
        ("Is there a relationship between orders and payments?", {QueryType.RELATIONSHIP}),
    ],
)
@pytest.mark.specification("001 §3.3 relationship")
def test_relationship_wordings(question, kinds):
    assert kinds <= {vote.query_type for vote in shipped_examples().votes(read_question(question))[:2]}


@pytest.mark.specification("001 §3.3 similarity")
@pytest.mark.parametrize(
    "question", ["Code similar to charge", "Code like this", "Give examples of retries", "Find code that retries"]
)
def test_similarity_wordings(question):
    assert shipped_examples().votes(read_question(question))[0].query_type is QueryType.SIMILARITY


@pytest.mark.specification("001 §3.3 cross-project")
@pytest.mark.parametrize(
    "question",
    [
        "Retries of other teams",
        "Retries across the company",
        "How do billing and auth handle retries?",
        "Patterns for retries",
    ],
)
def test_cross_project_wordings(question):
    assert QueryType.CROSS_PROJECT in {v.query_type for v in shipped_examples().votes(read_question(question))[:2]}
