from __future__ import annotations

from dataclasses import replace

from memory.text import output
from synthesis import Answer, Citation
from synthesis.extractive.statements import CitedClaim, Line, code_span, lacking, led_by, printable


def test_control_characters_and_direction_overrides_are_off():
    assert output.printable("a\x1b[31mb\u202ec\td") == "a[31mbc\td"


def test_a_marker_loses_its_bracket():
    assert printable("see [vector:a/b.py:1-2] [docs]") == "see (vector:a/b.py:1-2] [docs]"


def test_backticks_of_code_stay():
    assert code_span("a = 1") == "`a = 1`"
    assert code_span("SELECT `a`") == "`` SELECT `a` ``"


def test_what_is_nowhere_is_said_before_all_else_and_once():
    answer = lacking(Answer("The gate opens at nine. [local:gate.md:1]"), ("the graph", "X occurs nowhere", "the rest"))
    led = led_by(answer, ("X occurs nowhere",))
    text = "Note: X occurs nowhere.\n\nThe gate opens at nine. [local:gate.md:1]\nMissing: the graph; the rest."
    assert (led.text, led.missing) == (text, answer.missing)
    assert led_by(answer, ()) is answer


def test_a_block_is_lost_with_the_place_that_is_not_borne_out():
    first, other = (Citation(f"[local:{name}]", "x", "", "", None) for name in ("a:1", "a:9"))
    line = Line((CitedClaim("tower/a:1", (first,)), CitedClaim("and 9", (other,))), block="\n```\nring\n```")
    good = replace(other, located=True, supported=True)
    assert line.held({first: first, other: good}) is None
    kept = line.held({first: replace(first, located=True, supported=True), other: other})
    assert kept is not None
    assert [claim.text for claim in kept.claims] == ["tower/a:1"]
    assert replace(line, block="").held({first: first, other: good}) is not None
