"""Small pieces of the page."""

from __future__ import annotations

import pytest

from orchestrator.inspector.words import agent, badge, count, milliseconds, place, section, span


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
