"""What a question is cleaned of."""

from __future__ import annotations

import pytest

from memory.errors import InvalidQueryError
from memory.question import clean_query


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
