"""How each agent ended, what the answer therefore lacks, and which commits were asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from orchestrator.inspector.markup import Html, join, tag
from orchestrator.inspector.words import agent, badge, milliseconds, section

if TYPE_CHECKING:
    from orchestrator.inspector.inspection import Inspection

__all__ = ["coverage"]

_KINDS: Final = {"ok": "good", "empty": "", "timeout": "bad", "error": "bad", "skipped": ""}
_HASH: Final = 10


def coverage(inspection: Inspection) -> Html:
    """The section of the coverage."""
    result = inspection.result
    covered = result["coverage"]
    head = tag("tr", *(tag("th", name, scope="col") for name in ("Agent", "Role", "Ended", "Found", "Time", "Why")))
    table = tag("table", tag("thead", head), tag("tbody", *(_row(one) for one in covered["agents"])))
    lacks = result["answer"]["missing"]
    missing = tag("ul", *(tag("li", item) for item in lacks)) if lacks else tag("p", "Nothing that was asked for.")
    note = "everybody who was asked answered" if covered["complete"] else "somebody was late or failed"
    return section(
        "coverage",
        "Coverage",
        tag("div", table, class_="wide", tabindex="0"),
        tag("h3", "Not reached"),
        missing,
        tag("h3", "Searched"),
        _projects(result),
        note=note,
    )


def _row(one: Mapping[str, Any]) -> Html:
    return tag(
        "tr",
        tag("th", agent(one["agent"]), scope="row"),
        tag("td", one["role"]),
        tag("td", badge(one["status"], _KINDS[one["status"]])),
        tag("td", one["observations"], class_="num"),
        tag("td", milliseconds(one["elapsed_ms"]), class_="num"),
        tag("td", one["reason"] or "", class_="reason"),
    )


def _projects(result: Mapping[str, Any]) -> Html:
    """The projects a store could answer from, and of those that came up the commit that was indexed."""
    metrics = result["metrics"]
    commits = metrics["commit"]
    searched = metrics["projects_searched"]
    if not searched:
        return tag("p", "No project.", class_="empty")
    return tag("ul", *(tag("li", name, _commit(commits.get(name))) for name in searched), class_="chips")


def _commit(commit: Mapping[str, Any] | None) -> Html:
    if not commit or not commit.get("indexed"):
        return join("")
    indexed, head = str(commit["indexed"]), str(commit.get("head") or "")
    moved = join(" ", badge("moved on since", "warn")) if head and head != indexed else ""
    return join(" ", tag("code", indexed[:_HASH]), moved)
