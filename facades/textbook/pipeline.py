"""`Textbook`: 002's functions on one library. Each has an async twin that does the work."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from configs import HybridRetrievalConfig, load_config
from facades.environment import pointed
from facades.errors import InvalidRequestError
from facades.library import Library
from facades.portal import wait_for
from facades.textbook.responses import (
    DATABASE_DOWN,
    EMBEDDING_DOWN,
    ErrorResponse,
    QueryResponse,
    check_search,
    failure,
    format_results,
    wrong_query,
    wrong_request,
)
from memory.attempt import attempt
from memory.clock import Clock, SystemClock
from memory.embedders import DenseEmbedder
from memory.errors import ConfigError
from memory.extras import brought_by
from memory.vector import VectorStore

if TYPE_CHECKING:
    from qdrant_client.models import ScoredPoint

    from memory.vector import Hit

__all__ = ["PROFILE", "Textbook"]

PROFILE: Final = "cohere-textbook"


class Textbook:
    """Questions to a collection of pages. The store's and the model's own limits hold for every call.

    config: by default profile `cohere-textbook`, with QDRANT_URL, QDRANT_API_KEY and HYBRID_RETRIEVAL_* of `environ`
    (default: the process's) over it. embedder, store: in place of those that the settings name. Raises ConfigError,
    naming the variable, where a key is missing.
    """

    def __init__(
        self,
        config: HybridRetrievalConfig | None = None,
        environ: Mapping[str, str] | None = None,
        *,
        embedder: DenseEmbedder | None = None,
        store: VectorStore | None = None,
        clock: Clock | None = None,
    ) -> None:
        environ = os.environ if environ is None else environ
        config = config or pointed(load_config(PROFILE, env=environ, error=ConfigError), environ)
        self._config = config
        self._environ = environ
        self._clock = clock or SystemClock()
        self._library = Library(config, environ, embedder=embedder, store=store, clock=self._clock)

    def on(self, store: VectorStore) -> Textbook:
        """The same over another store, with this one's embedder."""
        embedder = self._library.embedder
        return Textbook(self._config, self._environ, embedder=embedder, store=store, clock=self._clock)

    def embed_query(self, query: str) -> list[float]:
        """The question's vector (002 §1). Raises InvalidRequestError, a ValueError,
        and ModelError after the retries.
        """
        return wait_for(partial(self.aembed_query, query), twin="aembed_query")

    def search_qdrant(self, query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
        """The nearest points, best first, at most k, with their payload (002 §2).

        Raises InvalidRequestError, a ValueError, for k or the dimension; StoreError, DataFolderError and ConfigError.
        """
        return wait_for(partial(self.asearch_qdrant, query_embedding, k), twin="asearch_qdrant")

    def retrieve(self, query: str, k: int = 5) -> QueryResponse | ErrorResponse:
        """Embed, search, format (002 §4). Raises nothing but InvalidInputError in a running event loop."""
        return wait_for(partial(self.aretrieve, query, k), twin="aretrieve")

    def close(self) -> None:
        """Let go of connections; a later call opens others."""
        wait_for(self.aclose, twin="aclose")

    async def aembed_query(self, query: str) -> list[float]:
        """`embed_query` for a running event loop."""
        wrong = wrong_query(query, self._config.max_query_chars)
        if wrong is not None:
            raise InvalidRequestError(wrong.message)
        return await self._library.embed(query)

    async def asearch_qdrant(self, query_embedding: Sequence[float], k: int = 5) -> list[ScoredPoint]:
        """`search_qdrant` for a running event loop."""
        check_search(query_embedding, k, self._library.dimension)
        return [self._point(hit) for hit in await self._library.nearest(query_embedding, k)]

    async def aretrieve(self, query: str, k: int = 5) -> QueryResponse | ErrorResponse:
        """`retrieve` for a running event loop."""
        wrong = wrong_request(query, k, self._config.max_query_chars)
        if wrong is not None:
            return wrong.response(self._clock.now())
        embedded = await attempt(partial(self._library.embed, query))
        if embedded.status != "ok":
            return failure(embedded, EMBEDDING_DOWN, self._clock.now())
        answered = await attempt(partial(self._answer, embedded.value, query, k))
        if answered.status != "ok":
            return failure(answered, DATABASE_DOWN, self._clock.now())
        response: QueryResponse = answered.value
        return response

    async def aclose(self) -> None:
        """`close` for a running event loop."""
        await self._library.close()

    async def _answer(self, vector: Sequence[float], query: str, k: int) -> QueryResponse:
        return format_results(await self.asearch_qdrant(vector, k), query, k, now=self._clock.now())

    def _point(self, hit: Hit) -> ScoredPoint:
        with brought_by("qdrant", "A result as Qdrant's client has it"):
            from qdrant_client.models import ScoredPoint  # noqa: PLC0415 - a second that a wrong question need not cost

            from memory.vector.qdrant_points import point_id  # noqa: PLC0415 - the same

        return ScoredPoint(id=point_id(hit.chunk.id), version=0, score=hit.score, payload=self._library.payload(hit))
