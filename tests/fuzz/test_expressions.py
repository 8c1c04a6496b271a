"""Each regular expression against its own worst case, under a limit of the processor's time."""

from __future__ import annotations

import re
import time

import pytest

from tests.fuzz.expressions import Expression, expressions, worst_texts
from tests.fuzz.running import TooLongError, limited
from tests.fuzz.super_linear import is_super_linear, known, name

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


@pytest.mark.parametrize(
    ("pattern", "searched", "bad"),
    [
        (r"\s+$", True, True),
        (r"\s+$", False, False),
        (r"(?<!\s)\s+$", True, False),
        (r"\w*x\w*y", False, True),
        (r"a+b", True, True),
        (r"[^x]*y", False, False),
    ],
)
def test_the_linter_finds_what_is_quadratic_the_way_it_is_used(pattern, searched, bad):
    assert is_super_linear(Expression("a.py:1", pattern, 0, searched=searched)) == bad


@pytest.mark.slow
def test_no_more_expressions_are_super_linear_than_are_known():
    listed = known()
    new = sorted(name(one) for one in expressions() if name(one) not in listed and is_super_linear(one))
    assert new == [], "make them linear (possessive quantifiers, lookbehind); python -m tests.fuzz.super_linear"


def test_what_is_known_is_still_there():
    assert known() <= {name(one) for one in expressions()}, "take what is gone out of tests/fuzz/quadratic.txt"


@pytest.mark.slow
def test_no_expression_is_worse_than_quadratic():
    began, tried, bad = time.process_time(), 0, {}
    for one in expressions():
        tried += 1
        text = too_long(one.pattern, one.flags)
        if text is not None:
            bad[one.at] = (one.pattern, text[:80])
    assert bad == {}
    assert tried > 300
    assert time.process_time() - began < 300
