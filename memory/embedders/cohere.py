"""Cohere's embedding models, such as those that filled the collections of 002 and 004.

Limits of one request as documented (docs.cohere.com/v2/reference/embed): 96 texts. A text that is too long for the
model is shortened at its end by Cohere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from memory.embedders.hosted import HostedDense, RequestLimits
from memory.hosted.cohere import CohereConnection

if TYPE_CHECKING:
    from cohere import AsyncClientV2

__all__ = ["CohereDense", "CohereModel"]

_LIMITS: Final = RequestLimits(texts=96, tokens=48_000)


class CohereModel:
    """A `HostedModel` on a connection; texts one by one, whichever document they are of."""

    in_context = False
    limits = _LIMITS

    def __init__(self, connection: CohereConnection, model: str, dimension: int) -> None:
        self.model = model
        self.dimension = dimension
        self.load_ahead = connection.load_ahead
        self.warm_up = connection.warm_up
        self.close = connection.close
        self._connection = connection

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> list[list[float]]:
        """One vector a text, document after document. Raises ModelError."""
        input_type: Literal["search_query", "search_document"] = "search_query" if asked else "search_document"
        texts = [text for document in documents for text in document]

        async def ask(client: AsyncClientV2) -> list[list[float]]:
            answer = await client.embed(model=self.model, input_type=input_type, texts=texts, embedding_types=["float"])
            return [list(vector) for vector in answer.embeddings.float_ or ()]

        return await self._connection.call("embed", ask)


class CohereDense(HostedDense):
    """A dense embedder at Cohere. remembered: of how many questions the vectors are kept, 0 for none; batch_size:
    the most texts of one request, 0 for what Cohere takes.
    """

    def __init__(
        self, connection: CohereConnection, model: str, *, dimension: int, remembered: int = 1024, batch_size: int = 0
    ) -> None:
        super().__init__(CohereModel(connection, model, dimension), remembered=remembered, batch_size=batch_size)
