from __future__ import annotations

import pytest

from synthesis.extractive.terms import question_terms, stem, terms, words_held


@pytest.mark.parametrize(
    "words",
    [
        ("retry", "retries", "retried", "retrying"),
        ("table", "tables"),
        ("stop", "stopped", "stopping"),
        ("handle", "handled"),
        ("notify", "notifies", "notification", "notifications"),
    ],
)
def test_endings_come_off_alike(words):
    assert len({stem(word) for word in words}) == 1


def test_what_only_looks_like_an_ending_stays():
    assert [stem(word) for word in ("class", "status", "is", "red")] == ["class", "status", "is", "red"]


def test_identifiers_count_whole_and_in_parts():
    assert terms("PaymentAdapter.process_payment") >= {"payment", "adapter", "paymentadapter", "process_payment"}
    assert terms("the and of") == frozenset()


def test_a_question_is_not_about_its_asking():
    assert question_terms("How do other teams handle retries?") == {"retry"}
    assert question_terms("Show me other teams") == terms("Show teams")


def test_held_words_are_shown_as_they_are_written():
    assert words_held("time.sleep(TIMEOUT); the timeouts", frozenset({"timeout", "tim"})) == ["time", "timeout"]


def test_to_try_again_is_to_retry_and_hyphens_join():
    assert terms("Trying it once Again") >= {"retry"}
    assert "retry" not in terms("try it, then again and again and again and try")
    assert terms("back-off") == {"back", "off", "backoff"}


def test_words_that_say_little_in_other_languages_count_only_there():
    assert question_terms("¿Qué hace el servicio de carrito?") == {"servicio", "carrito"}
    assert question_terms("Wie werden die Zahlungen verarbeitet?") == {"zahlungen", "verarbeitet"}
    assert {"de", "die"} <= question_terms("Why does de.shop die?")
