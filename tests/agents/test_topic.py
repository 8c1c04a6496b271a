"""What is left of a question without the words that say where to look, and whether it is after tests."""

from __future__ import annotations

import pytest

from agents.topic import asks_for_tests, topic


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Which other projects support trio?", "support trio?"),
        ("How do other teams handle retries of a payment?", "retries of a payment?"),
        ("Which projects?", "Which projects?"),  # nothing would be left
        ("How do other teams handle this error of mine:\ntry: pass", "this error of mine:\ntry: pass"),
    ],
)
def test_what_it_is_about(question, about):
    assert topic(question) == about


@pytest.mark.parametrize(
    ("question", "wanted"),
    [("Which tests cover the retry?", True), ("Is charge() tested?", True), ("What is the latest attestation?", False)],
)
def test_whether_tests_are_wanted(question, wanted):
    assert asks_for_tests(question) is wanted
