"""Lines of files with their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from memory.text.lines import split_lines
from orchestrator.inspector.inspection import Excerpt, Place, place_of
from orchestrator.inspector.markup import Html, join, tag

__all__ = ["cited_lines", "numbered", "proof"]

_MOST_CHARS: Final = 6000


def cited_lines(excerpt: Excerpt, first: int, last: int, quote: str = "") -> Html:
    """An excerpt, its lines first..last marked, and in them the quote where one line holds it."""
    rows = [
        _line(excerpt.start + offset, line, cited=first <= excerpt.start + offset <= last, quote=quote.strip())
        for offset, line in enumerate(excerpt.lines)
    ]
    return join(_block(rows), _more(f"… down to line {last}") if excerpt.cut else "")


def numbered(content: str, first: int) -> Html:
    """A text's lines, numbered from `first`; a very long text is cut, and says so."""
    rows = [_line(first + offset, line) for offset, line in enumerate(split_lines(content[:_MOST_CHARS]))]
    left = len(content) - _MOST_CHARS
    return join(_block(rows), _more(f"… and {left:,} characters more") if left > 0 else "")


def proof(places: Sequence[Mapping[str, Any]], excerpts: Mapping[Place, Excerpt]) -> Html:
    """The lines of several places of one file, each once and in their order."""
    rows: dict[int, str] = {}
    cut = []
    for at in places:
        excerpt = excerpts.get(place_of(at))
        if excerpt is not None:
            there = enumerate(excerpt.lines, excerpt.start)
            rows |= {number: line for number, line in there if at["start_line"] <= number <= at["end_line"]}
            cut += [at["end_line"]] if excerpt.cut else []
    block = _block([_line(number, rows[number]) for number in sorted(rows)]) if rows else ""
    return join(block, _more(f"… down to line {max(cut)}") if cut else "")


def _block(rows: Sequence[Html]) -> Html:
    return tag("pre", *rows, class_="code", tabindex="0")


def _more(told: str) -> Html:
    return tag("p", told, class_="more")


def _line(number: int, line: str, *, cited: bool = False, quote: str = "") -> Html:
    before, found, after = line.partition(quote) if cited and quote else (line, "", "")
    body = join(before, tag("mark", found), after) if found else join(line)
    return tag("span", body, "\n", class_="line cited" if cited else "line", data_n=number)
