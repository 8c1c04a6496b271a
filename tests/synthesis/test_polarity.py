from __future__ import annotations

import pytest

from synthesis.polarity import contradicted


@pytest.mark.parametrize(
    ("claim", "lines", "word"),
    [
        ("It is not unique", "the e-mail is unique", "uniqu"),
        ("Numbers have gaps", "Invoice numbers have no gaps.", "gap"),
        ("The relay never answers", "The relay takes all.", "not"),
        ("It does not call the adapter", "service calls adapter", "call"),
    ],
)
def test_one_denies_what_the_other_affirms(claim, lines, word):
    assert contradicted(claim, lines) == word


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("It is not unique", "the e-mail is stored and is not\nunique"),
        ("Follow-ups are closed rather than deleted", "It is closed, never deleted."),
        ("No pause is longer than 900 seconds", "LONGEST_PAUSE = 900.0"),
        ("Only a cancelled order may wake a phone", "Nothing but a cancelled order may wake a phone"),
        ("The e-mail is the key", "email TEXT NOT NULL, PRIMARY KEY"),
    ],
)
def test_both_say_the_same(claim, lines):
    assert contradicted(claim, lines) is None
