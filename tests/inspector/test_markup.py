from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.inspection import Excerpt
from inspector.markup import (
    Html,
    agent,
    badge,
    cited_lines,
    count,
    join,
    milliseconds,
    numbered,
    place,
    proof,
    section,
    span,
    tag,
    text,
)


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


@pytest.mark.parametrize(
    ("ms", "told"),
    [(0, "0.0 ms"), (0.44, "0.4 ms"), (86.4, "86 ms"), (999.4, "999 ms"), (5022.5, "5.02 s"), (10_000, "10 s")],
)
def test_times(ms, told):
    assert milliseconds(ms) == told


def test_counts():
    assert (count(1, "copy", "copies"), count(2, "copy", "copies")) == ("1 copy", "2 copies")
    assert (count(0, "project"), count(1200, "project")) == ("0 projects", "1,200 projects")


def test_places():
    at = {"project": "crm", "path": "docs/a&b.py", "start_line": 3, "end_line": 9}
    assert (
        place(at)
        == '<span class="place"><b>crm</b>/<wbr/>docs/<wbr/>a&amp;b.py<span class="lines-at">:3–9</span></span>'
    )
    assert span({**at, "end_line": 3}) == "3"


def test_names_and_badges():
    assert agent("graph") == '<span class="agent graph">graph</span>'
    assert agent("wiki") == '<span class="agent other">wiki</span>'
    assert badge("late", "bad") == '<span class="badge bad">late</span>'
    assert badge("3") == '<span class="badge">3</span>'


def test_a_section_is_named_by_its_heading():
    assert section("x", "Ex", "body") == (
        '<section id="x" aria-labelledby="x-title"><div class="head"><h2 id="x-title">Ex</h2></div>body</section>'
    )
    assert '<p class="note">more</p>' in section("x", "Ex", note="more")


EXCERPT = Excerpt(4, ("a = 1", "b < a", "c = 3"))


def rows(tree, markup):
    """Number, text and whether it is cited."""
    return [(r.attributes["data-n"], r.text, r.has("class_", "cited")) for r in tree(markup).all("span", class_="line")]


def test_cited_lines_are_marked_and_the_quote_in_them(tree):
    shown = cited_lines(EXCERPT, 5, 5, " b < a")
    assert rows(tree, shown) == [("4", "a = 1\n", False), ("5", "b < a\n", True), ("6", "c = 3\n", False)]
    assert tree(shown).one("mark").text == "b < a"
    assert not list(tree(cited_lines(EXCERPT, 5, 6, "b < a c = 3")).all("mark"))  # no line holds it alone
    assert "mark" not in cited_lines(EXCERPT, 4, 4, "b < a")  # nor is it where nothing is cited


def test_a_place_that_goes_on_says_so():
    assert "down to line 90" in cited_lines(Excerpt(4, ("a",), cut=True), 4, 90)


def test_a_text_is_numbered_as_editors_do(tree):
    assert rows(tree, numbered("one\x0cstill one\r\ntwo", 7)) == [
        ("7", "one still one\n", False),
        ("8", "two\n", False),
    ]


def test_a_long_text_is_cut():
    shown = numbered("x" * 6001, 1)
    assert "… and 1 characters more" in shown
    assert "more" not in numbered("x" * 6000, 1)


def test_the_lines_of_a_file_are_shown_once(tree):
    def at(first, last):
        return {"project": "p", "path": "f", "start_line": first, "end_line": last}

    excerpts = {("p", "f", 9, 9): Excerpt(9, ("i",)), ("p", "f", 4, 5): Excerpt(3, ("c", "d", "e", "f"))}
    excerpts["p", "f", 5, 20] = Excerpt(5, ("e",), cut=True)
    shown = proof([at(9, 9), at(4, 5), at(5, 20), at(40, 40)], excerpts)
    assert [(number, text) for number, text, _ in rows(tree, shown)] == [("4", "d\n"), ("5", "e\n"), ("9", "i\n")]
    assert "down to line 20" in shown
    assert proof([at(40, 40)], excerpts) == ""
