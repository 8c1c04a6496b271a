from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.text import estimate_tokens


@pytest.mark.specification("001 §6.1 tokens")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("one", 1),
        ("getUserName", 3),
        ("HTTPServer", 2),
        ("user_id", 3),
        ("a, b", 3),
        ("internationalization", 2),  # twelve letters a part at most
        ("2024", 2),
        ("x());", 3),
        ("顧客表", 3),
        ("x顧", 2),
        ("if x:\n    return\n\n", 5),  # the break between the two lines, however the second is indented
    ],
)
def test_estimate(text, tokens):
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=80))
def test_no_more_tokens_than_characters_and_some_where_something_is_written(text):
    assert 0 <= estimate_tokens(text) <= len(text)
    assert (estimate_tokens(text) > 0) == bool(text.strip())


@given(st.text(st.characters(codec="ascii"), max_size=40), st.text(st.characters(codec="ascii"), max_size=40))
def test_lines_together_cost_no_more_than_a_break_beyond_each_alone(one, other):
    both = estimate_tokens(f"{one}\n{other}")
    assert both - estimate_tokens(one) - estimate_tokens(other) in {0, 1}
