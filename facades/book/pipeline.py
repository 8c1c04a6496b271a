"""`RetrievalPipeline`: 004's questions on one library, and its three components by themselves. No answer is cached,
nor a vector of Cohere's (decision 4).

The specification hands the components Cohere's client and Qdrant's. Here the pipeline is handed what makes vectors and
what is searched: any embedder, any store (`memory.embedders.CohereDense`, `memory.vector.QdrantVectorStore`); the first
two components what it made of them, a `Library`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

from configs import HybridRetrievalConfig, load_config
from facades.book.model import Query, RetrievalResponse, results_of
from facades.library import APIError, Library, QdrantConnectionError, check_limit, pointed, read_environment
from facades.portal import wait_for
from memory.clock import Clock, SystemClock
from memory.embedders import DenseEmbedder
from memory.errors import ConfigError, ModelError, StoreError
from memory.vector import Hit, VectorStore

_PROFILE: Final = "cohere-book"


@dataclass(frozen=True, slots=True)
class QueryEmbedder:
    """Questions to vectors."""

    library: Library

    async def embed(self, query_text: str) -> list[float]:
        """The vector of a question. Raises InvalidRequestError, a ValueError, for an empty one; APIError."""
        query = Query(query_text)
        try:
            return await self.library.embed(query.cleaned)
        except ModelError as error:
            raise APIError(error.message, error.hint) from error


@dataclass(frozen=True, slots=True)
class VectorRetriever:
    """The chunks nearest to a vector."""

    library: Library

    async def retrieve(self, query_embedding: Sequence[float], top_k: int = 5) -> list[Hit]:
        """At most top_k, nearest first. Raises InvalidRequestError, and QdrantConnectionError, a ConnectionError."""
        check_limit("top_k", top_k)
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
        """The hits as similar as the question's threshold, ranked. Raises IncompleteMetadataError."""
        results = results_of(hits, query.similarity_threshold)
        return RetrievalResponse(
            query_text=query.query_text,
            results=results,
            total_results=len(results),
            execution_time_ms=execution_time_ms,
            timestamp=query.timestamp,
            parameters={"top_k": query.top_k, "similarity_threshold": query.similarity_threshold},
        )


class RetrievalPipeline:
    """Semantic search in a book's chunks, with the keys and the collection it is given.

    qdrant_api_key: empty for a server that wants none. config: what else is set (timeouts, retries, the payload's
    names), by default profile `cohere-book`. embedder, store: in place of Cohere and of Qdrant. Raises ConfigError,
    naming COHERE_API_KEY, where that is empty and needed, and for what is no text.
    """

    def __init__(
        self,
        cohere_api_key: str,
        qdrant_url: str,
        qdrant_api_key: str,
        collection_name: str = "physicalai",
        embedding_model: str = "embed-multilingual-v3.0",
        *,
        config: HybridRetrievalConfig | None = None,
        embedder: DenseEmbedder | None = None,
        store: VectorStore | None = None,
        clock: Clock | None = None,
    ) -> None:
        config = config or load_config(_PROFILE, error=ConfigError)
        given = {
            _cohere_key(config): cohere_api_key,
            "QDRANT_URL": qdrant_url,
            "QDRANT_API_KEY": qdrant_api_key,
        }
        for name, value in {**given, "collection_name": collection_name, "embedding_model": embedding_model}.items():
            if not isinstance(value, str | None):
                raise ConfigError(name, "RetrievalPipeline", f"is a value of type {type(value).__name__}, no text.")
        environ = {name: value or "" for name, value in given.items()}  # `os.environ.get` gives None
        self._config = pointed(config, environ, collection=collection_name, model=embedding_model)
        self._environ = environ
        self._clock = clock or SystemClock()
        self._library = Library(self._config, environ, embedder=embedder, store=store, clock=self._clock)

    @classmethod
    def from_env(
        cls,
        environ: Mapping[str, str] | None = None,
        *,
        embedder: DenseEmbedder | None = None,
        store: VectorStore | None = None,
        clock: Clock | None = None,
    ) -> Self:
        """The pipeline that COHERE_API_KEY, QDRANT_URL, QDRANT_API_KEY, QDRANT_COLLECTION and EMBEDDING_MODEL describe,
        in the environment or a `.env` file; HYBRID_RETRIEVAL_* for the rest. Raises ConfigError.
        """
        environ = read_environment() if environ is None else environ
        config = load_config(_PROFILE, env=environ, error=ConfigError)
        return cls(
            environ.get(_cohere_key(config), ""),
            environ.get("QDRANT_URL", ""),
            environ.get("QDRANT_API_KEY", ""),
            environ.get("QDRANT_COLLECTION", ""),
            environ.get("EMBEDDING_MODEL", ""),
            config=config,
            embedder=embedder,
            store=store,
            clock=clock,
        )

    def at(self, qdrant_url: str) -> RetrievalPipeline:
        """The same with Qdrant at another address."""
        key, _, qdrant_key = self._environ.values()
        vector = self._config.vector
        return RetrievalPipeline(
            key,
            qdrant_url,
            qdrant_key,
            vector.qdrant.collection,
            vector.dense_model,
            config=self._config,
            embedder=self._library.embedder,
            clock=self._clock,
        )

    @property
    def embedder(self) -> QueryEmbedder:
        """The component that makes vectors of questions."""
        return QueryEmbedder(self._library)

    @property
    def retriever(self) -> VectorRetriever:
        return VectorRetriever(self._library)

    def query(self, query_text: str, top_k: int = 5, similarity_threshold: float = 0.0) -> RetrievalResponse:
        """Execute a semantic search query: at most top_k results, nearest first, none less similar than the threshold.

        Raises InvalidRequestError, a ValueError; QdrantConnectionError, a ConnectionError; APIError when Cohere fails;
        DataFolderError and ConfigError for a collection of another model, or that is none; InvalidInputError in a
        running event loop.
        """
        query = Query(query_text, self._clock.now(), top_k, similarity_threshold)
        return wait_for(partial(self._answered, query), twin="RetrievalPipeline.aquery")

    def close(self) -> None:
        """Let go of connections; a later query opens others."""
        wait_for(self.aclose, twin="RetrievalPipeline.aclose")

    async def aquery(self, query_text: str, top_k: int = 5, similarity_threshold: float = 0.0) -> RetrievalResponse:
        return await self._answered(Query(query_text, self._clock.now(), top_k, similarity_threshold))

    async def _answered(self, query: Query) -> RetrievalResponse:
        start = self._clock.monotonic()
        hits = await self.retriever.retrieve(await self.embedder.embed(query.cleaned), query.top_k)
        return ResultFormatter.format(hits, query, round((self._clock.monotonic() - start) * 1000, 3))

    async def aclose(self) -> None:
        await self._library.close()


def _cohere_key(config: HybridRetrievalConfig) -> str:
    return config.hosted.api_key_env or "COHERE_API_KEY"
