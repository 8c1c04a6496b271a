"""A question's three representations: dense for documents, dense for code, sparse (000 §4, failures §10 step 2).

Each is made once and remembered by model and text. One dense model for both is asked once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import numpy as np
from numpy.typing import NDArray

from agents.evidence.cache import Remembered
from memory.embedders.blocking import without_blocking
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.errors import ModelError
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, DenseVector, SparseVector

__all__ = ["QueryRepresenter", "RememberedQueries", "Representations"]


@dataclass(frozen=True, slots=True)
class Representations:
    """The vectors there are, by the route that searches them, and what failed."""

    vectors: Mapping[str, DenseVector | SparseVector]
    failures: tuple[str, ...] = ()


class QueryRepresenter:
    """Makes the representations that a template needs, all at the same time, each within the timeout."""

    def __init__(
        self,
        docs: DenseEmbedder,
        code: DenseEmbedder,
        sparse: SparseEmbedder,
        *,
        profile: str,
        timeout_s: float,
        remembered: Remembered[Any],
    ) -> None:
        self._dense = {DENSE_DOCS: docs, DENSE_CODE: code}
        self._sparse = sparse
        self._profile = profile
        self._timeout_s = timeout_s
        self._remembered = remembered

    @property
    def models(self) -> tuple[tuple[str, int], ...]:
        """The models and dimensions that a pack depends on."""
        return (*((one.model, one.dimension) for one in self._dense.values()), (self._sparse.model, 0))

    async def represent(self, query: str, dense_routes: Sequence[str]) -> Representations:
        """One failed model is left out and said. Raises ModelError when no dense representation can be had."""
        models: dict[int, list[str]] = {}
        for route in dense_routes:
            models.setdefault(id(self._dense[route]), []).append(route)
        found: dict[str, DenseVector | SparseVector] = {}
        failed: dict[str, str] = {}

        async def make(routes: Sequence[str], key: tuple[Any, ...], work: Callable[[], Awaitable[Any]]) -> None:
            try:
                with anyio.fail_after(self._timeout_s):
                    vector = await self._remembered.get((self._profile, *key, query), work)
                found.update(dict.fromkeys(routes, vector))
            except ModelError as error:
                failed.update(dict.fromkeys(routes, error.message))
            except TimeoutError:
                failed.update(dict.fromkeys(routes, f"no answer within {self._timeout_s:g} s"))

        async with anyio.create_task_group() as group:
            for routes in models.values():
                embedder = self._dense[routes[0]]
                group.start_soon(make, routes, (embedder.model, embedder.dimension), _Dense(embedder, query))
            group.start_soon(make, [SPARSE_LEXICAL], (self._sparse.model, 0), _Sparse(self._sparse, query))
        failures = tuple(
            f"{route} failed: {failed[route]}" for route in (*dense_routes, SPARSE_LEXICAL) if route in failed
        )
        if not any(route in found for route in dense_routes):
            raise ModelError(
                f"No dense representation of the query: {'; '.join(failures)}", "Run: hybrid-retrieval doctor"
            )
        return Representations(_searchable(found), failures)


def _searchable(found: Mapping[str, DenseVector | SparseVector]) -> dict[str, DenseVector | SparseVector]:
    """Without a sparse vector that has no terms: there is nothing to look for."""
    return {route: vector for route, vector in found.items() if not isinstance(vector, SparseVector) or vector.indices}


class RememberedQueries:
    """A dense embedder that asks its model for the vector of a question once, as long as that is remembered."""

    def __init__(self, inner: DenseEmbedder, remembered: Remembered[Any], profile: str) -> None:
        self.model = inner.model
        self.dimension = inner.dimension
        self._inner = inner
        self._remembered = remembered
        self._profile = profile

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port says."""
        return await self._inner.embed_documents(texts)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port says; one call of the model for each text that is new."""
        key = (self._profile, self.model, self.dimension)
        vectors = [await self._remembered.get((*key, text), _Dense(self._inner, text)) for text in texts]
        return np.asarray(vectors, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Dense:
    embedder: DenseEmbedder
    query: str

    async def __call__(self) -> list[float]:
        vectors: list[list[float]] = (await self.embedder.embed_queries([self.query])).tolist()
        return vectors[0]


@dataclass(frozen=True, slots=True)
class _Sparse:
    embedder: SparseEmbedder
    query: str

    async def __call__(self) -> SparseVector:
        return await without_blocking(self.embedder, partial(self.embedder.embed_query, self.query))
