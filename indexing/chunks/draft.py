"""What cutting yields: drafts of chunks with their headings, and lines cut by size where a reader would."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from memory.text import split_identifier
from memory.vector.port import ChunkKind, Corpus

_LONGEST_LINE = 10_000
"""Of a longer line (data on one line, a minified script) only the beginning is kept."""
_DUNDER = re.compile(r"__\w+__")
_MOST_WORDS = 48
"""The model reads 256 tokens; a chunk of forty constants must not spend them on its header."""


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """Lines of one file that are stored and embedded together; both ends included, the first line is 1.

    symbol: the qualified name of the definition it holds or is part of, '' if none; symbols: that and every
    other definition that begins in it, for the header line; section: a document's heading trail `A > B`; text: exactly
    the lines, joined by a line feed (of a line of more than 10,000 characters, its beginning).
    """

    start_line: int
    end_line: int
    symbol: str
    section: str
    corpus: Corpus
    chunk_kind: ChunkKind
    lang: str
    text: str
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Lines of a file that belong together, and what they are; both ends included."""

    start: int
    end: int
    symbol: str = ""
    section: str = ""
    symbols: tuple[str, ...] = ()
    table: bool = False


def text_of(lines: Sequence[str], start: int, end: int) -> str:
    return "\n".join(line[:_LONGEST_LINE] for line in lines[start - 1 : end])


def header(project: str, path: str, symbols: Iterable[str]) -> str:
    """`project path symbols` split into words, casefolded, at most 48: each name once, a class only before its first
    member.

    A name in another spelling is the same name: of `shop-api/shop_api/cart.py` the header says "shop api cart py",
    since every repeated word takes from what the text is about. Names that Python gives a meaning (`__init__`) say
    nothing of the chunk and are left out.
    """
    names = [project, *path.split("/"), *(part for symbol in symbols for part in symbol.split("."))]
    once = dict.fromkeys(tuple(split_identifier(name)) for name in names if not _DUNDER.fullmatch(name))
    words = [word for name in once for word in name]
    return " ".join([word for word, before in zip(words, ["", *words], strict=False) if word != before][:_MOST_WORDS])


_SMALL = 200
"""Characters below which a piece is no chunk of its own; so the measured packages give 775 a chunk on average."""


def may_join(lines: Sequence[str], before: tuple[int, int], after: tuple[int, int], max_chars: int) -> bool:
    """Whether two neighbouring ranges are better one: at least one of them is small and both fit."""
    small = min(size_of(lines, *before), size_of(lines, *after)) < _SMALL
    return small and size_of(lines, before[0], after[1]) <= max_chars


def size_of(lines: Sequence[str], start: int, end: int) -> int:
    """Characters of lines start..end with one line end between each two."""
    return sum(len(line) + 1 for line in lines[start - 1 : end]) - 1


def trimmed(lines: Sequence[str], start: int, end: int) -> tuple[int, int] | None:
    """The range without blank lines at its ends, None when it has no others."""
    while start <= end and not lines[start - 1].strip():
        start += 1
    while end >= start and not lines[end - 1].strip():
        end -= 1
    return (start, end) if start <= end else None


def split_by_size(
    lines: Sequence[str], start: int, end: int, max_chars: int, *, together: Container[int] = ()
) -> list[tuple[int, int]]:
    """Ranges of up to `max_chars` that cover every non-blank line of start..end, in order; a longer line is alone.

    A cut is made after a blank line, else before the least indented line (a top-level key), the later the better, but
    not in the first third of what fits. `together` are lines before which no cut is made while another place is left.
    """
    ranges = []
    rest = trimmed(lines, start, end)
    while rest is not None:
        first, last = rest
        fits = _fitting(lines, first, last, max_chars)
        cut = last + 1 if fits == last else _best_cut(lines, first, fits, together)
        done = trimmed(lines, first, cut - 1)
        if done is not None:
            ranges.append(done)
        rest = trimmed(lines, cut, last)
    return ranges


def _fitting(lines: Sequence[str], first: int, last: int, max_chars: int) -> int:
    size = len(lines[first - 1])
    number = first
    while number < last and size + 1 + len(lines[number]) <= max_chars:
        size += 1 + len(lines[number])
        number += 1
    return number


def _best_cut(lines: Sequence[str], first: int, fits: int, together: Container[int]) -> int:
    enough = size_of(lines, first, fits) / 3
    candidates, size = [fits + 1], 0
    for number in range(first + 1, fits + 1):
        size += len(lines[number - 2]) + 1
        if size >= enough:
            candidates.append(number)

    def worth(number: int) -> tuple[bool, bool, int, int]:
        line = lines[number - 1]
        indent = len(line) - len(line.lstrip())
        return (number not in together, bool(line.strip()) and not lines[number - 2].strip(), -indent, number)

    return max(candidates, key=worth)


def plain_spans(lines: Sequence[str], max_chars: int) -> list[Span]:
    """Spans of up to `max_chars`, cut at blank lines or top-level keys where there are any."""
    return [Span(start, end) for start, end in split_by_size(lines, 1, len(lines), max_chars)]
