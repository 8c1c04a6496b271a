"""Elements of HTML and SVG. Every child and attribute is escaped unless an element made here, so that no text becomes
one.

Small pieces that the page repeats: times, counts, places, badges, sections.

Lines of files with their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from configs import AGENTS
from inspector.inspection import Excerpt, Place, place_of
from memory.text.lines import split_lines
from memory.text.output import printable

_VOID: Final = {"input", "meta", "line", "path", "rect", "circle", "use", "wbr"}


class Html(str):
    """A text that is markup already. Only this module makes one."""

    __slots__ = ()


def text(value: object) -> Html:
    """The value's text as it reads: escaped, without control characters and changes of direction."""
    return value if isinstance(value, Html) else Html(escape(printable(str(value))))


def join(*parts: object, by: str = "") -> Html:
    """Elements and texts, one behind the other; None and "" are left out."""
    return Html(text(by).join(text(part) for part in parts if part is not None and part != ""))


def tag(name: str, *children: object, **attributes: object) -> Html:
    """An element. `class_` is `class`, an underscore a hyphen; None and False leave it out, True its value."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}/>")
    return Html(f"<{name}{written}>{join(*children)}</{name}>")


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


def _more(text: str) -> Html:
    return tag("p", text, class_="more")


def _line(number: int, line: str, *, cited: bool = False, quote: str = "") -> Html:
    before, found, after = line.partition(quote) if cited and quote else (line, "", "")
    body = join(before, tag("mark", found), after) if found else join(line)
    return tag("span", body, "\n", class_="line cited" if cited else "line", data_n=number)
