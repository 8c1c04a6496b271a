"""The answer, with a number where each citation is, and beside it the lines that the numbers open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from inspector.inspection import place_of
from inspector.markup import Html, badge, cited_lines, count, join, place, section, tag

if TYPE_CHECKING:
    from inspector.inspection import Inspection

_CODE: Final = re.compile(r"(`[^`\n]+`)")


def answer(inspection: Inspection) -> Html:
    result = inspection.result
    sources = _by_marker(result["citations"], result["answer"]["text"])
    numbers = {marker: number for number, marker in enumerate(sources, 1)}
    written = result["answer"]
    notes = [tag("li", note) for note in written["notes"]]
    body = tag(
        "div",
        *_blocks(written["text"], numbers),
        _missing([item for item in written["missing"] if item not in written["text"]]),
        tag("ul", *notes, class_="note") if notes else "",
        class_="prose",
    )
    shown = [_source(number, marker, sources[marker], inspection) for marker, number in numbers.items()]
    empty = tag("p", "The answer cites nothing.", class_="empty")
    listed = tag("div", tag("h3", "Sources"), *shown, "" if shown else empty, class_="sources")
    by = "taken from the sources word for word" if written["answerer"] == "extractive" else f"by {written['answerer']}"
    by = by if result["citations"] else ""
    return section("answer", "Answer", tag("div", body, listed, class_="two"), note=by)


def _missing(missing: list[str]) -> Html | str:
    if not missing:
        return ""
    rows = [tag("li", item) for item in missing]
    return tag("div", tag("h3", "What it lacks"), tag("ul", *rows), class_="lacks")


def _by_marker(citations: list[dict[str, Any]], written: str) -> dict[str, list[dict[str, Any]]]:
    """The citations under their markers, in the order in which the text has them; one it does not have comes last."""
    sources: dict[str, list[dict[str, Any]]] = {}
    for citation in citations:
        sources.setdefault(citation["marker"], []).append(citation)
    first = {marker: written.find(marker) for marker in sources}
    ordered = sorted(sources, key=lambda marker: first[marker] if first[marker] >= 0 else len(written))
    return {marker: sources[marker] for marker in ordered}


def _blocks(written: str, numbers: Mapping[str, int]) -> Iterator[Html]:
    """Paragraphs, lists, fenced code."""
    items: list[Html] = []
    fenced: list[str] | None = None
    for line in written.split("\n"):
        if fenced is not None:
            if line.startswith("```"):
                yield tag("pre", "\n".join(fenced), class_="code plain", tabindex="0")
                fenced = None
            else:
                fenced.append(line)
            continue
        if line.startswith("- "):
            items.append(tag("li", _inline(line[2:], numbers)))
            continue
        if items:
            yield tag("ul", *items)
            items = []
        if line.startswith("```"):
            fenced = []
        elif line.strip():
            yield tag("p", _inline(line, numbers))
    if items:
        yield tag("ul", *items)
    if fenced:  # a fence that no one closed
        yield tag("pre", "\n".join(fenced), class_="code plain", tabindex="0")


def _inline(line: str, numbers: Mapping[str, int]) -> Html:
    """A line with its markers as numbers and its backticks as code."""
    if not numbers:
        return _coded(line)
    longest_first = sorted(numbers, key=len, reverse=True)
    parts = re.split("(" + "|".join(re.escape(marker) for marker in longest_first) + ")", line)
    return join(*(_reference(numbers[part]) if part in numbers else _coded(part) for part in parts))


def _reference(number: int) -> Html:
    return tag("a", number, class_="cite num", href=f"#lines-{number}", aria_label=f"Source {number}")


def _coded(part: str) -> Html:
    pieces = _CODE.split(part)
    return join(*(tag("code", piece[1:-1]) if at % 2 else piece for at, piece in enumerate(pieces)))


def _source(number: int, marker: str, citations: list[dict[str, Any]], inspection: Inspection) -> Html:
    """One marker's card: closed its place and whether it holds, open its lines."""
    held = all(citation["verified"] for citation in citations)
    located = all(citation["located"] for citation in citations)
    places = {place_of(c["location"]): c["location"] for c in citations if c["location"] is not None}
    agent = marker[1:].partition(":")[0]
    where = [tag("span", place(at), class_="where") for at in places.values()] or [tag("span", marker, class_="where")]
    summary = tag(
        "summary",
        tag("span", number, class_="cite num"),
        tag("span", *where, class_="wheres"),
        tag("span", "✓", tag("span", " verified", class_="unseen"), class_="held")
        if held
        else badge("not supported" if located else "not verified", "bad"),
        badge("changed since", "warn") if any(c["stale"] for c in citations) else "",
    )
    inside = tag("div", *(_citation(c, inspection) for c in citations), id=f"lines-{number}", class_="inside")
    return tag("details", summary, inside, class_=f"source {agent}", open=number == 1 or not held)


def _citation(citation: dict[str, Any], inspection: Inspection) -> Html:
    at = citation["location"]
    excerpt = inspection.excerpts.get(place_of(at)) if at is not None else None
    if excerpt is not None:
        shown = cited_lines(excerpt, at["start_line"], at["end_line"], citation["quote"])
    else:
        shown = tag("blockquote", citation["quote"])
    fault = "Located, not supported" if citation["located"] else "Not verified"
    reason = tag("p", f"{fault}: {citation['reason']}", class_="warning") if not citation["verified"] else ""
    return tag("div", tag("p", _coded(citation["claim"]), class_="claim"), reason, shown, class_="citation")


def verified(citations: list[dict[str, Any]]) -> str:
    """`5 of 6 citations verified, 1 located and not supported`."""
    if not citations:
        return "no citations"
    held = sum(citation["verified"] for citation in citations)
    unsupported = sum(citation["located"] and not citation["supported"] for citation in citations)
    more = f", {unsupported} located and not supported" if unsupported else ""
    return f"{held} of {count(len(citations), 'citation')} verified{more}"
