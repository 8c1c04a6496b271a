"""Embedding models behind an endpoint that speaks OpenAI's API, at OpenAI or by its address.

Limits of one request as documented by OpenAI: 2,048 texts and 300,000 tokens. A server of one's own may take fewer
texts: `hosted.batch_size`. The API does not tell questions from documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory.embedders.cache import text_key
from memory.embedders.hosted import HostedDense, RequestLimits
from memory.hosted.openai import OpenAIConnection

__all__ = ["OpenAIDense", "OpenAIModel"]

_LIMITS: Final = RequestLimits(texts=128, tokens=60_000)


class OpenAIModel:
    """A `HostedModel` on a connection; texts one by one, whichever document they are of."""

    in_context = False
    limits = _LIMITS

    def __init__(self, connection: OpenAIConnection, model: str, dimension: int, *, shortened: bool) -> None:
        self.model = model
        self.dimension = dimension
        self.load_ahead = connection.load_ahead
        self.warm_up = connection.warm_up
        self.close = connection.close
        self._connection = connection
        self._asked = dimension if shortened else None

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> list[list[float]]:  # noqa: ARG002 - no difference here
        """One vector a text, document after document. Raises ModelError."""
        texts = [text for document in documents for text in document]
        return await self._connection.embed(texts, self.model, self._asked)


class OpenAIDense(HostedDense):
    """A dense embedder behind such an endpoint.

    Args:
        connection: to the endpoint.
        model: as the endpoint names it.
        dimension: of its vectors; others are refused.
        shortened: whether the endpoint is asked for that many numbers, which only some models can give.
        batch_size: the most texts of one request, 0 for what OpenAI takes.
    """

    def __init__(
        self,
        connection: OpenAIConnection,
        model: str,
        *,
        dimension: int,
        shortened: bool = False,
        batch_size: int = 0,
    ) -> None:
        super().__init__(OpenAIModel(connection, model, dimension, shortened=shortened), batch_size=batch_size)
        self._where = text_key(connection.url)[:16]

    @property
    def cache_key(self) -> str:
        """With where it is: two servers may call two models by one name."""
        return f"{super().cache_key}:{self._where}"
