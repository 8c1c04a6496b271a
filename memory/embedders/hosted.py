"""`HostedDense`: a model on somebody else's machines behind the port; what an adapter has to know is `HostedModel`.
`GivenModel` makes one of an embedder that the caller brings: so it indexes in batches, is cached and is checked alike.

What comes back is checked before it is believed: as many vectors as texts, of the dimension asked for, of a length
above 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from memory.attempt import model_answer
from memory.embedders.batching import QueryBatcher
from memory.embedders.port import DenseEmbedder
from memory.errors import ModelError
from memory.text import estimate_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memory.hosted import HostedConnection


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How much one request may hold; tokens are estimates, so leave room. document_tokens: of one document's chunks."""

    texts: int
    tokens: int
    document_tokens: int = 0

    def at_most(self, texts: int) -> RequestLimits:
        """With no more texts than that; 0 changes nothing."""
        return replace(self, texts=min(self.texts, texts)) if texts else self


class HostedModel(Protocol):
    """A provider's model. in_context: a chunk's vector depends on the other chunks of its document."""

    model: str
    dimension: int
    in_context: bool
    limits: RequestLimits

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> Sequence[Sequence[float]]:
        """One vector a text, document after document; asked: they are questions. One request. Raises ModelError."""
        ...

    def load_ahead(self) -> None:
        """Begin to import what is needed."""
        ...

    async def warm_up(self) -> None:
        """Import what is needed; nothing is sent."""
        ...

    async def close(self) -> None:
        """Let go of connections; a later call opens others."""
        ...


class ConnectedModel:
    """A `HostedModel` on a vendor's connection; texts one by one, whichever document they are of."""

    in_context = False

    def __init__(self, connection: HostedConnection[Any], model: str, dimension: int) -> None:
        self.model = model
        self.dimension = dimension
        self.load_ahead = connection.load_ahead
        self.warm_up = connection.warm_up
        self.close = connection.close


class HostedDense:
    """A dense embedder on a `HostedModel`. Questions that wait at the same time share one request, the last
    `remembered` are kept. batch_size: the most texts of one request, 0 for what the model's own limits allow.
    """

    def __init__(self, hosted: HostedModel, *, remembered: int = 1024, batch_size: int = 0) -> None:
        self.model = hosted.model
        self.dimension = hosted.dimension
        self.in_context = hosted.in_context
        self.limits = hosted.limits.at_most(batch_size)
        self._hosted = hosted
        self._queries = QueryBatcher(partial(self._one_by_one, asked=True), self.dimension, remembered=remembered)

    @property
    def cache_key(self) -> str:
        """What its vectors are cached under."""
        return f"{self.model}:{self.dimension}:hosted"

    def load_ahead(self) -> None:
        """Begin to import the provider's client, while the caller opens something else."""
        self._hosted.load_ahead()

    async def warm_up(self) -> None:
        """Import the provider's client, before the clock starts; nothing is sent."""
        await self._hosted.warm_up()

    async def close(self) -> None:
        """Let go of connections; a later call opens others."""
        await self._hosted.close()

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Each text as a document of its own, in as many requests as the limits make of them."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return await self._one_by_one(texts, asked=False)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return await self._queries.vectors(texts)

    async def embed_chunks(self, documents: Sequence[Sequence[str]]) -> NDArray[np.float32]:
        """The vectors of the documents' chunks, one after the other, in one request."""
        vectors = await self._hosted.embed(documents, asked=False)
        return self._checked(vectors, sum(map(len, documents)))

    def batches(self, documents: Sequence[Sequence[str]]) -> list[list[Sequence[str]]]:
        """Documents in their order, as many together as one request may hold."""
        batches: list[list[Sequence[str]]] = []
        texts = tokens = 0
        for document in documents:
            size = sum(map(estimate_tokens, document))
            if not batches or texts + len(document) > self.limits.texts or tokens + size > self.limits.tokens:
                batches.append([])
                texts = tokens = 0
            batches[-1].append(document)
            texts, tokens = texts + len(document), tokens + size
        return batches

    async def _one_by_one(self, texts: Sequence[str], *, asked: bool) -> NDArray[np.float32]:
        """Each a document of its own, in as many requests as the limits make of them."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        batches = self.batches([(text,) for text in texts])
        return np.concatenate(
            [self._checked(await self._hosted.embed(batch, asked=asked), len(batch)) for batch in batches]
        )

    def _checked(self, vectors: Sequence[Sequence[float]], wanted: int) -> NDArray[np.float32]:
        """Unit vectors, shape (wanted, dimension). Raises ModelError for what is not what was asked for."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        if len(vectors) != wanted:
            raise self._wrong(f"{len(vectors)} vectors for {wanted} texts", "Try again.")
        lengths = {len(vector) for vector in vectors} - {self.dimension}
        if lengths:
            given = min(lengths)
            raise self._wrong(
                f"vectors of {given} numbers; the settings say {self.dimension}",
                f"Set vector.dimension to {given}, or choose another model.",
            )
        try:
            array = np.asarray(vectors, dtype=np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise self._wrong(f"no vectors of numbers: {error}", "Try again.") from error
        norms = np.linalg.norm(array, axis=1, keepdims=True)
        if not (np.isfinite(norms).all() and (norms > 0).all()):
            raise self._wrong("a vector that has no direction", "Try again.")
        return np.asarray(array / norms, dtype=np.float32)

    def _wrong(self, what: str, hint: str) -> ModelError:
        return ModelError(f"{self.model} gives {what}.", hint)


class GivenModel:
    """Asks the embedder itself, text by text or many at once as its methods take them."""

    in_context = False
    limits = RequestLimits(texts=64, tokens=32_000)

    def __init__(self, embedder: DenseEmbedder) -> None:
        self.model = embedder.model
        self.dimension = embedder.dimension
        self._embedder = embedder

    async def embed(self, documents: Sequence[Sequence[str]], *, asked: bool) -> Sequence[Sequence[float]]:
        """One vector a text, document after document. Raises ModelError, whatever it raises or gives instead."""
        texts = [text for document in documents for text in document]
        embed = self._embedder.embed_queries if asked else self._embedder.embed_documents
        given = await model_answer(self.model, partial(embed, texts))
        try:
            return [[float(number) for number in vector] for vector in given]
        except (TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"{self.model} gave no vectors of numbers: {error}.") from error

    def load_ahead(self) -> None:
        """There is nothing to load: it is the caller's."""

    async def warm_up(self) -> None:
        """As `load_ahead`."""

    async def close(self) -> None:
        """It stays the caller's."""
