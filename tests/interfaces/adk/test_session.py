"""Questions that lean on the one before them."""

from __future__ import annotations

import pytest

from interfaces.adk.session import LastQuestion, standing_alone

PAIR = LastQuestion("How does OrderService connect to PaymentGateway?", ("OrderService", "PaymentGateway"))
ONE = LastQuestion("Who calls OrderService?", ("OrderService",))
TABLES = LastQuestion("Which tables does billing have?")
ABOUT = LastQuestion("What does our CLAUDE.md say about migrations?", ("CLAUDE.md",))
NONE = LastQuestion("How do other teams handle retries?")


@pytest.mark.parametrize(
    ("question", "last", "alone"),
    [
        ("What happens there when it times out?", PAIR, "What happens in OrderService when PaymentGateway times out?"),
        ("And who calls it?", ONE, "And who calls OrderService?"),
        ("Which tests cover that?", ONE, "Which tests cover OrderService?"),
        ("What are its settings?", ONE, "What are OrderService's settings?"),
        ("What do they publish?", ONE, "What do OrderService publish?"),
        ("And in search?", NONE, "How do other teams handle retries? And in search?"),
        ("What about refunds?", ONE, "Who calls OrderService? What about refunds?"),
        ("How is it tested?", NONE, "How do other teams handle retries? How is it tested?"),
        ("Where is that defined?", ONE, "Where is OrderService defined?"),
        ("What do they do with it?", ONE, "What do they do with OrderService?"),
        ("Show me the code", ONE, "Who calls OrderService? Show me the code"),
        ("Why?", ONE, "Who calls OrderService? Why?"),
        ("And in crm?", TABLES, "Which tables does crm have?"),
        ("and which does auth have?", TABLES, "Which tables does auth have?"),
        ("And in crm?", NONE, "How do other teams handle retries in crm?"),
        ("and PaymentAdapter?", ONE, "Who calls PaymentAdapter?"),
        ("and about money?", ABOUT, "What does our CLAUDE.md say about money?"),
    ],
)
def test_what_leans_on_the_last_question_stands_alone(question, last, alone):
    assert standing_alone(question, last, {"auth", "billing", "crm"}) == alone


@pytest.mark.parametrize(
    "question",
    [
        "And who calls PaymentAdapter?",  # names what it means
        "When the charge fails, what happens to it?",  # so does this
        "Which topics that are published have no consumer?",  # "that" points inside
        "Where is `it` set?",
        "How do other teams handle retries?",
        "Is there a retry?",
        "And what is PaymentAdapter?",
        "Which port does billing listen on?",
        "",
        "hello",
        "hi there",
        "thank you very much for that",
        'Traceback (most recent call last):\n  File "a.py", line 3, in it\nValueError: it broke',
    ],
)
def test_what_stands_alone_stays(question):
    assert standing_alone(question, PAIR, {"billing"}) == question


def test_a_text_that_is_too_long_to_be_a_follow_up_is_not_read():
    long = "And who calls it? " * 200_000
    assert standing_alone(long, ONE) is long
    assert standing_alone(long, None) is long


def test_without_a_last_question_there_is_nothing_to_lean_on():
    assert standing_alone("And who calls it?", None) == "And who calls it?"


def test_what_is_kept_is_small_and_comes_back():
    last = LastQuestion.of(f"How does OrderService reach {' and '.join(f'Thing{n}' for n in range(200))}?")
    assert (len(last.text), last.names) == (300, ("OrderService", "Thing0", "Thing1", "Thing2"))
    assert LastQuestion.from_state(last.to_state()) == last


@pytest.mark.parametrize("kept", [None, "text", {"names": ["A"]}, {"text": 3}])
def test_garbage_in_a_state_is_no_question(kept):
    assert LastQuestion.from_state(kept) is None
    assert LastQuestion.from_state({"text": "x", "names": [3, "A"]}) == LastQuestion("x", ("A",))


def test_a_greeting_is_no_last_question():
    assert LastQuestion.of("hello") is None


def test_what_asks_for_more_adds_nothing_to_what_is_kept():
    assert LastQuestion.of("Who calls OrderService? Show me the code").text == "Who calls OrderService?"


def test_what_names_would_make_too_long_stays_as_it_was_asked():
    question = "what about it " * 500
    assert standing_alone(question, LastQuestion("x", ("OrderService", "PaymentGateway"))) == question
    assert len(LastQuestion.from_state({"text": "x", "names": ["A" * 9000]}).names[0]) == 300
