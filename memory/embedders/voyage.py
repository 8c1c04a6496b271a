"""Voyage's embedding models: `voyage-context-…` in the context of the document, the others text by text.

Limits of one request as documented (docs.voyageai.com, text and contextualized chunk embeddings): 1,000 texts and
120,000 tokens; of a contextualized one 32,000. Half is used, since Voyage's tokenizer is not here to count with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from memory.embedders.hosted import HostedDense, RequestLimits
from memory.hosted.voyage import VoyageConnection

if TYPE_CHECKING:
    from voyageai.client_async import AsyncClient

__all__ = ["VoyageDense", "VoyageModel"]

_PLAIN: Final = RequestLimits(texts=128, tokens=60_000)
_IN_CONTEXT: Final = RequestLimits(texts=128, tokens=16_000, document_tokens=16_000)


class VoyageModel:
    """A `HostedModel` on a connection. Voyage shortens a text that is too long for the model."""

    def __init__(self, connection: VoyageConnection, model: str, dimension: int) -> None:
        self.model = model
        self.dimension = dimension
        self.in_context = model.startswith("voyage-context")
        self.limits = _IN_CONTEXT if self.in_context else _PLAIN
        self.load_ahead = connection.load_ahead
        self.warm_up = connection.warm_up
        self.close = connection.close
        self._connection = connection

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> list[list[float]]:
        """One vector a text, document after document. Raises ModelError."""
        input_type: Literal["query", "document"] = "query" if asked else "document"

        async def ask(client: AsyncClient) -> list[list[float]]:
            if self.in_context:
                together = await client.contextualized_embed(
                    [list(document) for document in documents],
                    self.model,
                    input_type=input_type,
                    output_dimension=self.dimension,
                )
                return [list(vector) for result in together.results for vector in result.embeddings]
            alone = await client.embed(
                [text for document in documents for text in document],
                self.model,
                input_type=input_type,
                output_dimension=self.dimension,
            )
            return [list(vector) for vector in alone.embeddings]

        return await self._connection.call("embed", ask)


class VoyageDense(HostedDense):
    """A dense embedder at Voyage. batch_size: the most texts of one request, 0 for what Voyage takes."""

    def __init__(self, connection: VoyageConnection, model: str, *, dimension: int, batch_size: int = 0) -> None:
        super().__init__(VoyageModel(connection, model, dimension), batch_size=batch_size)
