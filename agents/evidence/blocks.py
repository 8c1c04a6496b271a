"""Whole blocks of a file: the function, section or mapping around some lines, by indentation and by headings.

Every language shows its structure by indentation, and documents by headings, so that a block is found in a file of any
kind without parsing it. Lines count from 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from memory.text.headings import read_outline

__all__ = ["Blocks", "Span", "only_imports", "without_notice"]

Span: TypeAlias = tuple[int, int]
"""First and last line, both included."""

_DOCUMENTS: Final = frozenset({"markdown", "rst", "asciidoc"})
_CLOSES: Final = re.compile(
    r"[)\]}]|\{\s*$|</|(?:end|else|elif|elsif|except|finally|catch|rescue|ensure|fi|done|esac|then|do)\b"
)
_COMMENT: Final = re.compile(r"#(?!\s*(?:include|define)\b)|//|/\*|\*|--|;|<!--|\"\"\"|'''|\{\{-?\s*/\*")
_ATTACHED: Final = re.compile(rf"(?:{_COMMENT.pattern}|@\w|\[[A-Z]\w*[\](])")
_NOTICE: Final = re.compile(
    r"\bcopyright\b|©|\bSPDX-|\blicen[cs]ed under\b|\ball rights reserved\b|\bthe License\b|\bpermission is hereby granted\b",
    re.IGNORECASE,
)
_IMPORT: Final = re.compile(
    r"\s*(?:import\b|from\s+\S+\s+import\b|using\s+[\w.=\s]+;|#\s*include\b|package\s+[\w.]+;?\s*$|use\s+[\w:{}, ]+;"
    r"|(?:const|let|var)\s+.*=\s*require\(|(?:export\s+)?\*?\s*from\s+['\"]|(?:[\w.-]+\s+)?\"[\w./@:-]+\"\s*$"
    r"|require(?:_relative)?\s+['\"]|namespace\s+[\w.]+;?\s*$)"
)


def only_imports(lines: Sequence[str]) -> bool:
    """Whether these lines of code hold nothing but imports, comments and brackets."""
    return not any(
        any(c.isalnum() for c in line) and not _IMPORT.match(line) and not _COMMENT.match(line.lstrip())
        for line in lines
    )


def without_notice(lines: Sequence[str], span: Span) -> Span:
    """The span without the licence that it begins with; unchanged where nothing would be left."""
    first, last = span
    end = first
    while end <= last and (not lines[end - 1].strip() or _COMMENT.match(lines[end - 1].lstrip())):
        end += 1
    noticed = any(_NOTICE.search(line) for line in lines[first - 1 : end - 1])
    return (end, last) if noticed and end <= last else span


class Blocks:
    """The blocks of one file, each inside the next larger one."""

    def __init__(self, lines: Sequence[str], lang: str) -> None:
        self._lines = lines
        self._sections = _sections(lines, lang) if lang in _DOCUMENTS else None
        self._opens = list(range(len(lines)))
        self._inside = [-1] * len(lines)
        self._ends = list(range(len(lines)))
        if self._sections is None:
            self._nest()

    def around(self, span: Span, fits: Callable[[Span], bool]) -> Span:
        """The largest block that holds these lines and fits; the lines themselves where none does."""
        best = span
        for block in self._enclosing(span):
            if not fits(block):
                break
            best = block
        return best

    def with_next(self, span: Span, fits: Callable[[Span], bool]) -> Span:
        """The lines together with the block that follows them; where both do not fit, the block alone or its beginning."""
        after = next((n for n in range(span[1], len(self._lines)) if self._lines[n].strip()), None)
        if after is None:
            return span
        block = next(iter(self._enclosing((after + 1, after + 1))), (after + 1, after + 1))
        if fits((span[0], block[1])):
            return span[0], block[1]
        last = block[1]
        while last > block[0] and not fits((block[0], last)):
            last -= 1
        return block[0], last

    def _enclosing(self, span: Span) -> Iterator[Span]:
        """Those that hold a span, the smallest first."""
        if self._sections is not None:
            yield from (one for one in self._sections if one[0] <= span[0] and span[1] <= one[1])
            return
        at = next((n for n in range(span[0] - 1, span[1]) if self._lines[n].strip()), span[0] - 1)
        at = self._opens[self._commented(at)]
        while at >= 0:
            block = (self._with_comment(at), self._ends[at] + 1)
            if block[0] <= span[0] and span[1] <= block[1]:
                yield block
            at = self._inside[at]

    def _nest(self) -> None:
        """Which line opens the block that each line is part of, what it lies in, and where it ends."""
        opened: list[tuple[int, int]] = []
        previous = -1
        for number, line in enumerate(self._lines):
            if not (text := line.lstrip()):
                continue
            depth = _indent(line, text)
            while opened and opened[-1][0] > depth:
                self._ends[opened.pop()[1]] = previous
            if opened and opened[-1][0] == depth:
                if _CLOSES.match(text):
                    self._opens[number] = opened[-1][1]
                    previous = number
                    continue
                self._ends[opened.pop()[1]] = previous
            self._inside[number] = opened[-1][1] if opened else -1
            opened.append((depth, number))
            previous = number
        for _, number in opened:
            self._ends[number] = previous

    def _commented(self, at: int) -> int:
        """What a comment stands above; the line itself where it is none."""
        after = at
        while after < len(self._lines) and _ATTACHED.match(self._lines[after].lstrip()):
            after += 1
        return after if after < len(self._lines) and self._lines[after].strip() else at

    def _with_comment(self, at: int) -> int:
        """The first line of the comments and decorators right above a block, from 1."""
        while at > 0 and (above := self._lines[at - 1].lstrip()) and _ATTACHED.match(above):
            at -= 1
        return at + 1


def _sections(lines: Sequence[str], lang: str) -> list[Span]:
    """Paragraphs and sections, the shorter first."""
    found: set[Span] = set()
    first = 0
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            first = first or number
        elif first:
            found.add((first, number - 1))
            first = 0
    headings = read_outline(lines, lang).headings
    for place, heading in enumerate(headings):
        after = headings[place + 1 :]
        found.add((heading.line, (after[0].line if after else len(lines) + 1) - 1))
        below = next((other.line for other in after if other.level <= heading.level), len(lines) + 1)
        found.add((heading.line, below - 1))
    return sorted(found, key=lambda span: (span[1] - span[0], span))


def _indent(line: str, text: str) -> int:
    """How far a line is indented, a tab as four blanks."""
    wide = line[: len(line) - len(text)]
    return len(wide.expandtabs(4)) if "\t" in wide else len(wide)
