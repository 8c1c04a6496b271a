"""SQL by table: each CREATE TABLE with the comments above it is one chunk, whatever its size."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexing.chunks.draft import Span, split_by_size, trimmed
from indexing.facts import Definition

__all__ = ["sql_spans"]

_COMMENT = re.compile(r"^\s*(?:--|#|/\*|\*)|\*/\s*$")


def sql_spans(lines: Sequence[str], definitions: Sequence[Definition], max_chars: int) -> list[Span]:
    """A span a table, by the definitions of kind `table`; what is between is cut by size."""
    spans: list[Span] = []
    at = 1
    for table in _tables(lines, definitions):
        start = table.start
        while start > at and _COMMENT.search(lines[start - 2]):
            start -= 1
        spans += (Span(*between) for between in split_by_size(lines, at, start - 1, max_chars))
        spans.append(Span(start, table.end, table.symbol, symbols=table.symbols, table=True))
        at = table.end + 1
    return [*spans, *(Span(*rest) for rest in split_by_size(lines, at, len(lines), max_chars))]


def _tables(lines: Sequence[str], definitions: Sequence[Definition]) -> list[Span]:
    """One span a table, in order; tables that share a line share a span."""
    spans: list[Span] = []
    for table in sorted((d for d in definitions if d.kind == "table"), key=lambda d: (d.start_line, d.end_line)):
        found = trimmed(lines, max(table.start_line, 1), min(table.end_line, len(lines)))
        if found is None:
            continue
        start, end = found
        if spans and start <= spans[-1].end:
            last = spans.pop()
            spans.append(Span(last.start, max(last.end, end), last.symbol, symbols=(*last.symbols, table.name)))
        else:
            spans.append(Span(start, end, table.name, symbols=(table.name,)))
    return spans
