"""What 002 answers, word for word: responses, errors, codes, messages (002 §3, §4); and which requests it refuses."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, TypedDict, final

from facades.library import InvalidRequestError, vector_of
from memory.errors import HybridRetrievalError, InvalidQueryError, ModelError
from memory.query import is_count
from memory.question import clean_query
from orchestrator.logbook import redacted

if TYPE_CHECKING:
    from qdrant_client.models import ScoredPoint

    from memory.attempt import Attempt

_MOST_RESULTS: Final = 100


class ResultRow(TypedDict):
    """One of `results`."""

    chunk_text: str
    url: str
    chunk_id: str
    relevance_score: float


@final
class QueryResponse(TypedDict):
    """What was found; `results` may be empty."""

    query: str
    k: int
    results: list[ResultRow]
    total_results: int
    timestamp: str


@final
class ErrorResponse(TypedDict):
    """Why nothing could be."""

    error: str
    code: Literal["INVALID_INPUT", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"]
    timestamp: str


@dataclass(frozen=True, slots=True)
class ErrorCondition:
    """A row of the specification's table of error conditions."""

    code: Literal["INVALID_INPUT", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"]
    message: str

    def response(self, now: datetime) -> ErrorResponse:
        return {"error": self.message, "code": self.code, "timestamp": timestamp(now)}


EMPTY_QUERY: Final = ErrorCondition("INVALID_INPUT", "Query cannot be empty")
TOO_LONG: Final = ErrorCondition("INVALID_INPUT", "Query exceeds maximum length")
INVALID_K: Final = ErrorCondition("INVALID_INPUT", "k must be positive integer between 1 and 100")
EMBEDDING_DOWN: Final = ErrorCondition("SERVICE_UNAVAILABLE", "Embedding service unavailable")
DATABASE_DOWN: Final = ErrorCondition("SERVICE_UNAVAILABLE", "Database service unavailable")
UNEXPECTED: Final = ErrorCondition("INTERNAL_ERROR", "An unexpected error occurred")


def format_results(results: Sequence[ScoredPoint], query: str, k: int, *, now: datetime | None = None) -> QueryResponse:
    """The points as a response (002 §3, field mapping). now: its timestamp, by default this moment.

    Raises KeyError for a point whose payload lacks `text_content` or `source_url`.
    """
    rows = [_row(point) for point in results]
    when = timestamp(now or datetime.now(UTC))
    return {"query": query, "k": k, "results": rows, "total_results": len(rows), "timestamp": when}


def chunk_id(point: ScoredPoint) -> str:
    """The point's id and the chunk's number in its page, where that is known."""
    number = (point.payload or {}).get("chunk_index")
    return str(point.id) if number is None else f"{point.id}_{number}"


def _row(point: ScoredPoint) -> ResultRow:
    payload = point.payload or {}
    return {
        "chunk_text": payload["text_content"],
        "url": payload["source_url"],
        "chunk_id": chunk_id(point),
        "relevance_score": point.score,
    }


def failure(done: Attempt, kind: ErrorCondition, now: datetime, *, log_content: bool) -> ErrorResponse:
    """A failure that explains itself, or a deadline, is of this kind. The response has no room for why: the log.

    log_content: whether the log may have the words of a model or of a part of the caller's own, which may quote the
        question; else it has the error's name and what to do.
    """
    ours = isinstance(done.error, HybridRetrievalError)
    condition = kind if ours or done.status == "timeout" else UNEXPECTED
    why = redacted(done.reason or "")
    may_quote = done.error is not None and (isinstance(done.error, ModelError) or not ours)
    if may_quote and not log_content:
        why = redacted(f"{type(done.error).__name__}. {getattr(done.error, 'hint', '')}".strip())
    logging.getLogger("hybrid_retrieval").warning("%s: %s", condition.message, why)
    return condition.response(now)


def timestamp(now: datetime) -> str:
    """ISO 8601 in UTC to the second, as in 2025-12-22T10:30:00Z."""
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def wrong_request(query: object, k: object, longest: int) -> ErrorCondition | None:
    """What is wrong with a request; None for one that can be answered. longest: a question's characters."""
    wrong = wrong_query(query, longest)
    if wrong is None and not (is_count(k) and k <= _MOST_RESULTS):
        return INVALID_K
    return wrong


def wrong_query(query: object, longest: int) -> ErrorCondition | None:
    """Too long, or nothing to ask for: what is no text, blank, or of control characters alone."""
    if isinstance(query, str) and len(query) > longest:
        return TOO_LONG
    try:
        clean_query(query, longest)
    except InvalidQueryError:
        return EMPTY_QUERY
    return None


def check_search(embedding: Sequence[float], k: object, dimension: int) -> list[float]:
    """The embedding's numbers, which an iterator gives once only. Raises InvalidRequestError for a k that is no count,
    for another dimension, and for what is no finite number.
    """
    if not is_count(k):
        raise InvalidRequestError(f"k must be a positive integer, not {k!r}.")
    numbers = vector_of(embedding)
    if len(numbers) != dimension:
        raise InvalidRequestError(f"The embedding has {len(numbers)} numbers, the model's have {dimension}.")
    return numbers
