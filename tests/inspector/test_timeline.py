from __future__ import annotations

import pytest

from configs import HybridRetrievalConfig
from inspector import follow
from inspector.inspection import Inspection
from inspector.timeline import lanes, timeline
from memory.entities import Scope
from memory.observations import VectorObservation
from memory.query import PathRole, QueryClassification, RetrievalPath
from memory.question import QueryType
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.events import (
    AgentFinished,
    AgentStarted,
    Classified,
    Finished,
    Merged,
    ObservationAdded,
    ScopeFound,
)
from orchestrator.running.fakes import FakeAgent, FakeGraphAgent, found
from orchestrator.specs import AgentOutcome

READ = QueryClassification("?", (QueryType.PATTERN,), (RetrievalPath.GRAPH,))

FOUND = VectorObservation("text", "a.md", "p", 0.5, None, "code")

EVENTS = (
    (4.0, Classified(READ)),
    (10.0, AgentStarted("graph", PathRole.MUST)),
    (10.0, AgentStarted("vector", PathRole.MAY)),
    (40.0, ScopeFound(Scope(["p"]))),
    (60.0, AgentFinished(AgentOutcome("graph", PathRole.MUST, "empty", 0, 50.0))),
    (150.0, ObservationAdded("vector-1", "vector", FOUND)),
    (160.0, AgentFinished(AgentOutcome("vector", PathRole.MAY, "ok", 1, 150.0))),
    (170.0, Merged(())),
    (200.0, Finished(None)),
)


def drawn(events=EVENTS, mode="sequential", agent_ms=5000, total_ms=10_000):
    result = {"scope": {"mode": mode}, "metrics": {"merge_time_ms": 8.0, "synthesis_time_ms": 25.0}}
    return timeline(Inspection(result, tuple(events), agent_ms, total_ms))


def lane(name, **changes):
    return next(one for one in drawn(**changes).lanes if one.name == name)


def test_the_lanes_in_order():
    assert [(one.name, one.start, one.end, one.status) for one in drawn().lanes] == [
        ("analysis", 0.0, 4.0, "ok"),
        ("graph", 10.0, 60.0, "empty"),  # 60 - 50
        ("vector", 10.0, 160.0, "ok"),
        ("merge", 162.0, 170.0, "ok"),  # 170 - 8
        ("answer", 175.0, 200.0, "ok"),  # 200 - 25
    ]


def test_observations_and_the_scope():
    assert lane("vector").found == (150.0,)
    assert (lane("graph").scope, lane("vector").scope) == (40.0, None)


def agent_of(event):
    return getattr(getattr(event, "outcome", event), "agent", "")


@pytest.mark.parametrize(
    ("changes", "waited"),
    [
        ({}, 40.0),  # until the scope
        ({"mode": "parallel_research"}, 10.0),  # nobody waits
        ({"agent_ms": 30}, 25.0),  # 10 + 30 / 2
        ({"events": [e for e in EVENTS if not isinstance(e[1], ScopeFound)]}, 60.0),  # the graph has ended
        ({"events": [e for e in EVENTS if agent_of(e[1]) != "graph"]}, 10.0),  # there is none to wait for
    ],
)
def test_a_search_waits_for_its_scope_outside_its_own_clock(changes, waited):
    one = lane("vector", **changes)
    assert one.waited == waited
    assert one.due == waited + changes.get("agent_ms", 5000)
    assert lane("graph").waited == 10.0


def test_the_axis():
    axis = drawn()
    # 200 ms: steps of 50 give four, of 20 ten; 200 * 1.02 = 204 needs five of them
    assert (axis.total, axis.span, axis.ticks) == (200.0, 250.0, (0, 50, 100, 150, 200, 250))
    assert (axis.share(125), axis.share(-1), axis.share(1000)) == (50.0, 0.0, 100.0)


def test_a_deadline_is_on_the_axis_once_half_of_it_is_used():
    assert drawn(total_ms=401).span == 250.0
    assert drawn(total_ms=400).span == 500.0  # 400 * 1.02 = 408, in steps of 100
    assert drawn(agent_ms=150).span == 250.0  # the latest is 40 + 150 = 190


def test_nothing_has_happened():
    axis = drawn(events=())
    assert (axis.lanes, axis.total) == ((), 0.0)
    assert axis.span == pytest.approx(1.2)  # 1 ms * 1.02, in steps of 0.2


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
