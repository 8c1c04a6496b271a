"""The whole unit around a line: a function, a statement, a mapping, a paragraph, the rows of a table.

Found from what every language shows: indentation, closing brackets, blank lines, headings, fences. Lines count from 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

__all__ = ["CodeUnits", "ProseUnits", "Span", "indent", "units_of"]

_ROOMY: Final = 8
"""A small unit is shown with what stands beside it until it has so many lines."""
_CLOSES: Final = re.compile(
    r"^(?:[)\]}]|\{\s*$|</|(?:end|else|elif|elsif|except|finally|catch|rescue|ensure|fi|done|esac|then|do)\b)"
)
_ATTACHED: Final = re.compile(r"^(?:#(?!\s*include\b|\s*define\b)|//|/\*|\*|--|;;|@\w|\[[A-Z]\w*[\](]|<!--|\"\"\"|''')")
_HEADING: Final = re.compile(r"^(?:#{1,6}|={1,6})\s+\S")
_FENCE: Final = re.compile(r"^\s*(?:`{3,}|~{3,})")
_ROW: Final = re.compile(r"^\s*\|")
_ITEM: Final = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Lines that belong together, both ends included."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def joined(self, other: Span) -> Span:
        """The lines from the first of both to the last."""
        return Span(min(self.first, other.first), max(self.last, other.last))


def indent(line: str) -> int:
    """How far a line is indented, a tab as four blanks."""
    wide = line.expandtabs(4)
    return len(wide) - len(wide.lstrip())


def units_of(lines: Sequence[str], *, prose: bool, left_out: Collection[int] = frozenset()) -> CodeUnits | ProseUnits:
    """The units of a piece of a file.

    Args:
        lines: its lines.
        prose: whether it is a document rather than code or settings.
        left_out: lines that no unit takes in beside others, such as a licence's.
    """
    return ProseUnits(lines) if prose else CodeUnits(lines, frozenset(left_out))


@dataclass(frozen=True)
class CodeUnits:
    """Code and settings: a unit is a line, what is indented below it, what closes it, and the comment above it."""

    lines: Sequence[str]
    left_out: frozenset[int] = field(default_factory=frozenset)

    def around(self, line: int, most: int) -> tuple[Span, ...]:
        """The largest unit around a line that has at most so many lines; of a larger one, a part between statements.

        The line itself is always in it.
        """
        header = self._header(self._commented(line))
        span, parent = self._with_comment(self._node(header)), self._parent(header)
        if len(span) > most:
            return (self._cut(span, line, most),)
        while parent is not None:
            larger = self._with_comment(self._node(parent))
            if len(larger) > most:
                break
            span, parent = larger, self._parent(parent)
        return (self._grown(span, min(most, _ROOMY), parent),)

    def owners(self, line: int) -> list[int]:
        """The lines that open what a line stands in, the outermost first."""
        found: list[int] = []
        parent = self._parent(self._header(line))
        while parent is not None:
            found.insert(0, parent)
            parent = self._parent(parent)
        return found

    @cached_property
    def _indents(self) -> list[int]:
        return [indent(line) for line in self.lines]

    @cached_property
    def _blanks(self) -> list[bool]:
        return [line.strip() in {"", "---", "..."} for line in self.lines]

    def _indent(self, line: int) -> int:
        return self._indents[line]

    def _blank(self, line: int) -> bool:
        return self._blanks[line]

    def _closes(self, line: int) -> bool:
        return _CLOSES.match(self.lines[line].lstrip()) is not None

    def _header(self, line: int) -> int:
        """The line that opens a unit, where this one closes it or goes on with it."""
        depth = self._indent(line)
        while self._closes(line) and line > 0:
            above = next((n for n in range(line - 1, -1, -1) if not self._blank(n) and self._indent(n) <= depth), line)
            if above == line or self._indent(above) < depth:
                break
            line = above
        return line

    def _commented(self, line: int) -> int:
        """What a comment stands above; the line itself where it is none."""
        after = line
        while after < len(self.lines) and not self._blank(after) and _ATTACHED.match(self.lines[after].lstrip()):
            after += 1
        follows = after < len(self.lines) and not self._blank(after)
        return after if follows and abs(self._indent(after) - self._indent(line)) <= 1 else line

    def _node(self, header: int) -> Span:
        depth, last = self._indent(header), header
        for number in range(header + 1, len(self.lines)):
            if self._blank(number):
                continue
            if self._indent(number) < depth or (self._indent(number) == depth and not self._closes(number)):
                break
            last = number
        return Span(header, last)

    def _with_comment(self, span: Span) -> Span:
        """With the comments, decorators and attributes right above, and the opening line of a block comment."""
        first = span.first
        depth = self._indent(first)
        while first > 0 and not self._blank(first - 1) and first - 1 not in self.left_out:
            above = self.lines[first - 1].lstrip()
            if not _ATTACHED.match(above) or not depth <= self._indent(first - 1) <= depth + 1:
                break
            first -= 1
        return Span(first, span.last)

    def _parent(self, line: int) -> int | None:
        depth = self._indent(line)
        for number in range(line - 1, -1, -1):
            if not self._blank(number) and self._indent(number) < depth and number not in self.left_out:
                return self._header(number)
        return None

    def _siblings(self, parent: int | None) -> Iterator[Span]:
        """The units right inside another, or those at the outermost level."""
        inside = Span(0, len(self.lines) - 1) if parent is None else self._node(parent)
        number = inside.first if parent is None else inside.first + 1
        while number <= inside.last:
            if self._blank(number) or number in self.left_out:
                number += 1
                continue
            node = self._node(number)
            yield self._with_comment(node)
            number = node.last + 1

    def _grown(self, span: Span, most: int, parent: int | None) -> Span:
        """With the neighbours that follow and precede without a blank line between, as long as there is room."""
        inside = Span(0, len(self.lines) - 1) if parent is None else Span(parent + 1, self._node(parent).last)
        while span.last < inside.last and not self._blank(span.last + 1) and span.last + 1 not in self.left_out:
            joined = span.joined(self._node(self._commented(span.last + 1)))
            if len(joined) > most or joined.last > inside.last:
                break
            span = joined
        while span.first > inside.first and not self._blank(span.first - 1) and span.first - 1 not in self.left_out:
            joined = span.joined(self._with_comment(self._node(self._opening(span.first - 1, inside.first))))
            if len(joined) > most or joined.first < inside.first:
                break
            span = joined
        return span

    def _opening(self, line: int, first: int) -> int:
        """The line right inside the same unit that opens what this one ends."""
        depth = min(self._indent(n) for n in range(first, line + 1) if not self._blank(n))
        while line > first and (self._blank(line) or self._indent(line) > depth or self._closes(line)):
            line -= 1
        return line

    def _cut(self, span: Span, line: int, most: int) -> Span:
        """The part of a long unit that begins with its first line, where the line is near that, and ends with the last
        statement that fits: one right inside the unit, or where these are long one inside them.
        """
        start = span.first if line - span.first < most // 2 else line
        last = min(start + most - 1, span.last)
        for ends in (
            [s.last for s in self._siblings(self._header(self._commented(line)))],
            [n for n in range(line, last) if self._blank(n + 1)],
            [n for n in range(line, last) if self._indent(n + 1) <= self._indent(n) and not self._closes(n + 1)],
        ):
            fitting = [end for end in ends if line <= end <= last]
            if fitting and max(fitting) - start >= most // 2:
                return Span(start, max(fitting))
        return Span(start, last)


@dataclass(frozen=True)
class ProseUnits:
    """Documents: a unit is a section, a paragraph, a list item, a fenced block, or a table's rows under their header."""

    lines: Sequence[str]

    def around(self, line: int, most: int) -> tuple[Span, ...]:
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
            span = Span(max(span.first, line - 2), min(span.last, line - 3 + most))
        return (self._without_half_fences(self._grown(span, section, min(most, _ROOMY))),)

    def owners(self, line: int) -> list[int]:
        """The heading a line stands under, where it is in hand."""
        first = self._section(line).first
        return [first] if first != line and _HEADING.match(self.lines[first]) else []

    @cached_property
    def _fences(self) -> list[Span]:
        found, opened = list[Span](), -1
        for number, line in enumerate(self.lines):
            if _FENCE.match(line):
                if opened >= 0:
                    found.append(Span(opened, number))
                opened = number if opened < 0 else -1
        return found

    def _fenced(self, line: int) -> Span | None:
        return next((span for span in self._fences if span.first <= line <= span.last), None)

    @cached_property
    def _heads(self) -> list[int]:
        return [n for n, text in enumerate(self.lines) if _HEADING.match(text) and self._fenced(n) is None]

    def _section(self, line: int) -> Span:
        heads = self._heads
        first = max((n for n in heads if n <= line), default=0)
        last = min((n for n in heads if n > line), default=len(self.lines)) - 1
        return self._trimmed(Span(first, last))

    def _trimmed(self, span: Span) -> Span:
        first, last = span.first, span.last
        while first < last and not self.lines[first].strip():
            first += 1
        while last > first and not self.lines[last].strip():
            last -= 1
        return Span(first, last)

    def _paragraph(self, line: int) -> Span:
        fence = self._fenced(line)
        if fence is not None:
            return fence
        first = last = line
        while first > 0 and self.lines[first - 1].strip() and not _FENCE.match(self.lines[first - 1]):
            first -= 1
        while last + 1 < len(self.lines) and self.lines[last + 1].strip() and not _FENCE.match(self.lines[last + 1]):
            last += 1
        return Span(first, last)

    def _item(self, line: int, within: Span) -> Span:
        """The list item that a line belongs to."""
        starts = [n for n in range(within.first, within.last + 1) if _ITEM.match(self.lines[n])]
        first = max((n for n in starts if n <= line), default=within.first)
        return Span(first, min((n for n in starts if n > line), default=within.last + 1) - 1)

    def _without_half_fences(self, span: Span) -> Span:
        """Without a fence at its end that only opens, or one at its beginning that only closes."""
        for fence in self._fences:
            if fence.first == span.last and len(span) > 1:
                span = Span(span.first, span.last - 1)
            if fence.last == span.first and len(span) > 1:
                span = Span(span.first + 1, span.last)
        return self._trimmed(span)

    def _rows(self, line: int, section: Span, most: int) -> tuple[Span, ...]:
        """A table's row under its header; a short table whole."""
        first = last = line
        while first > 0 and _ROW.match(self.lines[first - 1]):
            first -= 1
        while last + 1 < len(self.lines) and _ROW.match(self.lines[last + 1]):
            last += 1
        if last - first < _ROOMY:
            return (section if len(section) <= most else Span(first, last),)
        headed = set(self.lines[first + 1].strip()) <= set("|-: ")
        if not headed or line <= first + 2:
            return (Span(first, max(line, first + 2)),)
        return (Span(first, first + 1), Span(line, line))

    def _grown(self, span: Span, section: Span, most: int) -> Span:
        """With the paragraphs that follow and precede in the section, as long as there is room; what ends with a colon
        brings what follows.
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
