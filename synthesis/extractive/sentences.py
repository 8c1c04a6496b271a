"""Prose into sentences that know their lines: Markdown, reStructuredText and plain text."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import zip_longest
from typing import TYPE_CHECKING

from synthesis.extractive.cleaning import plain, printable
from synthesis.extractive.passages import Passage, PassageKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["prose_passages"]

_HEADING = re.compile(r"^(?:\s{0,3}#{1,6}|={1,6})\s+(.*?)\s*[#=]*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_INDENT = re.compile(r"\s*")
_QUOTED = re.compile(r"^\s*(?:>\s?)+")
_RULE = re.compile(r"^\s*([-=~^\"'`#*+_.:])(?:\s*\1){2,}\s*$")
_UNDERLINE = re.compile(r"^\s*([-=~^\"'`#+])(?:\1){2,}\s*$")
_DIRECTIVE = re.compile(r"^\s*(?:\.\.\s|:[\w-]+:\s|\[[^\]]+\]:\s|\{%|<[/!a-zA-Z])")
_TABLE = re.compile(r"^\s*\|.*\|\s*$")
_TABLE_RULE = re.compile(r"^\s*\|[\s:|-]+\|\s*$")
_CODE = re.compile(
    r"^\s*(?:>>>|\.\.\.\s|\$\s|@\w|[\w.]+(?:\[[^\]]*\])?\s=\s|(?:await\s|async\s)?[\w.]+\(.*\)(?::|\s+#.*)?$|(?:with|def|class|from|import|for)\s.*[:)]$|from\s\S+\simport\s)"
)
_BREAKING = (_FENCE, _HEADING, _RULE, _DIRECTIVE, _TABLE)
_SHOWS = re.compile(
    r"^\s*\.\. (?:code|code-block|sourcecode|doctest)::|^(?!\s*\.\.\s).*\w::\s*$"
)  # an indented block follows
_FIELD = re.compile(r"^[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*: \S")
_SETTING = re.compile(r"^(?:[\w-]+:|\s|- |#|$)")
_DESCRIBES = re.compile(r"^\w*(?:description|summary): *\S", re.IGNORECASE)
_SCRIPT = re.compile(r"[;{}]\s*$|^\s*\w+: \S.*,\s*$|^\s*(?://|\}|</?(?:script|style)\b)")
_END = re.compile(r"(?<=[.!?])[)\"'`*_]*\s+(?=`|[(\"'*_\[]*[A-Z0-9\u00c0-\uffff])")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|fig|mr|dr|st)\.|\b[A-Z]\.)$", re.IGNORECASE)


def prose_passages(lines: Sequence[str], raw: Sequence[str] | None = None, context: str = "") -> list[Passage]:
    """The passages of prose, in order; fenced code is given line by line as code.

    `raw` are the same lines as they stand in the file, when `lines` had comment signs blanked out; columns agree.
    Headings are no passages: they are the context of what follows.
    """
    raw, front = raw or lines, _front_matter(lines)
    if not front:
        return list(_passages(lines, raw, context))
    told = [_described(lines[number], raw[number], number) for number in front if _DESCRIBES.match(lines[number])]
    below = ["" if number in front else line for number, line in enumerate(lines)]
    return [*told, *_passages(below, raw, context)]


def _passages(lines: Sequence[str], raw: Sequence[str], heading: str) -> Iterator[Passage]:
    paragraph: list[int] = []
    fenced, header, shown = False, list[str](), _shown(lines)
    for number, line in enumerate(lines):
        if not line and not paragraph and not fenced:  # most lines, where code has been blanked out
            header = []
            continue
        if number in shown or (fenced and not _FENCE.match(line)):
            yield from _code(line, raw[number], number, heading)
            continue
        title = _HEADING.match(line)
        underlined = bool(_UNDERLINE.match(line)) and len(paragraph) == 1
        if _breaks(line):
            if underlined:
                heading, paragraph = plain(lines[paragraph[0]]), []
            yield from _sentences(lines, raw, paragraph, heading)
            paragraph = []
        elif paragraph and _opens(lines, paragraph, line):
            yield from _sentences(lines, raw, paragraph, heading)
            paragraph = [number]
        else:
            paragraph.append(number)
        if _FENCE.match(line):
            fenced = not fenced
        elif title:
            heading = plain(title[1])
        elif _TABLE.match(line) and not _TABLE_RULE.match(line) and not _is_header(lines, number):
            yield Passage(_row(header, _cells(line)), raw[number].strip(), number, number, "row", heading)
        header = _header(lines, number, header)
    yield from _sentences(lines, raw, paragraph, heading)


def _shown(lines: Sequence[str]) -> frozenset[int]:
    """The lines of indented blocks that show code, behind `::` or a directive that says so."""
    found, depth = list[int](), -1
    for number, line in enumerate(lines):
        if not line or line.isspace():
            continue
        indent = len(line) - len(line.lstrip())
        if indent <= depth:
            depth = -1
        if depth >= 0:
            found.append(number)
        elif "::" in line and _SHOWS.search(line):
            depth = indent
    return frozenset(found)


def _front_matter(lines: Sequence[str]) -> range:
    """The settings between two lines of dashes at the top of a page, which are for the site's generator."""
    if not lines or lines[0].rstrip() != "---":
        return range(0)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    return range(end + 1) if end and all(_SETTING.match(line) for line in lines[1:end]) else range(0)


def _described(line: str, raw: str, number: int) -> Passage:
    """What such settings say the page is about."""
    said = line.partition(":")[2].strip().strip("\"'")
    return Passage(plain(said), raw.partition(":")[2].strip().strip("\"'"), number, number, "prose")


def _is_script(lines: Sequence[str], paragraph: Sequence[int]) -> bool:
    """Whether most lines of a paragraph end or begin as only code does; the lines may begin inside a page's script."""
    return 2 * sum(_SCRIPT.search(lines[number]) is not None for number in paragraph) > len(paragraph)


def _breaks(line: str) -> bool:
    """Whether a line ends a paragraph and belongs to none."""
    sign = line.lstrip()[:1]
    return not sign or (not sign.isalnum() and any(pattern.match(line) for pattern in _BREAKING))


def _opens(lines: Sequence[str], paragraph: Sequence[int], line: str) -> bool:
    """Whether a line begins a paragraph of its own right behind another."""
    return bool(_ITEM.match(line)) or _is_definition(lines, paragraph, line) or _introduces(lines[paragraph[-1]])


def _code(line: str, raw: str, number: int, heading: str) -> Iterator[Passage]:
    if len(line.strip()) > 2:
        yield Passage(printable(line.strip()), raw.strip(), number, number, "code", heading)


def _is_definition(lines: Sequence[str], paragraph: Sequence[int], line: str) -> bool:
    """A new entry of a docstring's list of arguments (`name: text`), which has no bullet."""
    first = lines[paragraph[0]]
    entry = re.match(r"\s*\*{0,2}\w[\w.-]*(?: \([^)]*\))?: ", line) is not None
    return entry and len(line) - len(line.lstrip()) <= len(first) - len(first.lstrip())


def _is_field(lines: Sequence[str], number: int) -> bool:
    """One of several `Name: value` lines in a row, as a package's metadata has them."""
    around = [*lines[max(0, number - 1) : number], *lines[number + 1 : number + 2]]
    return bool(_FIELD.match(lines[number])) and any(_FIELD.match(line) for line in around)


def _introduces(line: str) -> bool:
    """`Parameters:`, with what it introduces from the next line on."""
    return re.fullmatch(r"\s*[A-Z]\w*(?: \w+)?:\s*", line) is not None


def _cells(line: str) -> list[str]:
    return [plain(cell) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _is_header(lines: Sequence[str], number: int) -> bool:
    """A table's first line, above its rule; the lines may begin in the midst of a table, where no header is in hand."""
    return number + 1 < len(lines) and _TABLE_RULE.match(lines[number + 1]) is not None


def _header(lines: Sequence[str], number: int, known: list[str]) -> list[str]:
    """The header of the table that a line stands in; empty outside of one."""
    if not _TABLE.match(lines[number]):
        return []
    return _cells(lines[number]) if _is_header(lines, number) else known


def _row(header: Sequence[str], cells: Sequence[str]) -> str:
    named = zip_longest(header[1:], cells[1:], fillvalue="") if header else (("", cell) for cell in cells[1:])
    pairs = [f"{name} {cell}".strip() for name, cell in named if cell]
    return f"{cells[0]}: {', '.join(pairs)}" if pairs else cells[0]


def _sentences(lines: Sequence[str], raw: Sequence[str], paragraph: Sequence[int], heading: str) -> Iterator[Passage]:
    """A paragraph's sentences. Where each line begins in the joined text is kept, so that each finds its lines again."""
    if not paragraph:
        return
    if _CODE.match(lines[paragraph[0]]) or _is_script(lines, paragraph):
        for number in paragraph:
            yield from _code(lines[number], raw[number], number, heading)
        return
    if _is_field(lines, paragraph[0]):
        yield from _code(lines[paragraph[0]], raw[paragraph[0]], paragraph[0], heading)
        return
    kind: PassageKind = "item" if _ITEM.match(lines[paragraph[0]]) else "prose"
    joined, begins, columns = _joined(lines, paragraph)

    def place(position: int) -> tuple[int, int]:
        at = bisect_right(begins, position) - 1
        return paragraph[at], columns[at] + position - begins[at]

    begin = 0
    for end in [*(m.end() for m in _END.finditer(joined)), len(joined)]:
        if end < len(joined) and _ABBREVIATION.search(joined[begin:end].rstrip()):
            continue
        stripped = joined[begin:end].rstrip()
        if stripped:
            (first, left), (last, right) = place(begin), place(begin + len(stripped) - 1)
            text = plain(stripped)
            if text:
                yield Passage(text, _cut(raw, first, left, last, right + 1), first, last, kind, heading)
        begin = end


def _joined(lines: Sequence[str], paragraph: Sequence[int]) -> tuple[str, list[int], list[int]]:
    """A paragraph as one line, bullet and indents off; where each of its lines begins in there, and at which column."""
    joined, begins, columns = "", list[int](), list[int]()
    for number in paragraph:
        line = lines[number]
        opening = _ITEM.match(line) if number == paragraph[0] else None
        start = (opening or _QUOTED.match(line) or _INDENT.match(line) or [""])[0]
        begins.append(len(joined))
        columns.append(len(start))
        joined += line[len(start) :].rstrip() + " "
    return joined, begins, columns


def _cut(raw: Sequence[str], first: int, left: int, last: int, right: int) -> str:
    if first == last:
        return raw[first][left:right]
    return " ".join([raw[first][left:], *raw[first + 1 : last], raw[last][:right]])
