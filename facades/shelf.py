"""A folder of pages as a store that 002 and 004 can be asked on without a server, with what their collections have."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from extraction.facts import FileFacts
from indexing.chunks import Provenance, chunks_of, language_of
from indexing.discovery import discover
from indexing.reading import SourceText, read_source
from memory.embedders import DenseEmbedder
from memory.errors import InvalidInputError
from memory.text import estimate_tokens
from memory.vector import DENSE_DOCS, Chunk, Point, SparseVector, VectorStore

_CHUNK_CHARS: Final = 1500
_FILE_BYTES: Final = 1_000_000
_LANGUAGES: Final = ("markdown", "rst", "asciidoc", "text")


async def index_folder(
    folder: Path, store: VectorStore, embedder: DenseEmbedder, *, project: str, now: datetime | None = None
) -> list[str]:
    """Put the folder's documents into the store as one project; returns their paths.

    Each chunk has its number in its page (002's `chunk_index`, 004's `chunk_sequence`, from 0), `total_chunks`,
    `token_count` (estimated) and `processing_timestamp` (by default this moment). Raises InvalidInputError for a folder
    without documents, ModelError and StoreError.
    """
    pages = [chunks for chunks in _pages(folder, project) if chunks]
    if not pages:
        raise InvalidInputError(f"There are no documents in {folder}.", "Name a folder with Markdown files.")
    chunks = [chunk for page in pages for chunk in page]
    vectors = await embedder.embed_documents([chunk.text for chunk in chunks])
    made = (now or datetime.now(UTC)).isoformat()
    beside = [
        {
            "chunk_index": number,
            "chunk_sequence": number,
            "total_chunks": len(page),
            "processing_timestamp": made,
            "token_count": estimate_tokens(chunk.text),
        }
        for page in pages
        for number, chunk in enumerate(page)
    ]
    await store.upsert(
        [
            Point(chunk, SparseVector((), ()), {DENSE_DOCS: vector.tolist()}, extra)
            for chunk, vector, extra in zip(chunks, vectors, beside, strict=True)
        ]
    )
    return sorted({chunk.path for chunk in chunks})


def _pages(folder: Path, project: str) -> Iterator[list[Chunk]]:
    provenance = Provenance(project, repo="", commit="")
    for path in discover(folder, max_file_bytes=_FILE_BYTES).files:
        source = read_source(folder / path, max_file_bytes=_FILE_BYTES)
        if language_of(path) in _LANGUAGES and isinstance(source, SourceText):
            facts = FileFacts(path, language_of(path))
            yield chunks_of(provenance, path, source.text, facts, max_chars=_CHUNK_CHARS)
