from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import estimate_tokens, truncate


@pytest.mark.specification("001 §6.1 tokens")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("one", 1),
        ("seven", 1),
        ("sevens", 2),  # six letters: ceil(6 / 5)
        ("a, b", 3),
        ("internationalization", 4),
        ("顧客表", 3),
        ("x顧", 2),
    ],
)
def test_estimate(text, tokens):
    assert estimate_tokens(text) == tokens


def test_truncate_cuts_between_words_and_counts_the_mark():
    assert truncate("one two three. four five", 4) == "one two three…"
    assert truncate("one two", 2) == "one two"
    assert truncate("one two three", 2) == "one…"
    assert truncate("one two", 1) == ""
    assert truncate("one two three", 2, mark="") == "one two"


def test_a_negative_budget_is_refused():
    with pytest.raises(ValueError, match="-1"):
        truncate("text", -1)


@given(st.text(max_size=80), st.integers(0, 30))
def test_truncate_never_exceeds_its_budget_and_leaves_a_short_text_alone(text, budget):
    cut = truncate(text, budget)
    assert estimate_tokens(cut) <= budget
    if estimate_tokens(text) <= budget:
        assert cut == text


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_counted_as_any_other_text(text):
    assert estimate_tokens(text) == estimate_tokens(f"{text} \u00e9") - 1
