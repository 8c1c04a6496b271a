"""Units of documents: sections, paragraphs, list items, fenced blocks and the rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memory.text.lines import read_outline
from memory.text.units.code import ROOMY, LineSpan

_HEADING: Final = re.compile(r"^(?:#{1,6}|={1,6})\s+\S")
_FENCE: Final = re.compile(r"^\s*(?:`{3,}|~{3,})")
_ROW: Final = re.compile(r"^\s*\|")
_ITEM: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


@dataclass(frozen=True, eq=False)
class ProseUnits:
    """Documents: a unit is a section, a paragraph, a list item, a fenced block, or table rows under their header."""

    lines: Sequence[str]
    lang: str = "markdown"

    def around(self, line: int, most: int) -> tuple[LineSpan, ...]:
        """The largest unit around a line that has at most so many lines; a table's row brings the header above it."""
        section = self._section(line)
        if _ROW.match(self.lines[line]) and self._fenced(line) is None:
            return self._rows(line, section, most)
        if len(section) <= most:
            return (section,)
        span = self._paragraph(line)
        if len(span) > most:
            span = self._item(line, span)
        if len(span) > most:
            span = LineSpan(max(span.first, line - 2), min(span.last, line - 3 + most))
        return (self._without_half_fences(self._grown(span, section, min(most, ROOMY))),)

    def enclosing(self, lines: LineSpan) -> Iterator[LineSpan]:
        """The paragraph and the sections that hold some lines, the smallest first."""
        headings = read_outline(self.lines, self.lang).headings
        found = {self._paragraph(lines.first)}
        for place, heading in enumerate(headings):
            after = headings[place + 1 :]
            next_one = after[0].line if after else len(self.lines) + 1
            below = next((other.line for other in after if other.level <= heading.level), len(self.lines) + 1)
            found |= {self._trimmed(LineSpan(heading.line - 1, end - 2)) for end in (next_one, below)}
        if self.lines:
            found.add(self._trimmed(LineSpan(0, len(self.lines) - 1)))
        yield from sorted((span for span in found if lines in span), key=len)

    def owners(self, line: int) -> list[int]:
        """The heading a line is under, where it is in hand."""
        first = self._section(line).first
        return [first] if first != line and _HEADING.match(self.lines[first]) else []

    @cached_property
    def _fences(self) -> list[LineSpan]:
        found, opened = list[LineSpan](), -1
        for number, line in enumerate(self.lines):
            if _FENCE.match(line):
                if opened >= 0:
                    found.append(LineSpan(opened, number))
                opened = number if opened < 0 else -1
        return found

    def _fenced(self, line: int) -> LineSpan | None:
        return next((span for span in self._fences if span.first <= line <= span.last), None)

    @cached_property
    def _heads(self) -> list[int]:
        return [n for n, text in enumerate(self.lines) if _HEADING.match(text) and self._fenced(n) is None]

    def _section(self, line: int) -> LineSpan:
        heads = self._heads
        first = max((n for n in heads if n <= line), default=0)
        last = min((n for n in heads if n > line), default=len(self.lines)) - 1
        return self._trimmed(LineSpan(first, last))

    def _trimmed(self, span: LineSpan) -> LineSpan:
        first, last = span.first, span.last
        while first < last and not self.lines[first].strip():
            first += 1
        while last > first and not self.lines[last].strip():
            last -= 1
        return LineSpan(first, last)

    def _paragraph(self, line: int) -> LineSpan:
        fence = self._fenced(line)
        if fence is not None:
            return fence
        first = last = line
        while first > 0 and self.lines[first - 1].strip() and not _FENCE.match(self.lines[first - 1]):
            first -= 1
        while last + 1 < len(self.lines) and self.lines[last + 1].strip() and not _FENCE.match(self.lines[last + 1]):
            last += 1
        return LineSpan(first, last)

    def _item(self, line: int, within: LineSpan) -> LineSpan:
        """The list item that a line belongs to."""
        starts = [n for n in range(within.first, within.last + 1) if _ITEM.match(self.lines[n])]
        first = max((n for n in starts if n <= line), default=within.first)
        return LineSpan(first, min((n for n in starts if n > line), default=within.last + 1) - 1)

    def _without_half_fences(self, span: LineSpan) -> LineSpan:
        """Without a fence at its end that only opens, or one at its beginning that only closes."""
        for fence in self._fences:
            if fence.first == span.last and len(span) > 1:
                span = LineSpan(span.first, span.last - 1)
            if fence.last == span.first and len(span) > 1:
                span = LineSpan(span.first + 1, span.last)
        return self._trimmed(span)

    def _rows(self, line: int, section: LineSpan, most: int) -> tuple[LineSpan, ...]:
        """A table's row under its header; a short table whole."""
        first = last = line
        while first > 0 and _ROW.match(self.lines[first - 1]):
            first -= 1
        while last + 1 < len(self.lines) and _ROW.match(self.lines[last + 1]):
            last += 1
        if last - first < ROOMY:
            return (section if len(section) <= most else LineSpan(first, last),)
        headed = set(self.lines[first + 1].strip()) <= set("|-: ")
        if not headed or line <= first + 2:
            return (LineSpan(first, max(line, first + 2)),)
        return (LineSpan(first, first + 1), LineSpan(line, line))

    def _grown(self, span: LineSpan, section: LineSpan, most: int) -> LineSpan:
        """With the paragraphs that follow and precede in the section, as long as there is room;
        what ends with a colon brings what follows.
        """
        while True:
            after = next((n for n in range(span.last + 1, section.last + 1) if self.lines[n].strip()), None)
            joined = span.joined(self._paragraph(after)) if after is not None else span
            roomy = most if not self.lines[span.last].rstrip().endswith(":") else most * 2 - 1
            if after is None or len(joined) > roomy or joined.last > section.last:
                break
            span = joined
        while True:
            before = next((n for n in range(span.first - 1, section.first - 1, -1) if self.lines[n].strip()), None)
            joined = span.joined(self._paragraph(before)) if before is not None else span
            if before is None or len(joined) > most or joined.first < section.first:
                break
            span = joined
        return span
