"""Anything without a structure of its own here (yaml, toml, json, text …): by size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.chunks.draft import Span
from indexing.chunks.sizes import split_by_size

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["plain_spans"]


def plain_spans(lines: Sequence[str], max_chars: int) -> list[Span]:
    """Spans of up to `max_chars`, cut at blank lines or top-level keys where there are any."""
    return [Span(start, end) for start, end in split_by_size(lines, 1, len(lines), max_chars)]
