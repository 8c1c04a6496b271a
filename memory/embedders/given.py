"""An embedder that the caller brings, as a `HostedModel`: so it indexes in batches, is cached and is checked as any
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memory.embedders.hosted import RequestLimits
from memory.embedders.port import DenseEmbedder
from memory.errors import ModelError

__all__ = ["GivenModel"]

_LIMITS: Final = RequestLimits(texts=64, tokens=32_000)


class GivenModel:
    """Asks the embedder itself, text by text or many at once as its methods take them."""

    in_context = False
    limits = _LIMITS

    def __init__(self, embedder: DenseEmbedder) -> None:
        self.model = embedder.model
        self.dimension = embedder.dimension
        self._embedder = embedder

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> Sequence[Sequence[float]]:
        """One vector a text, document after document. Raises ModelError for what is no vector."""
        texts = [text for document in documents for text in document]
        embed = self._embedder.embed_queries if asked else self._embedder.embed_documents
        given = await embed(texts)
        try:
            return [[float(number) for number in vector] for vector in given]
        except (TypeError, ValueError) as error:
            raise ModelError(f"{self.model} gave no vectors of numbers: {error}.") from error

    def load_ahead(self) -> None:
        """There is nothing to load: it is the caller's."""

    async def warm_up(self) -> None:
        """As `load_ahead`."""

    async def close(self) -> None:
        """It stays the caller's."""
