"""When who did what: a run's events as lanes on one axis of milliseconds.

The timeline as bars, and as a table for those who do not see them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from configs import AGENTS
from inspector.markup import Html, agent, count, join, milliseconds, section, tag
from orchestrator.events import (
    AgentFinished,
    AgentStarted,
    Classified,
    Finished,
    Merged,
    ObservationAdded,
    ScopeFound,
)

if TYPE_CHECKING:
    from inspector.inspection import Inspection

_NEAR: Final = 0.5  # a deadline is drawn once so much of it has been used


@dataclass(frozen=True, slots=True)
class Lane:
    """One bar: from start to end, of which the part until `waited` was waiting for the graph's scope.

    found: when each observation came; scope: when the graph gave its scope; due: the agent's own deadline.
    """

    name: str
    start: float
    end: float
    status: str = "ok"
    waited: float = 0.0
    found: tuple[float, ...] = ()
    scope: float | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The lanes in the order of the run, the axis' end and its ticks, and the whole run's deadline."""

    lanes: tuple[Lane, ...]
    span: float
    ticks: tuple[float, ...]
    total: float
    due: float

    def share(self, ms: float) -> float:
        """Where on the axis, in percent."""
        return round(100 * min(max(ms / self.span, 0.0), 1.0), 3)


def timeline(inspection: Inspection) -> Timeline:
    """The run's lanes: reading the question, each agent that started, then merging and answering."""
    lanes = [*_analysis(inspection), *_agents(inspection), *_stages(inspection)]
    total = max((at for at, _ in inspection.events), default=0.0)
    near = [lane.due for lane in lanes if lane.due is not None and total >= _NEAR * lane.due]
    near += [inspection.total_ms] if total >= _NEAR * inspection.total_ms else []
    step = _step(max([total, 1.0, *near]))
    span = step * math.ceil(max([total, 1.0, *near]) * 1.02 / step)
    ticks = tuple(round(step * n, 6) for n in range(round(span / step) + 1))
    return Timeline(tuple(lanes), span, ticks, total, inspection.total_ms)


def _analysis(inspection: Inspection) -> list[Lane]:
    return [Lane("analysis", 0.0, at) for at, _ in inspection.of(Classified)]


def _agents(inspection: Inspection) -> list[Lane]:
    ended = {event.outcome.agent: (at, event.outcome) for at, event in inspection.of(AgentFinished)}
    scope = next((at for at, _ in inspection.of(ScopeFound)), None)
    lanes = []
    for began, event in inspection.of(AgentStarted):
        end, outcome = ended[event.agent]
        start = max(0.0, min(began, end - outcome.elapsed_ms))
        given = min([at for at in (scope, ended["graph"][0]) if at is not None]) if "graph" in ended else None
        waited = _waited(inspection, event.agent, start, given)
        found = tuple(at for at, added in inspection.of(ObservationAdded) if added.agent == event.agent)
        lanes.append(
            Lane(
                event.agent,
                start,
                end,
                outcome.status,
                waited=waited,
                found=found,
                scope=scope if event.agent == "graph" else None,
                due=waited + inspection.agent_ms,
            )
        )
    return lanes


def _waited(inspection: Inspection, agent: str, start: float, given: float | None) -> float:
    """Until when a search waited for its scope: half the agents' time at most (docs/design.md#the-run)."""
    if agent != "vector" or inspection.result["scope"]["mode"] != "sequential" or given is None:
        return start
    return min(max(given, start), start + inspection.agent_ms / 2)


def _stages(inspection: Inspection) -> list[Lane]:
    metrics = inspection.result["metrics"]
    stages = ((Merged, "merge", "merge_time_ms"), (Finished, "answer", "synthesis_time_ms"))
    return [
        Lane(name, max(0.0, at - metrics[took]), at) for kind, name, took in stages for at, _ in inspection.of(kind)
    ]


def _step(longest: float) -> float:
    """A round distance between ticks: 1, 2 or 5 times a power of ten, four to eight of them on the axis."""
    power = 10.0 ** math.floor(math.log10(longest / 4))
    return next(power * n for n in (1, 2, 5, 10) if longest / (power * n) <= 8)


_LABELS: Final = {"analysis": "reading", "merge": "merging", "answer": "answering"}
_NAMED_TICKS: Final = 6


def lanes(inspection: Inspection) -> Html:
    drawn = timeline(inspection)
    note = f"{milliseconds(inspection.result['metrics']['total_time_ms'])} of the {milliseconds(drawn.due)} it had"
    rows = [_row(lane, drawn) for lane in drawn.lanes]
    chart = tag("div", *rows, _axis(drawn), class_="lanes", aria_hidden="true")
    return section("timeline", "Timeline", chart, _legend(drawn, inspection), _table(drawn), note=note)


def _row(lane: Lane, drawn: Timeline) -> Html:
    name = agent(lane.name) if lane.name in AGENTS else tag("span", _LABELS.get(lane.name, lane.name), class_="stage")
    kind = lane.name if lane.name in AGENTS else "stage"
    marks = [tag("i", class_="found", style=f"left:{drawn.share(at)}%") for at in lane.found]
    if lane.scope is not None:
        marks.append(tag("i", class_="scope", style=f"left:{drawn.share(lane.scope)}%"))
    if lane.due is not None and lane.due <= drawn.span:
        marks.append(tag("i", class_="due", style=f"left:{drawn.share(lane.due)}%"))
    if drawn.due <= drawn.span:
        marks.append(tag("i", class_="due total", style=f"left:{drawn.share(drawn.due)}%"))
    waiting = ""
    if lane.waited - lane.start > 0:
        waiting = _bar("waiting", lane.start, lane.waited, drawn)
    grid = [tag("i", class_="grid", style=f"left:{drawn.share(at)}%") for at in drawn.ticks]
    own = max(lane.start, lane.waited)
    bars = join(waiting, _bar(f"bar {lane.status}", own, lane.end, drawn))
    return tag(
        "div",
        tag("div", name, class_="who"),
        tag("div", *grid, bars, *marks, class_="track"),
        tag("div", milliseconds(lane.end - lane.start), class_="took num"),
        class_=f"lane {kind}",
    )


def _bar(kind: str, start: float, end: float, drawn: Timeline) -> Html:
    left = drawn.share(start)
    return tag("span", class_=kind, style=f"left:{left}%;width:{round(drawn.share(end) - left, 3)}%")


def _axis(drawn: Timeline) -> Html:
    every = -(-len(drawn.ticks) // _NAMED_TICKS)
    unit, over = ("s", 1000) if drawn.span >= 1000 else ("ms", 1)
    names = [tag("span", f"{at / over:g}", style=f"left:{drawn.share(at)}%") for at in drawn.ticks[::every]]
    ticks = tag("div", *names, class_="ticks num")
    return tag("div", tag("div"), ticks, tag("div", unit, class_="took"), class_="lane axis")


def _legend(drawn: Timeline, inspection: Inspection) -> Html:
    items = [join(tag("i", class_="found"), "an observation")]
    if any(lane.scope is not None for lane in drawn.lanes):
        items.append(join(tag("i", class_="scope"), "the graph's scope"))
    if any(lane.waited > lane.start for lane in drawn.lanes):
        items.append(join(tag("i", class_="waiting"), "waiting for it"))
    if any(lane.due is not None and lane.due <= drawn.span for lane in drawn.lanes) or drawn.due <= drawn.span:
        items.append(join(tag("i", class_="due"), "deadline"))
    else:
        items.append(
            join(
                f"Deadlines lie off to the right: {milliseconds(inspection.agent_ms)} an agent, "
                f"{milliseconds(inspection.total_ms)} in all"
            )
        )
    return tag("p", *(tag("span", item) for item in items), class_="legend")


def _table(drawn: Timeline) -> Html:
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Who", "From", "To", "Ended", "Found")))
    rows = [
        tag(
            "tr",
            tag("th", _LABELS.get(lane.name, lane.name), scope="row"),
            tag("td", milliseconds(lane.start), class_="num"),
            tag("td", milliseconds(lane.end), class_="num"),
            tag("td", lane.status),
            tag("td", count(len(lane.found), "observation") if lane.name in AGENTS else ""),
        )
        for lane in drawn.lanes
    ]
    table = tag("table", tag("thead", head), tag("tbody", *rows))
    return tag("details", tag("summary", "As a table"), tag("div", table, class_="wide", tabindex="0"), class_="quiet")
