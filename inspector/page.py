"""The page of one run: one HTML document that needs nothing else, the same bytes for the same inspection."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Final

from inspector.answer import answer, verified
from inspector.markup import Html, badge, count, join, milliseconds, tag, text
from inspector.neighbourhood import drawing
from inspector.overview import conflicts, coverage, understanding
from inspector.ranking import ranking
from inspector.timeline import lanes

if TYPE_CHECKING:
    from inspector.inspection import Inspection

__all__ = ["page"]

_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_STATUS: Final = {"answered": "good", "partial": "warn", "not_found": "bad"}
_LONG: Final = 160


def page(inspection: Inspection) -> str:
    """The document. Its policy allows the page's own script by its hash, and nothing from elsewhere."""
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    [script] = _SCRIPT.findall(template)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = [
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
        tag("nav", *(tag("a", told, href=to) for told, to in facts), aria_label="At a glance", class_="num"),
    )


def _footer(inspection: Inspection) -> Html:
    result = inspection.result
    asked = f"Asked {result['started_at']}, request {result['request_id']}"
    return join(tag("p", asked), tag("p", "Text in this page comes from the projects that were searched."))
