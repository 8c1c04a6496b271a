"""Lines of a text: where they end, which of them are headings, and the day on which a section says it was last changed.

Line feed, carriage return and the two together end a line, nothing else does (docs/design.md#lines).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_END = re.compile(r"\r\n|\n|\r")

_FENCE = re.compile(r"^\s*(?P<mark>`{3,}+|~{3,}+)(?P<info>.*)$")
_ATX = re.compile(r"^ {0,3}(?P<level>#{1,6})(?:[ \t](?P<title>.*))?$")
_SETEXT = re.compile(r"^ {0,3}(?P<mark>=+|-{2,})[ \t]*$")
_NO_PARAGRAPH = re.compile(r"^(?: {4}|\t|\s*(?:[-*+>|#<]|\d+[.)])(?:\s|$)|\s*[|>])")
_RST_LINE = re.compile(r"^(?P<mark>[=\-`:'\"~^_*+#<>.])(?P=mark)+\s*$")
_ADOC = re.compile(r"^(?P<level>={1,6})[ \t]+(?P<title>\S.*)$")
_ADOC_BLOCK = re.compile(r"^(?P<mark>-{4,}|\.{4,}|\+{4,}|/{4,})\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")

_STATED: Final = re.compile(
    r"^[\s>*_-]*(?:last[ _-]?(?:updated|modified|changed)|updated(?:[ _-]at)?)[*_]*\s*:[\s*_\"']*"
    r"(?P<date>\d{4}-\d{2}-\d{2})(?:T[\d:.+Z-]+)?",
    re.IGNORECASE | re.MULTILINE,
)


def split_lines(text: str) -> list[str]:
    """The lines without their ends; a last line end opens no further line, an empty text has none.

    `str.splitlines` also cuts at form feeds, U+0085, U+2028 and others, which no editor counts.
    """
    lines = _END.split(text)
    if not lines[-1]:
        lines.pop()
    return lines


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading's first and last line, its level (1 is the highest) and its title."""

    line: int
    last: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Outline:
    """A document's headings in order, and the lines inside code blocks, before which nothing should be cut."""

    headings: tuple[Heading, ...] = ()
    fenced: frozenset[int] = field(default_factory=frozenset)


def read_outline(lines: Sequence[str], lang: str) -> Outline:
    """The outline of a document in `markdown`, `rst` or `asciidoc`; any other has none."""
    if lang == "markdown":
        return _markdown(lines)
    if lang == "rst":
        return Outline(_rst(lines))
    return _asciidoc(lines) if lang == "asciidoc" else Outline()


def _markdown(lines: Sequence[str]) -> Outline:
    headings: list[Heading] = []
    fenced: set[int] = set()
    fence = ""
    for number, line in enumerate(lines, 1):
        if number <= _front_matter(lines):
            continue
        mark = _FENCE.match(line)
        if fence:
            fenced.add(number)
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
        elif mark and "`" not in mark["info"]:
            fence = mark["mark"]
        elif atx := _ATX.match(line):
            headings.append(Heading(number, number, len(atx["level"]), _title(_opened(atx["title"] or ""))))
        elif (setext := _SETEXT.match(line)) and _is_title(lines, number - 1, headings):
            headings.append(
                Heading(number - 1, number, 1 if setext["mark"][0] == "=" else 2, _title(lines[number - 2]))
            )
    return Outline(tuple(headings), frozenset(fenced))


def _front_matter(lines: Sequence[str]) -> int:
    if not lines or lines[0].strip() != "---":
        return 0
    return next((n for n, line in enumerate(lines[1:100], 2) if line.strip() in {"---", "..."}), 0)


def _is_title(lines: Sequence[str], number: int, headings: Sequence[Heading]) -> bool:
    """Whether line `number` is a paragraph of one line, which alone an underline makes a heading."""
    if number < 1 or not lines[number - 1].strip() or _NO_PARAGRAPH.match(lines[number - 1]):
        return False
    alone = number == 1 or not lines[number - 2].strip() or _SETEXT.match(lines[number - 2]) is not None
    return alone and not (headings and headings[-1].line == number)


def _rst(lines: Sequence[str]) -> tuple[Heading, ...]:
    headings: list[Heading] = []
    levels: dict[tuple[str, bool], int] = {}
    for number in range(1, len(lines)):
        title, under = lines[number - 1].rstrip(), _RST_LINE.match(lines[number])
        if under is None or not title or _RST_LINE.match(title) or len(lines[number].rstrip()) < min(len(title), 3):
            continue
        over = number > 1 and lines[number - 2].rstrip() == lines[number].rstrip()
        above = number - (3 if over else 2)
        if (title[0].isspace() and not over) or (above >= 0 and lines[above].strip()):
            continue
        level = levels.setdefault((under["mark"], over), len(levels) + 1)
        headings.append(Heading(number - 1 if over else number, number + 1, level, title.strip()))
    return tuple(headings)


def _asciidoc(lines: Sequence[str]) -> Outline:
    headings: list[Heading] = []
    fenced: set[int] = set()
    block = ""
    for number, line in enumerate(lines, 1):
        mark = _ADOC_BLOCK.match(line)
        if block:
            fenced.add(number)
            block = "" if mark and mark["mark"] == block else block
        elif mark:
            block = mark["mark"]
        elif heading := _ADOC.match(line):
            headings.append(Heading(number, number, len(heading["level"]), heading["title"].strip()))
    return Outline(tuple(headings), frozenset(fenced))


def _opened(title: str) -> str:
    """A heading's text without the signs that close it: `Rules ##` is `Rules`, `C#` stays."""
    text = title.strip(" \t")
    bare = text.rstrip("#")
    return text if bare and bare[-1] not in " \t" else bare.rstrip(" \t")


def _title(text: str) -> str:
    return _LINK.sub(r"\1", text).strip()


def stated_day(text: str) -> str | None:
    """`2024-05-01` of a line such as `Last updated: 2024-05-01`; None without one, or where two lines differ."""
    days = {found["date"] for found in _STATED.finditer(text)}
    return days.pop() if len(days) == 1 else None
