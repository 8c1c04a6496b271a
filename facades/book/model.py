"""004's data model: a question, what is found, and the response."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from facades.errors import InvalidRequestError
from memory.errors import InvalidQueryError
from orchestrator.validation import clean_query

__all__ = ["Query", "RetrievalResponse", "RetrievalResult"]

_LONGEST = 8000


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
        if not isinstance(self.top_k, int) or isinstance(self.top_k, bool) or self.top_k < 1:
            raise InvalidRequestError(f"top_k is {self.top_k!r}.", "Give a whole number above 0.")
        threshold = self.similarity_threshold
        if not isinstance(threshold, int | float) or isinstance(threshold, bool) or not 0 <= threshold <= 1:
            raise InvalidRequestError(f"similarity_threshold is {threshold!r}.", "Give a number from 0 to 1.")


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
