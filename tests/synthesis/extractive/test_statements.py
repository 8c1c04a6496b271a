from __future__ import annotations

from synthesis.extractive.statements import code_span, printable, visible


def test_control_characters_and_direction_overrides_are_off():
    assert visible("a\x1b[31mb\u202ec\td") == "a[31mbc\td"


def test_a_marker_loses_its_bracket():
    assert printable("see [vector:a/b.py:1-2] [docs]") == "see (vector:a/b.py:1-2] [docs]"


def test_backticks_of_code_stay():
    assert code_span("a = 1") == "`a = 1`"
    assert code_span("SELECT `a`") == "`` SELECT `a` ``"
