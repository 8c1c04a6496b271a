"""What 002 and 004 stand on: their environment and errors, and one embedder with the vector agent on one store.

InvalidRequestError     ValueError        a question, a number or a vector that makes no sense
QdrantConnectionError   ConnectionError   Qdrant is out of reach
APIError                                  Cohere failed, after its retries
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any, Final

from agents import HybridSearch, VectorRetrievalAgent
from configs import HybridRetrievalConfig
from facades.portal import OncePerLoop
from memory.clock import Clock
from memory.embedders import Bm25Sparse, CohereDense, DenseEmbedder
from memory.embedders.cohere import CohereConnection
from memory.errors import ConfigError, InvalidInputError, ModelError, StoreError
from memory.files import ChunkedFiles
from memory.imports import brought_by
from memory.query import is_count
from memory.vector import DENSE_DOCS, Hit, VectorStore
from memory.vector.payload import FieldMapping
from wiring.models import OpenableDense, open_models

_QDRANT_KEY: Final = "QDRANT_API_KEY"
_MOST: Final = 1_000_000


def read_environment(file: str | Path | None = None) -> dict[str, str]:
    """`os.environ` over the file, by default `.env` in the current folder; a file that is not there has nothing.

    Raises ConfigError for a file that was named and is not there, and for one that is not UTF-8.
    """
    from dotenv import dotenv_values  # noqa: PLC0415 - only a face that no one configured needs it

    path = Path(".env" if file is None else file)
    if file is not None and not path.is_file():
        raise ConfigError(
            "the environment file", str(path), "there is none.", "Name one that is there, or leave it out."
        )
    try:
        values = dotenv_values(path) if path.is_file() else {}
    except UnicodeDecodeError:
        raise ConfigError("the environment file", str(path), "it is not UTF-8.", "Save it as UTF-8.") from None
    return {name: value for name, value in values.items() if value is not None} | dict(os.environ)


def pointed(
    config: HybridRetrievalConfig, environ: Mapping[str, str], *, collection: str = "", model: str = ""
) -> HybridRetrievalConfig:
    """The settings at QDRANT_URL, with QDRANT_API_KEY, where these are set, and at another collection or model."""
    url, key = environ.get("QDRANT_URL", "").strip(), environ.get(_QDRANT_KEY, "").strip()
    vector, qdrant = config.vector, config.vector.qdrant
    qdrant = replace(
        qdrant,
        url=url or qdrant.url,
        api_key_env=_QDRANT_KEY if key else qdrant.api_key_env,
        collection=collection or qdrant.collection,
    )
    return replace(config, vector=replace(vector, dense_model=model or vector.dense_model, qdrant=qdrant))


class InvalidRequestError(InvalidInputError, ValueError):
    """A question, a number or a vector that makes no sense."""


class QdrantConnectionError(StoreError, ConnectionError):
    """Qdrant is out of reach, or refused."""


class APIError(ModelError):
    """The embedding model failed after its retries; the client's own error is its cause."""


def vector_of(given: object) -> list[float]:
    """The numbers of a list, a tuple or an array, which a caller handed over. Raises InvalidRequestError."""
    if not isinstance(given, Iterable):
        raise InvalidRequestError(f"The embedding is {given!r}.", "Give a list of numbers.")
    numbers = [_float(number) for number in given]
    if not all(map(math.isfinite, numbers)):
        raise InvalidRequestError("The embedding has something that is no finite number.")
    return numbers


def _float(given: object) -> float:
    """The number; NaN for what is none, and for one that no float holds."""
    try:
        return float(given) if isinstance(given, Real) else math.nan
    except OverflowError:
        return math.nan


def check_limit(name: str, limit: object) -> None:
    """Whether so many may be asked for, under the name that the caller knows it by. Raises InvalidRequestError."""
    if not (is_count(limit) and limit <= _MOST):
        raise InvalidRequestError(f"{name} is {limit!r}.", f"Give a whole number from 1 to {_MOST:,}.")


class Library:
    """Texts to vectors, vectors to the chunks nearest to them.

    embedder, store: those of the settings unless given; given ones stay the caller's. The embedder is made at once, so
    that a missing key is met here: raises ConfigError. The store is opened by the first search.
    """

    def __init__(
        self,
        config: HybridRetrievalConfig,
        environ: Mapping[str, str],
        *,
        embedder: DenseEmbedder | None = None,
        store: VectorStore | None = None,
        clock: Clock | None = None,
    ) -> None:
        project = config.vector.qdrant.constants.get("project")
        if not project:
            raise ConfigError("vector.qdrant.constants", "settings", "they name no project.", "Give constants.project.")
        self._config = config
        self._environ = environ
        self._clock = clock
        self._given = store
        self._opened: VectorStore | None = None
        self._own: OpenableDense | None = None
        if embedder is None:
            embedder = self._own = _embedder(config, environ, clock)
        self.embedder = embedder
        self._agent = OncePerLoop(self._open)
        self.project = project
        self.mapping = FieldMapping.of(config.vector.qdrant)

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    def payload(self, hit: Hit) -> dict[str, Any]:
        """What is stored beside a vector, under the collection's own names."""
        return self.mapping.stored(hit.chunk, "") | dict(hit.extra)

    async def embed(self, text: str) -> list[float]:
        """The vector of a question. Raises ModelError."""
        vectors = await self.embedder.embed_queries([text])
        return [float(number) for number in vectors[0]]

    async def nearest(self, vector: Sequence[float], limit: int) -> list[Hit]:
        """At most `limit` chunks, best first, by cosine. Raises InvalidInputError, StoreError, DataFolderError."""
        agent = await self._agent()
        return await agent.nearest(vector_of(vector), frozenset({self.project}), limit)

    async def close(self) -> None:
        """Let go of what was opened here; a later search opens it again."""
        opened, self._opened, self._agent = self._opened, None, OncePerLoop(self._open)
        if opened is not None:
            await opened.close()
        if self._own is not None:
            await self._own.close()

    async def _open(self) -> VectorRetrievalAgent:
        store = self._given or await self._connected()
        search = HybridSearch(store, self.embedder, Bm25Sparse(), self._config.vector)
        return VectorRetrievalAgent(
            search,
            lambda permission: ChunkedFiles(store, permission),
            max_observations=self._config.max_observations_per_agent,
        )

    async def _connected(self) -> VectorStore:
        with brought_by("qdrant", "A Qdrant server"):
            from memory.vector import QdrantVectorStore  # noqa: PLC0415 - its client takes a second to import

        vectors = {DENSE_DOCS: self._config.vector.dimension}
        settings = self._config.vector.qdrant
        self._opened = await QdrantVectorStore.open(
            settings, vectors=vectors, namespace="", environ=self._environ, clock=self._clock
        )
        return self._opened


def _embedder(config: HybridRetrievalConfig, environ: Mapping[str, str], clock: Clock | None) -> OpenableDense:
    """Cohere's, of which no vector is kept (004, decision 4), or what the settings name instead."""
    vector = config.vector
    if vector.provider == "cohere":
        connection = CohereConnection(config.hosted, environ=environ, clock=clock)
        return CohereDense(connection, vector.dense_model, dimension=vector.dimension, remembered=0)
    return open_models(vector, config.hosted, environ=environ).docs
