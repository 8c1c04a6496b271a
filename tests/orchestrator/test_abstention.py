"""The verdict, and what is said where there is no answer."""

from __future__ import annotations

import pytest

from memory.observations import Location, NormalizedObservation
from memory.question import read_question
from memory.vocabulary import UnknownWords
from orchestrator.abstention import judge, not_found_text
from orchestrator.coverage import Coverage

NOBODY = Coverage((), frozenset())
QUESTION = read_question("Refund an order by the WebHook: does it retry?")
WEIGHTS = {"refund": 5.0, "webhook": 4.0, "retry": 3.0, "order": 1.0}


def found(content, path="a.py", confidence=0.1):
    return NormalizedObservation(
        content,
        "vector:x",
        "billing",
        confidence,
        "code",
        id=path,
        locations=(Location("billing", path, 1, 4),),
    )


def verdict(observations=(), **unknown):
    return judge(observations, UnknownWords(**unknown), floor=0.45, most_unknown=0.35)


@pytest.mark.parametrize(
    ("confidence", "share", "pointed", "answers"),
    [(0.45, 0.34, False, True), (0.44, 0.0, False, False), (0.9, 0.35, False, False), (0.1, 0.9, True, True)],
)
def test_what_is_sure_or_what_a_trace_points_at_answers(confidence, share, pointed, answers):
    seen = [found("x", confidence=confidence)]
    assert verdict(seen, share=share, is_pointed=pointed).found is answers
    assert not verdict([], is_pointed=True).found


def test_more_may_be_unknown_beside_a_name_that_is_known():
    seen = [found("x", confidence=0.9)]
    assert verdict(seen, share=0.4, has_known_name=True).found
    assert not verdict(seen, share=0.4).found
    assert not verdict(seen, share=0.5, has_known_name=True).found


def test_the_rarest_words_that_are_not_found_together_are_said_with_the_nearest_lines():
    seen = [found("refund the order by a webhook"), found("retries", "b.py"), found("x", "c.py"), found("x", "d.py")]
    assert not_found_text(
        NOBODY, verdict(seen, weights=WEIGHTS), seen, QUESTION, ["a.py:1: `refund`", "b.py:7: `x`"]
    ) == (
        "No answer found: no indexed file that was found has Refund, WebHook and retry together."
        "\n\nNearest:\n- a.py:1: `refund`\n- b.py:7: `x`"
    )


def test_as_many_words_are_said_as_nothing_holds_together():
    seen = [found("refund webhooks, retried")]
    apart = not_found_text(NOBODY, verdict(seen, weights=WEIGHTS), seen, QUESTION)
    assert "has Refund, WebHook, retry and order together" in apart
    all_held = [found("refund webhook retry order")]
    unclear = not_found_text(NOBODY, verdict(all_held, weights=WEIGHTS), all_held, QUESTION)
    assert "speaks of this clearly enough" in unclear


def test_what_is_absent_is_named():
    assert not_found_text(
        NOBODY, verdict(names=("Kafka",), absent=("zyzzyva",), weights={"kafka": 9.0}), (), QUESTION
    ) == ("No answer found: Kafka occurs nowhere in what I may see.")
    said = not_found_text(NOBODY, verdict(absent=("flux", "capacitor"), weights={"flux": 9.0}), (), QUESTION)
    assert said == "No answer found: flux, capacitor occur nowhere in what I may see."


@pytest.mark.parametrize(
    ("content", "confidence", "answers"), [("x", 0.4, False), ("Ring-Bell", 0.4, True), ("ring-bell", 0.3, False)]
)
def test_a_little_less_will_do_of_what_has_a_name_of_the_question(content, confidence, answers):
    question = read_question("when does ring-bell sound")
    seen = [found(content, confidence=confidence)]
    assert judge(seen, UnknownWords(), floor=0.45, most_unknown=0.35, question=question).found is answers
