"""Files into chunks: `chunk_file` chooses the cut, one module a kind of file."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.facts import FileFacts
from extraction.kinds import corpus_of, is_instruction_file, kind_of, language_of
from indexing.chunks.code import code_spans, sql_spans
from indexing.chunks.draft import ChunkDraft, Span, header, plain_spans, text_of
from indexing.chunks.markdown import document_spans
from memory.text.lines import split_lines

__all__ = ["ChunkDraft", "chunk_file", "corpus_of", "header", "language_of"]


def chunk_file(path: str, text: str, facts: FileFacts, *, max_chars: int) -> list[ChunkDraft]:
    """The file's chunks in order; together they hold every non-blank line exactly once.

    path: relative, with `/`; facts: whose definitions say where code and SQL are cut; max_chars: the size above which
    nothing is put together and what can be cut is cut (a table or a single line may be longer).
    """
    lines = split_lines(text)
    lang = _markup(lines) if path.endswith(("METADATA", "PKG-INFO")) else language_of(path)
    corpus, kind = corpus_of(lang), kind_of(path, lang)
    return [
        ChunkDraft(
            start_line=span.start,
            end_line=span.end,
            symbol=span.symbol,
            section=span.section,
            corpus=corpus,
            chunk_kind="table" if span.table else kind,
            lang=lang,
            text=text_of(lines, span.start, span.end),
            symbols=span.symbols,
        )
        for span in _spans(path, lines, lang, facts, max_chars)
    ]


def _spans(path: str, lines: Sequence[str], lang: str, facts: FileFacts, max_chars: int) -> list[Span]:
    if corpus_of(lang) == "docs":
        return document_spans(lines, lang, max_chars, merge=not is_instruction_file(path))
    if lang == "sql":
        return sql_spans(lines, facts.definitions, max_chars)
    definitions = [d for d in facts.definitions if d.kind != "endpoint"]  # a line of what serves it
    return code_spans(lines, definitions, max_chars) if definitions else plain_spans(lines, max_chars)


def _markup(lines: Sequence[str]) -> str:
    """In what a distribution's long description is written (core metadata, Description-Content-Type)."""
    kind = next((line for line in lines[:200] if line.lower().startswith("description-content-type:")), "")
    return "markdown" if "markdown" in kind else "rst"
