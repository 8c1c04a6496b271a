"""What the store found as 004's results: similarity between 0 and 1, and metadata that is complete.

Qdrant gives the cosine, higher is nearer. The specification's 1 − d/2 with the cosine distance d = 1 − cosine is (1 + cosine)/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from facades.book.model import RetrievalResult
from memory.errors import DataFolderError

if TYPE_CHECKING:
    from memory.vector import Hit

__all__ = ["results_of", "similarity"]

_BESIDE: Final = ("chunk_sequence", "total_chunks", "processing_timestamp", "token_count")


def similarity(cosine: float) -> float:
    """A cosine as a similarity, 0..1, to six places."""
    return round(min(1.0, max(0.0, (1 + cosine) / 2)), 6)


def results_of(hits: Sequence[Hit], threshold: float) -> list[RetrievalResult]:
    """Those hits that are as similar as the threshold, in their order, ranked from 1. Raises DataFolderError for a chunk
    whose metadata are not complete.
    """
    scored = [(hit, similarity(hit.score)) for hit in hits]
    kept = [(hit, score) for hit, score in scored if score >= threshold]
    return [_result(hit, score, rank) for rank, (hit, score) in enumerate(kept, start=1)]


def _result(hit: Hit, score: float, rank: int) -> RetrievalResult:
    chunk = hit.chunk
    beside: dict[str, Any] = {name: hit.extra.get(name) for name in _BESIDE}
    ours = {"source_file": chunk.path, "content": chunk.text}
    missing = [name for name, value in (ours | beside).items() if value in (None, "")]
    if missing:
        raise DataFolderError(
            f"Chunk {chunk.id} of the collection has no {', '.join(missing)}.",
            "Fill it with chunks that have all metadata, or say what the collection calls them: vector.qdrant.payload.",
        )
    return RetrievalResult(
        chunk_id=str(hit.extra.get("chunk_id", chunk.id)),
        source_file=chunk.path,
        section_title=chunk.section,
        content=chunk.text,
        content_hash=chunk.text_hash,
        chunk_sequence=int(beside["chunk_sequence"]),
        total_chunks=int(beside["total_chunks"]),
        processing_timestamp=str(beside["processing_timestamp"]),
        token_count=int(beside["token_count"]),
        similarity_score=score,
        rank=rank,
    )
