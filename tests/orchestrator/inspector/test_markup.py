"""Elements escape whatever is put into them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.inspector.markup import Html, join, tag, text


def test_an_element():
    assert tag("p", "a < b", tag("b", 1), class_="note", aria_label='"', hidden=True, title=None, open=False) == (
        '<p class="note" aria-label="&quot;" hidden>a &lt; b<b>1</b></p>'
    )
    assert tag("rect", x=1, data_n=2) == '<rect x="1" data-n="2"/>'


def test_parts_are_joined():
    assert join("<", None, "", tag("i", "x"), by=", ") == "&lt;, <i>x</i>"


def test_control_characters_are_left_out():
    assert text("a\x1b[31m\u202eb\tc\ud800") == "a[31mb\tc\ufffd"


def test_what_is_formatted_is_no_longer_markup():
    assert tag("p", f"{tag('b', 1)}") == "<p>&lt;b&gt;1&lt;/b&gt;</p>"


@given(st.text())
def test_no_text_opens_or_closes_anything(given_text):
    escaped = tag("p", given_text, title=given_text)
    assert isinstance(escaped, Html)
    assert escaped.count("<") == 2
    assert escaped.count(">") == 2
    assert escaped.count('"') == 2
