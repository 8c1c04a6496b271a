"""The page of one run: one HTML document that needs nothing else, the same bytes for the same inspection."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final

from inspector.answer import answer, verified
from inspector.markup import Html, agent, badge, count, join, milliseconds, section, tag, text
from inspector.neighbourhood import drawing
from inspector.ranking import ranking
from inspector.timeline import lanes

if TYPE_CHECKING:
    from inspector.inspection import Inspection

_KINDS: Final = {"ok": "good", "empty": "", "timeout": "bad", "error": "bad", "skipped": ""}
_HASH: Final = 10
_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STATUS: Final = {"answered": "good", "partial": "warn", "not_found": "bad"}
_LONG: Final = 160


def understanding(inspection: Inspection) -> Html:
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


def what_if(inspection: Inspection) -> Html | str:
    """The section of what was changed on purpose, where anything was: how the answer differs from the recorded one."""
    if inspection.differences is None:
        return ""
    found = inspection.differences.to_dict()
    rows = (tag("div", tag("dt", name), tag("dd", tag("pre", "\n".join(lines)))) for name, lines in found.items())
    body = tag("dl", *rows, class_="facts tall") if found else tag("p", "Nothing differs from it.")
    return section("what-if", "What if", body, note="not the recorded run: something was changed on purpose")


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
        return badge("undecided")
    if id_ in conflict["losers"]:
        return badge("lost", "bad")
    return badge("kept" if id_ == conflict["winner"] else "agrees", "good")


def coverage(inspection: Inspection) -> Html:
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
    """The projects a store could answer from; of those that came up the indexed commit, and what has changed since."""
    metrics = result["metrics"]
    commits = metrics["commit"]
    searched = metrics["projects_searched"]
    if not searched:
        return tag("p", "No project.", class_="empty")
    return tag("ul", *(tag("li", name, _commit(commits.get(name))) for name in searched), class_="chips")


def _commit(commit: Mapping[str, Any] | None) -> Html:
    changed = join(" ", badge(f"{commit['changed']} changed", "warn")) if commit and commit.get("changed") else ""
    if not commit or not commit.get("indexed"):
        return join(changed)
    indexed, head = str(commit["indexed"]), str(commit.get("head") or "")
    moved = join(" ", badge("moved on since", "warn")) if head and head != indexed else ""
    return join(" ", tag("code", indexed[:_HASH]), moved, changed)


def page(inspection: Inspection) -> str:
    """The document. Its policy allows the page's own script by its hash, and nothing from elsewhere."""
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    [script] = _SCRIPT.findall(template)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = [
        what_if(inspection),
        answer(inspection),
        lanes(inspection),
        understanding(inspection),
        drawing(inspection),
        conflicts(inspection),
        ranking(inspection),
        coverage(inspection),
    ]
    query = inspection.result["query"]
    return Template(template).substitute(
        script_hash=digest,
        title=text(" ".join(query.split())[:_LONG]),
        header=_header(inspection),
        main=join(*parts),
        footer=_footer(inspection),
    )


def _header(inspection: Inspection) -> Html:
    result = inspection.result
    question, _, rest = result["query"].strip().partition("\n")
    facts = [
        (verified(result["citations"]), "#answer"),
        (milliseconds(result["metrics"]["total_time_ms"]), "#timeline"),
        (count(len(result["observations"]), "observation"), "#observations"),
        (count(len(result["scope"]["projects"]), "project") + " in scope", "#graph"),
    ]
    if result["conflicts"]:
        facts.append((count(len(result["conflicts"]), "conflict"), "#conflicts"))
    return join(
        badge(result["status"].replace("_", " "), _STATUS[result["status"]]),
        tag("h1", question, class_="long" if len(question) > _LONG else None),
        tag("pre", rest, class_="code plain", tabindex="0") if rest.strip() else "",
        tag("nav", *(tag("a", text, href=to) for text, to in facts), aria_label="At a glance", class_="num"),
    )


def _footer(inspection: Inspection) -> Html:
    result = inspection.result
    asked = f"Asked {result['started_at']}, request {result['request_id']}"
    return join(tag("p", asked), tag("p", "Text in this page comes from the projects that were searched."))
