"""`ChunkDraft`, what cutting yields, `Span`, the lines of one before it is written out, and the header line of a chunk.

The header is embedded in front of a chunk's text and not shown: where the chunk is, in words. See docs/design.md#chunks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory.text.identifiers import split_identifier
from memory.vector.port import ChunkKind, Corpus

__all__ = ["ChunkDraft", "Span", "header", "text_of"]

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
    """The text of lines start..end."""
    return "\n".join(line[:_LONGEST_LINE] for line in lines[start - 1 : end])


def header(project: str, path: str, symbols: Iterable[str]) -> str:
    """`project path symbols` split into words, casefolded, at most 48: each name once, a class only before its first member.

    A name in another spelling is the same name: of `shop-api/shop_api/cart.py` the header says "shop api cart py", since every
    repeated word takes from what the text is about. Names that Python gives a meaning (`__init__`) say nothing of
    the chunk and are left out.
    """
    names = [project, *path.split("/"), *(part for symbol in symbols for part in symbol.split("."))]
    once = dict.fromkeys(tuple(split_identifier(name)) for name in names if not _DUNDER.fullmatch(name))
    words = [word for name in once for word in name]
    return " ".join([word for word, before in zip(words, ["", *words], strict=False) if word != before][:_MOST_WORDS])
