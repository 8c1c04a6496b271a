"""The timeline as bars, and as a table for those who do not see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from orchestrator.inspector.markup import Html, join, tag
from orchestrator.inspector.timeline import Lane, Timeline, timeline
from orchestrator.inspector.words import AGENTS, agent, count, milliseconds, section

if TYPE_CHECKING:
    from orchestrator.inspector.inspection import Inspection

__all__ = ["lanes"]

_LABELS: Final = {"analysis": "reading", "merge": "merging", "answer": "answering"}
_NAMED_TICKS: Final = 6


def lanes(inspection: Inspection) -> Html:
    """The section of the timeline."""
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
