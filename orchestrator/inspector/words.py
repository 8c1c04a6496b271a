"""Small pieces that the page repeats: times, counts, places, badges, sections."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from orchestrator.inspector.markup import Html, join, tag

__all__ = ["AGENTS", "agent", "badge", "count", "milliseconds", "place", "section", "span"]

AGENTS: Final = ("local", "graph", "vector")
_AFTER_SLASH: Final = re.compile(r"(?<=/)")


def milliseconds(ms: float) -> str:
    """`0.4 ms`, `86 ms`, `5.02 s`, `10 s`."""
    if ms >= 1000:
        return f"{round(ms / 1000, 2):g} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def count(number: int, one: str, many: str = "") -> str:
    """`1 citation`, `2 citations`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def place(at: Mapping[str, Any]) -> Html:
    """A location as people write it: `PROJECT/PATH:FIRST-LAST`; a line may break after a slash."""
    path = join(*_AFTER_SLASH.split(f"/{at['path']}"), by=tag("wbr"))
    lines = tag("span", f":{span(at)}", class_="lines-at")
    return tag("span", tag("b", at["project"]), path, lines, class_="place")


def span(at: Mapping[str, Any]) -> str:
    """A location's lines: `7` or `3–9`."""
    first, last = at["start_line"], at["end_line"]
    return f"{first}" if first == last else f"{first}–{last}"


def agent(name: str) -> Html:
    """An agent's name in its colour."""
    return tag("span", name, class_=f"agent {name if name in AGENTS else 'other'}")


def badge(what: str, kind: str = "") -> Html:
    """A short word in a frame; kind: good, warn, bad or none."""
    return tag("span", what, class_=f"badge {kind}".strip())


def section(name: str, title: str, *children: object, note: object = "") -> Html:
    """A part of the page with its heading, which names it for those who do not see it."""
    head = tag(
        "div", tag("h2", title, id=f"{name}-title"), tag("p", note, class_="note") if note else "", class_="head"
    )
    return tag("section", head, *children, id=name, aria_labelledby=f"{name}-title")
