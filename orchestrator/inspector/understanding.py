"""What the analyzer read from the question, and the conflicts that the sources left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from orchestrator.inspector.markup import Html, join, tag
from orchestrator.inspector.words import agent, badge, section

if TYPE_CHECKING:
    from orchestrator.inspector.inspection import Inspection

__all__ = ["conflicts", "understanding"]


def understanding(inspection: Inspection) -> Html:
    """The section of the classification."""
    read = inspection.result["classification"]
    rows = [
        ("Kind", join(*(badge(kind.replace("_", " ")) for kind in read["query_types"]), by=" ")),
        ("Why", tag("ul", *(tag("li", reason) for reason in read["reasons"])) if read["reasons"] else "no pattern"),
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
