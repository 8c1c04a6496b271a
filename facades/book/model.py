"""004's data model: a question, what is found, and the response.

Qdrant gives the cosine, higher is nearer. The specification's 1 − d/2 with the cosine distance d = 1 − cosine is (1 +
cosine)/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from facades.library import InvalidRequestError, check_limit
from memory.errors import DataFolderError, InvalidQueryError
from memory.question import clean_query
from memory.vector import Hit

_LONGEST = 8000
_BESIDE: Final = ("chunk_sequence", "total_chunks", "processing_timestamp", "token_count")


@dataclass(frozen=True, slots=True)
class Query:
    """A question and how it is asked. Raises InvalidRequestError, a ValueError, for what cannot be asked.

    top_k: at most that many results; similarity_threshold: 0..1, the least similarity of a result.
    """

    query_text: str
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    top_k: int = 5
    similarity_threshold: float = 0.0

    def __post_init__(self) -> None:
        try:
            clean_query(self.query_text, _LONGEST)
        except InvalidQueryError as error:
            raise InvalidRequestError(error.message, error.hint) from None
        check_limit("top_k", self.top_k)
        threshold = self.similarity_threshold
        if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
            raise InvalidRequestError(f"similarity_threshold is {threshold!r}.", "Give a number from 0 to 1.")

    @property
    def cleaned(self) -> str:
        """The question without what no model reads: control characters and halves of a pair."""
        return clean_query(self.query_text, _LONGEST)


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """A chunk of the book with all its metadata. similarity_score: 0..1, higher is nearer; rank: from 1."""

    chunk_id: str
    source_file: str
    section_title: str
    content: str
    content_hash: str
    chunk_sequence: int
    total_chunks: int
    processing_timestamp: str
    token_count: int
    similarity_score: float
    rank: int


@dataclass(frozen=True, slots=True)
class RetrievalResponse:
    """The results of a question, best first; parameters: the `top_k` and `similarity_threshold` that were used."""

    query_text: str
    results: list[RetrievalResult]
    total_results: int
    execution_time_ms: float
    timestamp: datetime
    parameters: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """What JSON can hold, under the same names; the timestamp in ISO 8601."""
        return asdict(self) | {"timestamp": self.timestamp.isoformat()}


class IncompleteMetadataError(DataFolderError):
    """A chunk of the collection lacks a field that every result has."""


def similarity(cosine: float) -> float:
    """A cosine as a similarity, 0..1, to six places."""
    return round(min(1.0, max(0.0, (1 + cosine) / 2)), 6)


_NUMBERS: Final = ("chunk_sequence", "total_chunks", "token_count")


def results_of(hits: Sequence[Hit], threshold: float) -> list[RetrievalResult]:
    """The hits as similar as the threshold, ranked from 1. Raises IncompleteMetadataError."""
    scored = [(hit, similarity(hit.score)) for hit in hits]
    kept = [(hit, score) for hit, score in scored if score >= threshold]
    return [_result(hit, score, rank) for rank, (hit, score) in enumerate(kept, start=1)]


def _result(hit: Hit, score: float, rank: int) -> RetrievalResult:
    chunk = hit.chunk
    beside: dict[str, Any] = {name: hit.extra.get(name) for name in _BESIDE}
    ours = {"source_file": chunk.path, "content": chunk.text}
    missing = [name for name, value in (ours | beside).items() if value in (None, "")]
    numbers = {name: number for name in _NUMBERS if (number := _whole(beside[name])) is not None}
    missing += [f"number as {name}" for name in _NUMBERS if name not in missing and name not in numbers]
    if missing:
        renamed = " and ".join(name for name in ours if name in missing)  # the others are read by these names alone
        mapped = f", or say what the collection calls {renamed}: vector.qdrant.payload" if renamed else ""
        raise IncompleteMetadataError(
            f"Chunk {chunk.id} of the collection has no {', '.join(missing)}.",
            f"Fill it with chunks that have all metadata{mapped}.",
        )
    return RetrievalResult(
        chunk_id=str(chunk.id if (own := hit.extra.get("chunk_id")) in (None, "") else own),
        source_file=chunk.path,
        section_title=chunk.section,
        content=chunk.text,
        content_hash=chunk.text_hash,
        chunk_sequence=numbers["chunk_sequence"],
        total_chunks=numbers["total_chunks"],
        processing_timestamp=str(beside["processing_timestamp"]),
        token_count=numbers["token_count"],
        similarity_score=score,
        rank=rank,
    )


def _whole(value: Any) -> int | None:
    """The whole number that a stored value is; None where it is none."""
    if type(value) is int:  # which a float rounds from 2^53 on; a bool is none
        return value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return int(number) if number.is_integer() and not isinstance(value, bool) else None
