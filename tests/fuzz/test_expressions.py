"""Each regular expression against its own worst case, under a limit of the processor's time."""

from __future__ import annotations

import re
import time

import pytest

from tests.fuzz.expressions import expressions, worst_texts
from tests.fuzz.running import TooLongError, limited

SIZE = 1_000
"""Of a cubic expression 10^9 steps, of a quadratic one 10^6: those are held by the limits on a file and a question."""
SECONDS = 0.3


def too_long(pattern, flags, size=SIZE):
    """The text that keeps the pattern busy; None where there is none."""
    compiled = re.compile(pattern, flags)
    for text in worst_texts(pattern, flags, size):
        try:
            with limited(SECONDS):
                for _ in compiled.finditer(text):
                    pass
        except TooLongError:
            return text
    return None


def test_the_check_finds_what_it_looks_for():
    assert too_long(r"(a+)+b", 0)
    assert too_long(r"^\s*\w*\s*\w*\s*\w*;$", 0)
    assert too_long(r"(?:a|a)*b", 0)
    assert not too_long(r"a+b|[^x]*", 0)


@pytest.mark.slow
def test_no_expression_is_worse_than_quadratic():
    began, tried, bad = time.process_time(), 0, {}
    for at, pattern, flags in expressions():
        tried += 1
        text = too_long(pattern, flags)
        if text is not None:
            bad[at] = (pattern, text[:80])
    assert bad == {}
    assert tried > 300
    assert time.process_time() - began < 300
