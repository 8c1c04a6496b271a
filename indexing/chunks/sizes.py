"""Cutting lines by size, at the place where a reader would."""

from __future__ import annotations

from collections.abc import Container, Sequence

from indexing.chunks.draft import Span

__all__ = ["may_join", "plain_spans", "size_of", "split_by_size", "trimmed"]

_SMALL = 200
"""Characters below which a piece is not worth a chunk of its own; with it the measured packages give 775 a chunk on average."""


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
