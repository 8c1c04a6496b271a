"""Files into chunks as the vector store keeps them (000 §6.3), and the texts they are embedded from. `chunk_file`
chooses the cut, one module a kind of file.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from extraction.facts import FileFacts
from extraction.kinds import corpus_of, is_instruction_file, kind_of, language_of
from indexing.chunks.code import code_spans, sql_spans
from indexing.chunks.draft import ChunkDraft, Span, header, plain_spans, text_of
from indexing.chunks.markdown import document_spans
from memory.text.lines import split_lines
from memory.vector.port import DENSE_CODE, DENSE_DOCS, Chunk

__all__ = [
    "ChunkDraft",
    "Provenance",
    "chunk_file",
    "chunk_of",
    "chunks_of",
    "corpus_of",
    "dense_field",
    "embedded_text",
    "language_of",
]

_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "hybrid-retrieval:chunk")


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which project a chunk is of, and at which commit."""

    project: str
    repo: str
    commit: str


def chunks_of(provenance: Provenance, path: str, text: str, facts: FileFacts, *, max_chars: int) -> list[Chunk]:
    """The file's chunks with every field of 000 §6.3; ids are UUIDv5 of project, path, lines and text hash."""
    drafts = chunk_file(path, text, facts, max_chars=max_chars)
    return [chunk_of(provenance, path, one, _IDS, f"{one.start_line}-{one.end_line}") for one in drafts]


def chunk_of(provenance: Provenance, path: str, draft: ChunkDraft, ids: uuid.UUID, place: str) -> Chunk:
    """A draft as a chunk. Its id is the UUIDv5, in the name space `ids`, of project, path, place and text hash."""
    digest = hashlib.sha256(draft.text.encode()).hexdigest()
    return Chunk(
        id=str(uuid.uuid5(ids, f"{provenance.project}\n{path}\n{place}\n{digest}")),
        project=provenance.project,
        repo=provenance.repo,
        path=path,
        commit=provenance.commit,
        corpus=draft.corpus,
        lang=draft.lang,
        chunk_kind=draft.chunk_kind,
        symbol=draft.symbol,
        section=draft.section,
        start_line=draft.start_line,
        end_line=draft.end_line,
        text=draft.text,
        header=header(provenance.project, path, draft.symbols or (draft.symbol,)),
        text_hash=digest,
    )


def embedded_text(chunk: Chunk) -> str:
    """What both embedders read: the header line and the text."""
    return f"{chunk.header}\n{chunk.text}"


def dense_field(chunk: Chunk) -> str:
    """Which named vector a chunk has: documents and code are searched apart."""
    return DENSE_DOCS if chunk.corpus == "docs" else DENSE_CODE


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
