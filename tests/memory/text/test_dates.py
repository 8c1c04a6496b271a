from __future__ import annotations

import pytest

from memory.text import stated_day


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
