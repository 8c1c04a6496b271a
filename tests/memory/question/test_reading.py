"""What a question is cleaned of; types by the nearest examples, with the arithmetic written out."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from memory.errors import InvalidQueryError
from memory.query import TaskContext
from memory.question import (
    Examples,
    QueryType,
    clean_query,
    named_projects,
    only_projects,
    question_of,
    read_question,
    shipped_examples,
)
from tests.linear import seconds

WHAT, WHO = QueryType.ENTITY_LOOKUP, QueryType.RELATIONSHIP


@pytest.mark.specification("003 §9 sanitised")
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a\x1b[1;31mred\x1b[0m b", "ared b"),
        ("a\x9b31mred", "ared"),
        ("a\x1b[3\x001mb", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("    charge(card)\n\nFind code similar to this\n", "    charge(card)\n\nFind code similar to this"),
        ("\n    How does it\n    connect?\n    ", "How does it\nconnect?"),
        ("   How\ndoes it connect?", "How\ndoes it connect?"),
        ("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ b", "alink b"),
        ("a\x9d0;title\x9cb", "ab"),
        ("a\x1bPq#0;2;0\x1b\\b", "ab"),
        ("a\x1b(Bb\x1bM\x1b#8c", "abc"),
        ("a\x1b]0;no end", "a0;no end"),
        ("a[31m and b]0;title", "a[31m and b]0;title"),
        ("a\r\nb\tc\x7f", "a\nb\tc"),
    ],
)
def test_a_terminal_s_sequences_are_no_part_of_a_question(sent, kept):
    assert clean_query(sent, 99) == kept


@pytest.mark.specification("001 §2.2 step 1")
@pytest.mark.parametrize("sent", [None, 5, b"why", [], "", " \n", "\x00\x01", "\u200b", "\x1b[31m", "a" * 100])
def test_what_holds_nothing_to_read_or_too_much_is_refused(sent):
    with pytest.raises(InvalidQueryError):
        clean_query(sent, 99)


@pytest.mark.parametrize("given", [None, 5, b"why"])
def test_a_question_is_a_text(given):
    with pytest.raises(InvalidQueryError, match="The question is a value of type"):
        read_question(given)


def test_half_of_a_surrogate_pair_is_replaced():
    assert read_question("why \ud800 not").text == "why \ufffd not"


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
        "How do services handle retries?",
        "Patterns for retries",
    ],
)
def test_cross_project_wordings(question):
    assert QueryType.CROSS_PROJECT in {v.query_type for v in shipped_examples().votes(read_question(question))[:2]}


@pytest.mark.specification("001 §3.3 cross-project")
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is the pattern for retries?", QueryType.PATTERN),
        ("What are the patterns for migrations?", QueryType.LOCAL_ONLY),
        ("How do workers handle a failed job?", QueryType.PATTERN),
    ],
)
def test_a_word_of_other_examples_may_take_its_place(question, kind):
    first, *others = shipped_examples().votes(read_question(question))
    likely = [vote.query_type for vote in others if vote.share >= first.share / 2]
    assert first.query_type is kind
    assert QueryType.CROSS_PROJECT not in likely


@pytest.mark.parametrize(
    ("query", "clauses"),
    [
        ("What is a till?", ("What is a till?",)),
        (
            "Which base does it read, and which services write to it?",
            ("Which base does it read", "which services write to it?"),
        ),
        ("It fails. Why is that? Where is it set", ("It fails.", "Why is that?", "Where is it set")),
        ("who publishes it and from which template", ("who publishes it", "from which template")),
        ("orders and payments, how so", ("orders and payments", "how so")),
        ("What is a till and a drawer?", ("What is a till and a drawer?",)),
    ],
)
def test_clauses(query, clauses):
    assert read_question(query).clauses == clauses


@pytest.mark.specification("001 §2.2 step 1")
@pytest.mark.parametrize(
    "query",
    [
        "hello",
        "Thanks!",
        "hi, how are you?",
        "what about it?",
        "\N{THUMBS UP SIGN}",
        "?",
        'What is "hello, you"?',
        "`how are you`",
        "https://example.com/orders",
        "www.example.com/orders",
        "HTTPS://EXAMPLE.COM/orders",
        "ftp://example.com/orders and mailto:ada@example.com",
    ],
)
def test_what_holds_no_word_that_weighs_anything_is_idle(query):
    assert read_question(query).is_idle


@pytest.mark.parametrize(
    ("query", "courtesy"),
    [("hi there", True), ("thank you very much", True), ("why is that?", False), ("hi retries", False)],
)
def test_a_greeting_asks_nothing(query, courtesy):
    assert read_question(query).is_courtesy is courtesy


@pytest.mark.specification("001 §2.2 step 1")
@pytest.mark.parametrize(
    "query",
    [
        "hello world",
        "retries",
        "why?\n```\nx = 1\n```",
        'Where is "out of stock"?',
        "`an amount to charge is positive`",
    ],
)
def test_what_can_be_searched_for_is_not(query):
    assert not read_question(query).is_idle


def test_a_question_is_read_once():
    read = read_question("What is a till?")
    assert read_question("What is a till?") is read
    assert question_of("What is a till?", TaskContext(question=read)) is read
    assert question_of("another one", TaskContext(question=read)).text == "another one"


PIECES = "how do |find |: |`|\"|'|a.b|a-|_|which and |\n  |A|a::|: a(\n\n|calls |```|our |at a.|at a.b(|Error: |{\n|[|a.Error|\n** (a) |x.ex: A.|/a| only in "


@pytest.mark.parametrize("piece", PIECES.split("|"))
def test_no_question_makes_it_slow(piece):
    question = (piece * 8000)[:8000]
    assert seconds(lambda: shipped_examples().votes(read_question.__wrapped__(question))) < 0.5  # takes about 0.03


ALL = frozenset({"auth", "billing", "crm", "in-house", "bank-of-anthos", "bank"})


@pytest.mark.parametrize("name", ["Bank of Anthos", "bank-of-anthos", "bankofanthos", "BankOfAnthos", "bank_of_anthos"])
def test_any_spelling_names_a_project(name):
    assert named_projects(f"What does the {name} frontend call?", ALL) == ("bank-of-anthos",)


def test_a_spelling_that_several_share_names_the_one_that_is_written_so():
    both = {"order-service", "orderservice"}
    assert named_projects("what is the order service", both) == ()
    assert named_projects("what is orderservice", both) == ("orderservice",)


def test_a_part_of_an_identifier_names_no_project():
    assert named_projects("What calls map_auth_errors or auth_?", ALL) == ()
    assert named_projects("What does `auth` of bank_of_anthos call?", {"auth", "bank-of-anthos"}) == (
        "auth",
        "bank-of-anthos",
    )


def test_what_may_not_be_seen_is_not_named():
    assert named_projects("billing and auth", {"auth"}) == ("auth",)


@pytest.mark.parametrize(
    ("query", "projects"),
    [
        ("only in billing", {"billing"}),
        ("What uses customers, only in Billing and auth?", {"auth", "billing"}),
        ("only show code from crm", {"crm"}),
        ("only show code from crm: how does auth log people in", {"crm"}),
        ("Only in crm; what does billing store there?", {"crm"}),
        ("Who uses it, only within in-house.", {"in-house"}),
        ("Which frontends are there, only in Bank of Anthos?", {"bank-of-anthos"}),
        ("only show code from crm, not from auth: how are people logged in", {"crm"}),
        ("Only in crm. What does auth do with it?", {"crm"}),
        ("Is billing the only service that retries?", set()),
        ("only in nowhere", set()),
        ("What uses customers in billing?", set()),
    ],
)
@pytest.mark.specification("000 §11 filtering")
def test_the_projects_a_question_limits_itself_to(query, projects):
    assert only_projects(read_question(query), ALL) == projects


@pytest.mark.parametrize(
    ("query", "is_overview"),
    [
        ("What does this repo do?", True),
        ("Give me a brief overview of our codebase", True),
        ("What is this project about?", True),
        ("How is this project tested?", False),
        ("What does the application do?", False),
        ("Which of our services use this project?", False),
        ("What does this library do?\n```\nimport till\n```", False),
    ],
)
def test_who_asks_what_this_project_is(query, is_overview):
    assert read_question(query).is_overview is is_overview


@pytest.mark.parametrize(
    ("query", "is_plain"),
    [
        ("What is bell-tower?", True),
        ("Explain the bell tower service", True),
        ("bell-tower", True),
        ("What does the bell-tower ring?", False),
        ("What is bell-tower?\n```\nring()\n```", False),
    ],
)
def test_who_asks_what_a_project_is_asks_for_what_introduces_it(query, is_plain):
    question = replace(read_question(query), projects=("bell-tower",))
    assert ("readme.md" in question.introductions) is is_plain
    assert not read_question(query).introductions  # it names none that may be seen


def test_the_corpus_a_question_limits_itself_to():
    assert read_question("only show code from crm").only_kind == "code"
    assert read_question("I only want answers from the documentation of toll: how").only_kind == "docs"
    assert read_question("What is the only table in the code of toll?").only_kind == ""
    assert read_question("show only the documentation").only_kind == "docs"
    assert read_question("show only documents from toll").only_kind == "docs"
    assert read_question("only show code from adk-docs: how is an agent made").only_kind == "code"
    assert read_question("only in adk-docs: sequential agents").only_kind == ""
    assert read_question("only in crm").only_kind == ""
    assert read_question("only show code from crm: how are the docs built").only_kind == "code"
    assert read_question("only show code from crm, not the docs").only_kind == "code"


@pytest.mark.parametrize(
    "query",
    [
        "only show code and docs from crm: retries",
        "only show documentation and code from crm",
        "only show code and documents from crm",
        "Can I use only the docs of crm, or do I need the code?",
        "show not only code from crm but its docs",
    ],
)
def test_who_names_both_corpora_limits_the_question_to_neither(query):
    assert read_question(query).only_kind == ""


def test_not_only_is_no_limit():
    assert only_projects(read_question("show not only code from crm but its docs"), ALL) == set()


@pytest.mark.parametrize(
    ("text", "is_sample", "lacks_sample"),
    [
        ("Find code similar to this:\n    try:\n        run()\n    except OSError:\n        raise", True, False),
        ("Find code similar to this:\ntry:\n    run(now)\nexcept (A, B) as e:\n    raise", True, False),
        ("Find code similar to this:\nfrom payments.gateway import PaymentGateway", True, False),
        ("Find code like\n```\nrun()\n```", True, False),
        ("Find code like this:\n    report(\n        {\n            'a': 1,\n        }\n    )", True, False),
        ("Find code like\n```\n# see handlers/pay.py:45\nrun()\n```", True, False),
        ('What is it?\n```\nTraceback:\n  File "a.py", line 3, in run\nOSError: no\n```', False, False),
        ("Find Python code similar to this error handling pattern", False, True),
        (
            'What raised this?\nTraceback (most recent call last):\n  File "a/b.py", line 3, in run\nOSError: no',
            False,
            False,
        ),
        ("Find code similar to this error handling pattern", False, True),
        ("Find code similar to the code above", False, True),
        ("Find code similar to this `retry_all`", False, False),
        ("Find code similar to this in orders/adapter.py", False, False),
        ("Find examples of a batch that goes on", False, False),
    ],
)
def test_whether_there_is_code_to_compare_with(text, is_sample, lacks_sample):
    question = read_question(text)
    assert (question.is_sample, question.lacks_sample) == (is_sample, lacks_sample)
