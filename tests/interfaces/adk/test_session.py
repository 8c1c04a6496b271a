"""Questions that lean on the one before them."""

from __future__ import annotations

import pytest

from interfaces.adk.session import LastQuestion, standing_alone

PAIR = LastQuestion("How does OrderService connect to PaymentGateway?", ("OrderService", "PaymentGateway"))
ONE = LastQuestion("Who calls OrderService?", ("OrderService",))
NONE = LastQuestion("How do other teams handle retries?")


@pytest.mark.parametrize(
    ("question", "last", "alone"),
    [
        ("What happens there when it times out?", PAIR, "What happens in OrderService when PaymentGateway times out?"),
        ("And who calls it?", ONE, "And who calls OrderService?"),
        ("Which tests cover that?", ONE, "Which tests cover OrderService?"),
        ("What are its settings?", ONE, "What are OrderService's settings?"),
        ("What do they publish?", ONE, "What do OrderService publish?"),
        ("And in billing?", NONE, "How do other teams handle retries? And in billing?"),
        ("What about auth?", ONE, "Who calls OrderService? What about auth?"),
        ("How is it tested?", NONE, "How do other teams handle retries? How is it tested?"),
    ],
)
def test_what_leans_on_the_last_question_stands_alone(question, last, alone):
    assert standing_alone(question, last) == alone


@pytest.mark.parametrize(
    "question",
    [
        "And who calls PaymentAdapter?",  # names what it means
        "When the charge fails, what happens to it?",  # so does this
        "Which topics that are published have no consumer?",  # "that" points inside
        "Where is `it` set?",
        "How do other teams handle retries?",
        "hello",
        "hi there",
        "thank you very much for that",
        'Traceback (most recent call last):\n  File "a.py", line 3, in it\nValueError: it broke',
    ],
)
def test_what_stands_alone_stays(question):
    assert standing_alone(question, PAIR) == question


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
