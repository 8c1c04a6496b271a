"""The top of the page: what the analyzer read from the question, the conflicts that the sources left, how each agent ended,
what the answer therefore lacks, and which commits were asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from inspector.markup import Html, agent, badge, join, milliseconds, section, tag

if TYPE_CHECKING:
    from inspector.inspection import Inspection

__all__ = ["conflicts", "coverage", "understanding"]


def understanding(inspection: Inspection) -> Html:
    """The section of the classification."""
    read = inspection.result["classification"]
    rows = [
        ("Kind", join(*(badge(kind.replace("_", " ")) for kind in read["query_types"]), by=" ")),
        (
            "Why",
            tag("ul", *(tag("li", reason) for reason in read["reasons"])) if read["reasons"] else "like no example",
        ),
        ("Plans", join(*(agent(path) for path in read["paths"]), by=" ")),
        ("Names", join(*(tag("code", name) for name in read["entities"]), by=" ") if read["entities"] else "nothing"),
        (
            "Scope",
            "the graph's scope matters for it" if read["graph_scopes_vector"] else "not planned for its kind",
        ),
    ]
    facts = tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_="facts tall")
    return section("question", "How it was read", facts)


def conflicts(inspection: Inspection) -> Html | str:
    """The section of the conflicts, where there are any."""
    found = inspection.result["conflicts"]
    if not found:
        return ""
    ranks = {o["id"]: o["rank"] for o in inspection.result["observations"]}
    return section("conflicts", "Conflicts", tag("ul", *(_conflict(one, ranks) for one in found), class_="disputes"))


def _conflict(conflict: Mapping[str, Any], ranks: Mapping[str, int]) -> Html:
    order = sorted(conflict["values"], key=lambda id_: (id_ in conflict["losers"], id_ != conflict["winner"], id_))
    values = [
        tag(
            "li",
            _verdict(id_, conflict),
            " ",
            tag("code", conflict["values"][id_]),
            tag("span", f" observation {ranks[id_]}" if id_ in ranks else f" {id_}", class_="soft"),
        )
        for id_ in order
    ]
    return tag(
        "li",
        tag("p", tag("b", conflict["subject"]), f", {conflict['property']} ", badge(conflict["conflict_type"])),
        tag("ul", *values, class_="values"),
        tag("p", conflict["question"] if conflict["needs_user"] else conflict["reason"], class_="note"),
    )


def _verdict(id_: str, conflict: Mapping[str, Any]) -> Html:
    if conflict["winner"] is None:
        return badge("stands")
    if id_ in conflict["losers"]:
        return badge("lost", "bad")
    return badge("kept" if id_ == conflict["winner"] else "agrees", "good")


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
