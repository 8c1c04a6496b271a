"""Specification 003 under its own names: `HybridRetriever`, `RetrievalResult`, `EmbeddingManager`, `Reranker`.

    from hybrid_retrieval.facades.hybrid_retriever import HybridRetriever
    async with HybridRetriever("~/index", profile="fastembed") as retriever:
        result = await retriever.retrieve("explain quantum computing applications", filters={"corpus": "docs"})

A face over the vector store, the graph agent and the models that everything else here asks too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

import anyio.to_thread

from configs import HybridRetrievalConfig
from facades.hybrid.embedding import EmbeddingManager, image_bytes
from facades.hybrid.parts import MOST_RESULTS, Document, RetrievalResult, RetrieverParts, open_retriever_parts
from facades.hybrid.pipeline import Made, Pipeline, RetrievalKey
from facades.hybrid.ranking import FusionParameters, Reranker
from facades.portal import OncePerLoop
from memory.clock import Clock, SystemClock
from memory.errors import InvalidInputError, InvalidQueryError
from memory.hosted import RequestRate
from memory.query import allowed_names, is_count, is_number
from memory.question import clean_query
from memory.text import estimate_tokens
from memory.together import AsyncLRUCache
from memory.vector import Condition, parse_filters
from orchestrator.logbook import log_info, redacted
from wiring import data_folder, environment_config
from wiring.catalogue import permitted

if TYPE_CHECKING:
    from types import TracebackType

    from PIL.Image import Image

__all__ = [
    "Document",
    "EmbeddingManager",
    "FusionParameters",
    "HybridRetriever",
    "Reranker",
    "RetrievalResult",
    "RetrieverParts",
]

STRATEGIES: Final = ("vector", "hybrid", "graphrag")
MAX_TOKENS: Final = 512
_RESULTS: Final = 256
OpenParts = Callable[[], AbstractAsyncContextManager[RetrieverParts]]


@dataclass(frozen=True, slots=True)
class _Opened:
    """What was opened in one event loop, and the last results there."""

    pipeline: Pipeline
    stack: AsyncExitStack
    results: AsyncLRUCache[Made] = field(default_factory=lambda: AsyncLRUCache(_RESULTS))


def _check_kind(name: str, given: object, kind: type) -> None:
    """Raises InvalidInputError for an argument that was given and is of another kind."""
    if given is not None and not isinstance(given, kind):
        problem = f"{name} is a value of type {type(given).__name__}."
        raise InvalidInputError(problem, f"Give {kind.__name__}, or leave it out.")


class HybridRetriever:
    """Main retrieval interface combining multiple strategies.

    Opens with the first call, or by `async with`, and keeps its models until `close`. data_dir and profile: those that
    HYBRID_RETRIEVAL_DATA_DIR and HYBRID_RETRIEVAL_PROFILE name, else the platform's folder and `fastembed`. parts: what
    to ask in their place. allowed_projects: what may be seen, all that is indexed if not given.
    graphrag_min_confidence: what the graph says must be surer. embeddings_per_minute: of its dense models and of
    pictures, 0 for any number.
    """

    def __init__(
        self,
        data_dir: str | Path | None = None,
        profile: str | None = None,
        config: HybridRetrievalConfig | None = None,
        *,
        parts: OpenParts | RetrieverParts | None = None,
        fusion: FusionParameters | None = None,
        allowed_projects: Iterable[str] | None = None,
        graphrag_min_confidence: float = 0.7,
        embeddings_per_minute: int = 0,
        clock: Clock | None = None,
    ) -> None:
        if not is_number(graphrag_min_confidence) or math.isnan(graphrag_min_confidence):
            raise InvalidInputError(f"graphrag_min_confidence is {graphrag_min_confidence!r}.", "Give a number.")
        _check_kind("config", config, HybridRetrievalConfig)
        _check_kind("fusion", fusion, FusionParameters)
        if not callable(parts):
            _check_kind("parts", parts, RetrieverParts)
        if not is_count(embeddings_per_minute, least=0):
            raise InvalidInputError(
                f"embeddings_per_minute is {embeddings_per_minute!r}.", "Give a count; 0: any number."
            )
        self._given = parts
        self._data_dir = data_dir
        self._profile = profile
        self._config = config
        self._fusion = fusion
        self._allowed = allowed_names(allowed_projects)
        self._min_confidence = graphrag_min_confidence
        self._clock = clock or SystemClock()
        self._rate = RequestRate(embeddings_per_minute, self._clock)
        self._opened = OncePerLoop(self._open)

    async def retrieve(
        self,
        query: str,
        strategy: str = "hybrid",
        top_k: int = 10,
        rerank: bool = True,  # noqa: FBT001, FBT002 - the specification's signature
        filters: Mapping[str, Any] | None = None,
    ) -> RetrievalResult:
        """Execute hybrid retrieval with the specified strategy: vector, hybrid or graphrag.

        top_k: 1 to 100; filters: as `memory.vector.parse_filters` has them. Raises InvalidQueryError (empty, more than
        512 tokens), InvalidInputError, UnknownProjectError, StoreError, and ModelError when no model is left to search
        with; one that fails while others answer is left out, with a note in `notes`.
        """
        started = self._clock.monotonic()
        if strategy not in STRATEGIES:
            raise InvalidInputError(f"There is no strategy {strategy!r}.", f"Known: {', '.join(STRATEGIES)}.")
        conditions = _checked(top_k, filters, rerank=rerank)
        opened = await self._opened()
        pipeline = opened.pipeline
        text = clean_query(query, pipeline.config.max_query_chars)
        tokens = estimate_tokens(text)
        if tokens > MAX_TOKENS:
            raise InvalidQueryError(
                f"The question has about {tokens} tokens; at most {MAX_TOKENS} are taken.", "Shorten it."
            )
        asked = RetrievalKey(
            text, strategy, top_k, rerank, conditions, permitted(self._allowed, pipeline.parts.projects)
        )
        made = await opened.results.get(asked, partial(pipeline.retrieve, asked), keep=lambda one: one.whole)
        return self._finished(made.result, text, tokens, started, log_content=pipeline.config.log_content)

    async def retrieve_by_image(
        self, image: Image | bytes | Path, top_k: int = 10, filters: Mapping[str, Any] | None = None
    ) -> RetrievalResult:
        """Pictures like this one, and the documents about what it shows; needs an image model.

        `filters={"chunk_kind": "doc"}` gives the documents alone. Raises as `retrieve`.
        """
        started = self._clock.monotonic()
        conditions = _checked(top_k, filters)
        pipeline = (await self._opened()).pipeline
        data = await anyio.to_thread.run_sync(image_bytes, image, abandon_on_cancel=True)
        await self._rate.wait()
        result = await pipeline.of_image(data, top_k, conditions, permitted(self._allowed, pipeline.parts.projects))
        return self._finished(result, "", 0, started, log_content=pipeline.config.log_content)

    async def embeddings(self) -> EmbeddingManager:
        """The models of this retriever, for texts and pictures of one's own, kept to its rate."""
        parts = (await self._opened()).pipeline.parts
        return EmbeddingManager(parts.docs, parts.sparse, parts.images, calls_per_minute=self._rate)

    async def close(self) -> None:
        """Let go of stores and models; the next call opens them again, and so sees what was indexed meanwhile."""
        opened = self._opened.forget()
        if opened is not None:
            await opened.stack.aclose()

    async def __aenter__(self) -> Self:
        await self._opened()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _open(self) -> _Opened:
        config = self._config or environment_config(self._profile, "fastembed")[1]
        fusion = self._fusion or FusionParameters(k=config.vector.rrf_k)
        async with AsyncExitStack() as stack:
            parts = await self._parts(config, stack)
            return _Opened(Pipeline(parts, config, fusion, self._min_confidence, self._rate), stack.pop_all())

    async def _parts(self, config: HybridRetrievalConfig, stack: AsyncExitStack) -> RetrieverParts:
        if isinstance(self._given, RetrieverParts):
            return self._given
        if self._given is not None:
            return await stack.enter_async_context(self._given())
        return await stack.enter_async_context(open_retriever_parts(data_folder(self._data_dir), config))

    def _finished(
        self, made: RetrievalResult, query: str, tokens: int, started: float, *, log_content: bool
    ) -> RetrievalResult:
        latency_ms = round((self._clock.monotonic() - started) * 1000, 3)
        own = [replace(one, metadata=deepcopy(one.metadata)) for one in made.documents]  # the caller may change them
        tokens += made.tokens_processed
        result = replace(made, documents=own, scores=list(made.scores), latency_ms=latency_ms, tokens_processed=tokens)
        _log(result, query, log_content=log_content)
        return result


def _checked(top_k: int, filters: Mapping[str, Any] | None, *, rerank: bool = True) -> tuple[Condition, ...]:
    if not isinstance(rerank, bool):
        raise InvalidInputError(f"rerank is {rerank!r}.", "Say True or False.")
    if not (is_count(top_k) and top_k <= MOST_RESULTS):
        raise InvalidInputError(f"top_k is {top_k!r}.", f"Give a whole number from 1 to {MOST_RESULTS}.")
    return parse_filters(filters)


def _log(result: RetrievalResult, query: str, *, log_content: bool) -> None:
    log_info(
        "documents retrieved",
        strategy=result.strategy_used,
        documents=len(result.documents),
        reranked=result.reranked,
        latency_ms=round(result.latency_ms, 1),
        tokens=result.tokens_processed,
        **({"query": redacted(query)} if log_content else {}),
    )
