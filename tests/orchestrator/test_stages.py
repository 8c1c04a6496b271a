from __future__ import annotations

import pytest

from orchestrator.stages import clean_query


@pytest.mark.specification("003 §9 sanitised")
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a\x1b[1;31mred\x1b[0m b", "ared b"),
        ("a\x9b31mred", "ared"),
        ("a\x1b[3\x001mb", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
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
