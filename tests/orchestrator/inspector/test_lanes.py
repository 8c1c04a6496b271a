"""The timeline as bars and as a table."""

from __future__ import annotations

from configs import HybridRetrievalConfig
from memory.entities import Scope
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.inspector import follow
from orchestrator.inspector.lanes import lanes
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found

RETRIES = found("Retries for customer tables back off three times.", "billing")
QUESTION = "How do other teams handle `retries` for customer tables?"


async def section_of(tree, *, graph_seconds=0.0, vector_seconds=0.0, **settings):
    """The timeline of agents that take so long; the search waits for the graph's scope."""
    config = HybridRetrievalConfig(**settings).with_scope(mode="sequential")
    orchestrator = HybridRetrievalOrchestrator(
        graph=FakeGraphAgent([RETRIES], seconds=graph_seconds, scope=Scope(["billing"]), scope_seconds=graph_seconds),
        vector=FakeAgent([RETRIES], seconds=vector_seconds),
        config=config,
        wait_for_mays=True,
    )
    async with orchestrator:
        _, inspection = await follow(orchestrator, QUESTION, {})
    return tree(lanes(inspection))


def row(section, name):
    rows = [row for row in section.all("div", class_="lane") if not row.has("class_", "axis")]
    return next(row for row in rows if row.one("div", class_="who").text == name)


def style(section, name, kind):
    return next(row(section, name).all(class_=kind)).attributes["style"]


async def test_who_took_how_long(tree):
    section = await section_of(tree, graph_seconds=0.1, vector_seconds=0.3)
    rows = [one for one in section.all("div", class_="lane") if not one.has("class_", "axis")]
    assert [(one.one("div", class_="who").text, one.one("div", class_="took").text) for one in rows] == [
        ("reading", "0.0 ms"),
        ("graph", "100 ms"),
        ("vector", "400 ms"),  # 100 of them for the scope
        ("merging", "0.0 ms"),
        ("answering", "0.0 ms"),
    ]
    assert section.one("p", class_="note").text == "400 ms of the 10 s it had"


async def test_bars_stand_where_the_times_are(tree):
    section = await section_of(tree, graph_seconds=0.1, vector_seconds=0.3)
    # 400 ms in steps of 100: 400 * 1.02 = 408 needs five of them; 100 / 500 = 20 %, 400 / 500 = 80 %
    assert style(section, "graph", "bar") == "left:0.0%;width:20.0%"
    assert style(section, "graph", "scope") == "left:20.0%"
    assert style(section, "vector", "waiting") == "left:0.0%;width:20.0%"
    assert style(section, "vector", "bar") == "left:20.0%;width:60.0%"
    assert style(section, "vector", "found") == "left:80.0%"
    axis = section.one("div", class_="axis")
    assert [tick.text for tick in axis.all("span")] == ["0", "100", "200", "300", "400", "500"]
    assert axis.one("div", class_="took").text == "ms"


async def test_deadlines_far_away_are_told(tree):
    section = await section_of(tree, vector_seconds=0.3)
    legend = section.one("p", class_="legend").text
    assert "Deadlines lie off to the right: 5 s an agent, 10 s in all" in legend
    assert not [mark for mark in section.all("i", class_="due") if "style" in mark.attributes]


async def test_a_deadline_that_was_met_is_drawn(tree):
    section = await section_of(tree, vector_seconds=9.0, total_timeout_ms=8000)
    # 5 s and 8 s on an axis of 9 s: 8 * 1.02 = 8.16, in steps of 1
    assert style(section, "graph", "due") == "left:55.556%"
    assert style(section, "graph", "total") == "left:88.889%"
    assert style(section, "vector", "timeout") == "left:0.0%;width:55.556%"
    assert section.one("div", class_="axis").one("div", class_="took").text == "s"
    assert section.one("p", class_="legend").text.endswith("deadline")


def test_nobody_found_anything(shipped, tree):
    legend = tree(lanes(shipped("nobody-answers"))).one("p", class_="legend").text
    assert "scope" not in legend
    assert "waiting" not in legend


async def test_the_table_says_the_same(tree):
    table = (await section_of(tree, vector_seconds=9.0)).one("table")
    assert [[cell.text for cell in one.children] for one in table.one("tbody").all("tr")][1:4] == [
        ["graph", "0.0 ms", "0.0 ms", "ok", "1 observation"],
        ["vector", "0.0 ms", "5 s", "timeout", "0 observations"],
        ["merging", "5 s", "5 s", "ok", ""],
    ]
