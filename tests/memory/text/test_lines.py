from __future__ import annotations

import pytest

from memory.text import stated_day
from memory.text.lines import split_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("one", ["one"]),
        ("one\n", ["one"]),
        ("one\n\n", ["one", ""]),
        ("\n", [""]),
        ("a\nb\r\nc\rd", ["a", "b", "c", "d"]),
        ("a\r\r\nb", ["a", "", "b"]),
    ],
)
def test_three_line_ends_and_no_other(text, lines):
    assert split_lines(text) == lines


def test_what_str_splitlines_would_cut_stays_one_line():
    text = "a\fb\x0bc\x1cd\x85e\u2028f\u2029g"
    assert len(text.splitlines()) == 7
    assert split_lines(text) == [text]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("# A\n\nLast updated: 2024-05-01\n", "2024-05-01"),
        ("> **Last modified:** 2024-05-01T10:00:00Z", "2024-05-01"),
        ("Updated: 2024-05-01\nUpdated: 2024-05-01", "2024-05-01"),
        ("Updated: 2024-05-01\nUpdated: 2024-06-01", None),
        ("It was last updated: 2024-05-01", None),
        ("", None),
    ],
)
def test_the_day_a_text_says_it_was_changed(text, day):
    assert stated_day(text) == day
