"""A question's three representations: dense for documents, dense for code, sparse (000 §4, failures §10 step 2).

Each is made once and remembered by model and text. One dense model for both is asked once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import anyio
import numpy as np
from numpy.typing import NDArray

from memory.attempt import model_answer
from memory.embedders.port import DenseEmbedder, SparseEmbedder, embedded_query
from memory.errors import ModelError, NoModelError
from memory.hosted import RequestRate
from memory.together import AsyncLRUCache
from memory.vector.port import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, DenseVector, SparseVector

NO_MODEL: Final = "meaning was not searched: there is no model"


def awaited(share: float) -> str:
    """The note where only a share (0..1) of what is searched has its vectors."""
    return f"{share:.0%} of the chunks have their vectors, the others are found by words alone"


@dataclass(frozen=True, slots=True)
class Representations:
    """The vectors there are, by the route that searches them, and what failed."""

    vectors: Mapping[str, DenseVector | SparseVector]
    failures: tuple[str, ...] = ()


class QueryRepresenter:
    """Makes the representations that a template needs, all at the same time, each within the timeout.

    rate: what dense models are kept to; the timeout begins when the rate lets a question through.
    """

    def __init__(
        self,
        docs: DenseEmbedder,
        code: DenseEmbedder,
        sparse: SparseEmbedder,
        *,
        profile: str,
        timeout_s: float,
        remembered: AsyncLRUCache[Any],
        rate: RequestRate | None = None,
    ) -> None:
        self._rate = rate
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
        """One failed model is left out, with a note; where none is installed the words are left.

        Raises ModelError when no dense representation can be had.
        """
        models: dict[int, list[str]] = {}
        for route in dense_routes:
            models.setdefault(id(self._dense[route]), []).append(route)
        found: dict[str, DenseVector | SparseVector] = {}
        failed: dict[str, str] = {}
        absent = set[str]()

        async def make(
            routes: Sequence[str],
            key: tuple[Any, ...],
            work: Callable[[], Awaitable[Any]],
            rate: RequestRate | None = None,
        ) -> None:
            own = (self._profile, *key, query)
            if rate is not None and own not in self._remembered:
                await rate.wait()
            asked = partial(self._remembered.get, own, work)
            try:
                found.update(dict.fromkeys(routes, await model_answer(key[0], asked, self._timeout_s)))
            except ModelError as error:
                failed.update(dict.fromkeys(routes, error.message))
                absent.update(routes if isinstance(error, NoModelError) else ())

        async with anyio.create_task_group() as group:
            for routes in models.values():
                embedder = self._dense[routes[0]]
                key = (embedder.model, embedder.dimension)
                group.start_soon(make, routes, key, partial(_dense, embedder, query), self._rate)
            sparse = partial(embedded_query, self._sparse, query)
            group.start_soon(make, [SPARSE_LEXICAL], (self._sparse.model, 0), sparse)
        failures = tuple(
            f"{route} failed: {failed[route]}" for route in (*dense_routes, SPARSE_LEXICAL) if route in failed
        )
        if not any(route in found for route in dense_routes):
            if failed.keys() == absent:
                return Representations(_searchable(found), (NO_MODEL,))
            raise ModelError(
                f"No dense representation of the query: {'; '.join(failures)}", "Run: hybrid-retrieval doctor"
            )
        return Representations(_searchable(found), failures)


def _searchable(found: Mapping[str, DenseVector | SparseVector]) -> dict[str, DenseVector | SparseVector]:
    """Without a sparse vector that has no terms: there is nothing to look for."""
    return {route: vector for route, vector in found.items() if not isinstance(vector, SparseVector) or vector.indices}


class CachedQueries:
    """A dense embedder that asks its model for the vector of a question once, as long as that is remembered.

    timeout_s: of one question; a model that is silent for longer has failed.
    """

    def __init__(self, inner: DenseEmbedder, remembered: AsyncLRUCache[Any], profile: str, timeout_s: float) -> None:
        self.model = inner.model
        self.dimension = inner.dimension
        self._inner = inner
        self._remembered = remembered
        self._profile = profile
        self._timeout_s = timeout_s

    async def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port says."""
        return await self._inner.embed_documents(texts)

    async def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the port says; one call of the model for each text that is new."""
        return np.asarray([await self._vector(text) for text in texts], dtype=np.float32)

    async def _vector(self, text: str) -> list[float]:
        key = (self._profile, self.model, self.dimension, text)
        asked = partial(self._remembered.get, key, partial(_dense, self._inner, text))
        vector: list[float] = await model_answer(self.model, asked, self._timeout_s)
        return vector


async def _dense(embedder: DenseEmbedder, query: str) -> list[float]:
    vectors: list[list[float]] = (await embedder.embed_queries([query])).tolist()
    if not vectors:
        raise NoModelError(f"{embedder.model} made no vector")
    return vectors[0]
