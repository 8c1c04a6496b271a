"""Lines that belong together, and how far a line is indented."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

ROOMY: Final = 12
"""A small unit is shown with what is beside it until it has so many lines."""

_CLOSES: Final = re.compile(
    r"^(?:[)\]}]|\{\s*$|</|(?:end|else|elif|elsif|except|finally|catch|rescue|ensure|fi|done|esac|then|do)\b)"
)
_ATTACHED: Final = re.compile(r"^(?:#(?!\s*include\b|\s*define\b)|//|/\*|\*|--|;;|@\w|\[[A-Z]\w*[\](]|<!--|\"\"\"|''')")

_COMMENT: Final = re.compile(r"^(?:#(?:[\s#]|$)|//|--\s|;;)")


@dataclass(frozen=True, slots=True, order=True)
class LineSpan:
    """Lines that belong together, both ends included."""

    first: int
    last: int

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __contains__(self, other: LineSpan) -> bool:
        return self.first <= other.first and other.last <= self.last

    def joined(self, other: LineSpan) -> LineSpan:
        """The lines from the first of both to the last."""
        return LineSpan(min(self.first, other.first), max(self.last, other.last))


def indent(line: str) -> int:
    """How far a line is indented, a tab as four blanks."""
    wide = line.expandtabs(4) if "\t" in line else line
    return len(wide) - len(wide.lstrip())


@dataclass(frozen=True, eq=False)
class CodeUnits:
    """Code and settings: a unit is a line, what is indented below it, what closes it, and the comment above it."""

    lines: Sequence[str]
    left_out: frozenset[int] = field(default_factory=frozenset)

    def around(self, line: int, most: int) -> tuple[LineSpan, ...]:
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
        span = self._grown(span, min(most, ROOMY), parent)
        return (span if parent is None else self._grown(span, most, parent, apart=True),)

    def enclosing(self, lines: LineSpan) -> Iterator[LineSpan]:
        """The units that hold some lines, the smallest first; the last is the whole file but for a notice above it."""
        at = next((n for n in range(lines.first, lines.last + 1) if not self._blanks[n]), lines.first)
        header: int | None = self._header(self._commented(at))
        while header is not None:
            span = self._with_comment(self._node(header))
            if lines in span:
                yield span
            header = self._parent(header)
        written = [n for n in range(len(self.lines)) if not self._blanks[n] and n not in self.left_out]
        if written and lines in (whole := LineSpan(written[0], written[-1])):
            yield whole

    def owners(self, line: int) -> list[int]:
        """The lines that open what a line is in, the outermost first."""
        found: list[int] = []
        parent = self._parent(self._header(line))
        while parent is not None:
            found.insert(0, parent)
            parent = self._parent(parent)
        return found

    @cached_property
    def _indents(self) -> list[int]:
        # An item of YAML may stand as far to the left as the key whose list it is of; what is commented out stands
        # anywhere, and belongs at least as far in as the next line.
        found, below = [0] * len(self.lines), 0
        for number in range(len(self.lines) - 1, -1, -1):
            line = self.lines[number].lstrip()
            found[number] = indent(self.lines[number]) + line.startswith("- ")
            if _COMMENT.match(line):
                found[number] = max(found[number], below)
            elif not self._blanks[number]:
                below = found[number]
        return found

    @cached_property
    def _blanks(self) -> list[bool]:
        return [line.strip() in {"", "---", "..."} for line in self.lines]

    def _closes(self, line: int) -> bool:
        return _CLOSES.match(self.lines[line].lstrip()) is not None

    def _header(self, line: int) -> int:
        """The line that opens a unit, where this one closes it or goes on with it."""
        depth = self._indents[line]
        while self._closes(line) and line > 0:
            above = next(
                (n for n in range(line - 1, -1, -1) if not self._blanks[n] and self._indents[n] <= depth), line
            )
            if above == line or self._indents[above] < depth:
                break
            line = above
        return line

    def _commented(self, line: int) -> int:
        """What a comment precedes; the line itself where it is none."""
        after = line
        while after < len(self.lines) and not self._blanks[after] and _ATTACHED.match(self.lines[after].lstrip()):
            after += 1
        follows = after < len(self.lines) and not self._blanks[after]
        return after if follows and abs(self._indents[after] - self._indents[line]) <= 1 else line

    @cached_property
    def _nodes(self) -> dict[int, LineSpan]:
        return {}

    def _node(self, header: int) -> LineSpan:
        if header not in self._nodes:
            self._nodes[header] = LineSpan(header, self._last(header))
        return self._nodes[header]

    def _last(self, header: int) -> int:
        depth, last = self._indents[header], header
        for number in range(header + 1, len(self.lines)):
            if self._blanks[number]:
                continue
            inner = self._indents[number]
            if inner < depth or (inner == depth and not self._closes(number)):
                break
            last = number
        return last

    def _with_comment(self, span: LineSpan) -> LineSpan:
        """With the comments, decorators and attributes right above, and the opening line of a block comment."""
        first = span.first
        depth = self._indents[first]
        while first > 0 and not self._blanks[first - 1] and first - 1 not in self.left_out:
            above = self.lines[first - 1].lstrip()
            if not _ATTACHED.match(above) or not depth <= self._indents[first - 1] <= depth + 1:
                break
            first -= 1
        return LineSpan(first, span.last)

    def _parent(self, line: int) -> int | None:
        depth = self._indents[line]
        for number in range(line - 1, -1, -1):
            if not self._blanks[number] and self._indents[number] < depth and number not in self.left_out:
                return self._header(number)
        return None

    def _siblings(self, parent: int | None) -> Iterator[LineSpan]:
        """The units right inside another, or those at the outermost level."""
        inside = LineSpan(0, len(self.lines) - 1) if parent is None else self._node(parent)
        number = inside.first if parent is None else inside.first + 1
        while number <= inside.last:
            if self._blanks[number] or number in self.left_out:
                number += 1
                continue
            node = self._node(number)
            yield self._with_comment(node)
            number = node.last + 1

    def _grown(self, span: LineSpan, most: int, parent: int | None, *, apart: bool = False) -> LineSpan:
        """With the neighbours that follow and precede, in turn, as long as there is room.

        Args:
            span: The unit.
            most: How many lines there may be.
            parent: The line that opens what the unit is in.
            apart: Whether a blank line may be between.
        """
        inside = LineSpan(0, len(self.lines) - 1) if parent is None else LineSpan(parent + 1, self._node(parent).last)
        ways = [self._following, self._preceding]
        while ways:
            way = ways.pop(0)
            joined = way(span, inside, apart)
            if joined is not None and len(joined) <= most:
                span = joined
                ways.append(way)
        return span

    def _following(self, span: LineSpan, inside: LineSpan, apart: bool) -> LineSpan | None:  # noqa: FBT001 - one of two private steps
        after = span.last + 1
        if apart and after < inside.last and self._blanks[after]:
            after += 1
        if after > inside.last or self._blanks[after] or after in self.left_out:
            return None
        if self._indents[after] < self._indents[span.first]:  # what closes the unit around it
            return None
        joined = span.joined(self._node(self._commented(after)))
        return joined if joined.last <= inside.last else None

    def _preceding(self, span: LineSpan, inside: LineSpan, apart: bool) -> LineSpan | None:  # noqa: FBT001 - the other
        before = span.first - 1
        if apart and before > inside.first and self._blanks[before]:
            before -= 1
        if before < inside.first or self._blanks[before] or before in self.left_out:
            return None
        joined = span.joined(self._with_comment(self._node(self._opening(before, inside.first))))
        return joined if joined.first >= inside.first else None

    def _opening(self, line: int, first: int) -> int:
        """The line right inside the same unit that opens what this one ends."""
        depth = min(self._indents[n] for n in range(first, line + 1) if not self._blanks[n])
        while line > first and (self._blanks[line] or self._indents[line] > depth or self._closes(line)):
            line -= 1
        return line

    def _cut(self, span: LineSpan, line: int, most: int) -> LineSpan:
        """The part of a long unit around a line: it begins and ends between statements, a third before the line."""
        start = span.first
        if line - start >= most // 2:
            earliest = line - most // 3
            starts = [n for n in range(earliest, line + 1) if not self._blanks[n] and not self._closes(n)]
            flat = min((self._indents[n] for n in starts), default=0)
            start = next((n for n in starts if self._indents[n] == flat), line)
        last = min(start + most - 1, span.last)
        for ends in (
            [s.last for s in self._siblings(self._header(self._commented(line)))],
            [n for n in range(line, last) if self._blanks[n + 1]],
            [n for n in range(line, last) if self._indents[n + 1] <= self._indents[n] and not self._closes(n + 1)],
        ):
            fitting = [end for end in ends if line <= end <= last]
            if fitting and max(fitting) - start >= most * 2 // 3:
                return LineSpan(start, max(fitting))
        return LineSpan(start, last)
