"""004's three components by themselves: what `RetrievalPipeline` does in a row.

The specification hands them Cohere's client and Qdrant's. Here they are handed what makes vectors and what is searched:
any embedder, any store (`memory.embedders.CohereDense`, `memory.vector.QdrantVectorStore`), or a pipeline's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facades.book.model import Query, RetrievalResponse
from facades.book.results import results_of
from facades.errors import APIError, QdrantConnectionError
from facades.library import Library
from memory.errors import ModelError, StoreError

if TYPE_CHECKING:
    from memory.vector import Hit

__all__ = ["QueryEmbedder", "ResultFormatter", "VectorRetriever"]


@dataclass(frozen=True, slots=True)
class QueryEmbedder:
    """Questions to vectors."""

    library: Library

    async def embed(self, query_text: str) -> list[float]:
        """The vector of a question. Raises InvalidRequestError, a ValueError, for an empty one; APIError."""
        query = Query(query_text)
        try:
            return await self.library.embed(query.query_text)
        except ModelError as error:
            raise APIError(error.message, error.hint) from error


@dataclass(frozen=True, slots=True)
class VectorRetriever:
    """The chunks nearest to a vector."""

    library: Library

    async def retrieve(self, query_embedding: Sequence[float], top_k: int = 5) -> list[Hit]:
        """At most top_k, nearest first. Raises QdrantConnectionError, a ConnectionError."""
        try:
            return await self.library.nearest(query_embedding, top_k)
        except StoreError as error:
            raise QdrantConnectionError(error.message, error.hint) from error


@dataclass(frozen=True, slots=True)
class ResultFormatter:
    """What was found as a response."""

    @staticmethod
    def format(
        hits: Sequence[Hit],
        query: Query,
        execution_time_ms: float = 0.0,
    ) -> RetrievalResponse:
        """The hits that are as similar as the question's threshold, ranked. Raises DataFolderError for incomplete metadata."""
        results = results_of(hits, query.similarity_threshold)
        return RetrievalResponse(
            query_text=query.query_text,
            results=results,
            total_results=len(results),
            execution_time_ms=execution_time_ms,
            timestamp=query.timestamp,
            parameters={"top_k": query.top_k, "similarity_threshold": query.similarity_threshold},
        )
