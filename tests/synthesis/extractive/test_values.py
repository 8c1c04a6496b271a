from __future__ import annotations

import pytest

from synthesis.extractive.passages import Passage
from synthesis.extractive.values import value_factor


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("DEFAULT_TIMEOUT = Timeout(timeout=5.0)", 1.7),
        ("TIMEOUT_SECS = 600", 1.7),
        ("timeout: 30", 1.7),
        ("timeout INTEGER NOT NULL", 1.7),
        ("answer = get(url, timeout=20)", 1.7),
        ("timeout: Types = UNSET", 0.8),
        ("timeout==5.1", 1.7),
        ('extra = ["timeout[all]>=5,<6", "limit"]', 1.7),
        ('extra = ["limit==5", "timeout"]', 1.0),
        ("LIMIT = 5", 1.0),
        ("return timeout", 0.8),
    ],
)
def test_code(text, factor):
    assert value_factor(Passage(text, text, 0, 0, "code"), frozenset({"timeout"})) == factor


@pytest.mark.parametrize(
    ("text", "factor"),
    [("It waits 5 seconds.", 1.3), ("It defaults to none.", 1.3), ("It waits.", 0.8), ("HTTP/2 waits.", 0.8)],
)
def test_prose(text, factor):
    assert value_factor(Passage(text, text, 0, 0, "prose"), frozenset({"timeout"})) == factor
