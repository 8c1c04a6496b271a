"""When who did what, with the arithmetic in the open."""

from __future__ import annotations

import pytest

from memory.entities import Scope
from memory.observations import VectorObservation
from memory.query import PathRole, QueryClassification, QueryType, RetrievalPath
from orchestrator.events import (
    AgentFinished,
    AgentStarted,
    Classified,
    Finished,
    Merged,
    ObservationAdded,
    ScopeFound,
)
from orchestrator.inspector.inspection import Inspection
from orchestrator.inspector.timeline import timeline
from orchestrator.running.specs import AgentOutcome

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
