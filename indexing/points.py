"""A file's chunks as the vector store keeps them, and the texts they are embedded from (000 §6.3)."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass

from extraction.facts import FileFacts
from indexing.chunks import ChunkDraft, chunk_file, header
from memory.vector.port import DENSE_CODE, DENSE_DOCS, Chunk

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
