"""`ChunkDraft`, what cutting yields, and `Span`, the lines of one before it is written out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.vector.port import ChunkKind, Corpus

__all__ = ["ChunkDraft", "Span", "text_of"]

_LONGEST_LINE = 10_000
"""Of a longer line (data on one line, a minified script) the beginning stands for the whole."""


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
    """The text of lines start..end."""
    return "\n".join(line[:_LONGEST_LINE] for line in lines[start - 1 : end])
