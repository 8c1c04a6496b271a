"""Voyage's rerankers, such as rerank-2.5 (docs.voyageai.com, rerankers: at most 1,000 documents a request)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory.errors import ModelError
from memory.hosted.voyage import VoyageConnection

if TYPE_CHECKING:
    from voyageai.client_async import AsyncClient

__all__ = ["VoyageReranker"]


class VoyageReranker:
    """A `Reranker` at Voyage; relevance scores are 0..1. Voyage shortens a text that is too long for the model."""

    def __init__(self, connection: VoyageConnection, model: str) -> None:
        self.model = model
        self._connection = connection

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score a text, in their order. One request. Raises ModelError."""
        if not texts:
            return []

        async def ask(client: AsyncClient) -> dict[int, float]:
            answer = await client.rerank(query, list(texts), self.model)
            return {result.index: float(result.relevance_score) for result in answer.results}

        scores = await self._connection.call("rerank", ask)
        if scores.keys() != set(range(len(texts))):
            raise ModelError(f"{self.model} gives {len(scores)} scores for {len(texts)} texts.", "Try again.")
        return [scores[number] for number in range(len(texts))]
